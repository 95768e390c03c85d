"""A study: the story of a table and the runs on it, told from Python as the window tells it."""
