"""Where the nodes of a tree stand, and trees as pixels; no Qt (floor 3)."""
