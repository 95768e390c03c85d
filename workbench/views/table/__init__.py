"""The table, its header, and the detail of one column."""
