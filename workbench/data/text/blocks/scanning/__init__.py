"""Kernels that take regular records of a text apart: numbers, and the distinct texts."""
