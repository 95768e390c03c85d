"""Folds and the noise floor, asked for by hand."""
