"""The threads and processes, and the objects that own them (floor 7)."""
