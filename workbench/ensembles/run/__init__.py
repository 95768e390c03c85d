"""A run of any training method: what it is set up with, its rows and its loss, its metrics, its rounds."""
