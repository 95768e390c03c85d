"""The left dock's list of all trees."""
