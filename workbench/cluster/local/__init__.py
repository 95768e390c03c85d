"""A cluster on this machine, in a process of its own."""
