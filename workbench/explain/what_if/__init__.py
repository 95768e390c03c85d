"""Stored trees under other values of λ, γ and α."""
