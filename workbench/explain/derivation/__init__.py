"""The steps of the theory with a model's own numbers, under its λ, γ and η or under others."""
