"""Losses that are trained: gradients and hessians, one loss a module (floor 2)."""
