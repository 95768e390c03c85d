"""A person's own Python files: chosen, looked at, and run when they agree."""
