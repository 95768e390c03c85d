"""The data dock: columns, what to predict, the hold-out."""
