"""Model files, in and out, one format a module (floor 5)."""
