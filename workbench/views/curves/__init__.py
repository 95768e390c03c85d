"""Plots over rounds: scales, lines, the board that stacks them, pictures of it."""
