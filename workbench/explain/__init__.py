"""Why a model says what it says: importance, scans, paths (floor 4)."""
