"""Points that are drawn by hand, and what the playground shows."""
