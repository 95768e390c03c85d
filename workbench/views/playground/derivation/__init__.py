"""The steps of the theory, one a file: each with its sentence, formulas, and a plot or a table."""
