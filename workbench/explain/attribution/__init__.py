"""What columns are worth to a model: in all, by row, by tree and by round."""
