"""Kernels compiled beforehand, in processes of their own (floor 6)."""
