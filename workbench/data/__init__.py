"""Tables, column types and roles, encoding, splits (floor 1)."""
