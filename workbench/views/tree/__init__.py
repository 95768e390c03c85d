"""The tree on its canvas, and the list of all trees."""
