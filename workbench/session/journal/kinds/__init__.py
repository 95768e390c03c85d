"""The kinds of action, one file each."""
