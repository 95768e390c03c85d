"""One dockable view a module (floor 8)."""
