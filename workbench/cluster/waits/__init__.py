"""Waits for workers and schedulers that all have a limit."""
