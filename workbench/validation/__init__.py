"""How far a model, and a difference between two, can be trusted: folds and the noise floor."""
