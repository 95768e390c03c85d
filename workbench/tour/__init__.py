"""A scripted demonstration of the window."""
