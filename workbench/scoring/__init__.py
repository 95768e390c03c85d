"""A model put to a second table: columns matched by name, rows predicted some at a time, written down."""
