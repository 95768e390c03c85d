"""Threads that share a kernel's work, and the blocks of rows that keep sums the same (floor 0)."""
