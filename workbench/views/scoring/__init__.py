"""The page on which a second table is looked at before a model scores it."""
