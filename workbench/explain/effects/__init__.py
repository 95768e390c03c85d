"""How a prediction follows one or two columns: partial dependence, lines of rows, accumulated effects."""
