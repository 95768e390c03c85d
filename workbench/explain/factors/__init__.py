"""A model as tables: a constant, an effect of each column, and what pairs of columns add to these."""
