"""Runs and their branches: the page at the left, and the tab in which they fan out and are compared."""
