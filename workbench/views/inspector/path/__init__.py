"""The way of one row through the trees."""
