"""The playground: a model over one or two variables, and the brush."""
