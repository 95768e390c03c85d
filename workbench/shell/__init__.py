"""Main window, actions, preferences (floor 8)."""
