"""Two runs beside each other: what differs, where they part, importance, and rows that moved."""
