"""What was done, line by line."""
