"""The pages of the tab Explain, each in its own file."""
