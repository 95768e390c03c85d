"""The page on which a person settles how a file is read."""
