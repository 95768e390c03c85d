"""The exact greedy search on sorted columns."""
