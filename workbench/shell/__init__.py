"""Main window, actions, preferences (floor 9)."""
