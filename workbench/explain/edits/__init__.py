"""Edits of trees by hand: one kind a file, what each makes of its tree, and the receipt before it is kept."""
