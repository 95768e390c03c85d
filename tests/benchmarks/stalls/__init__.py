"""How long the window stalls, and whether that is its own doing."""
