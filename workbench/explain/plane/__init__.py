"""A model over one or two of its columns: cells, cuts, and what it says of the rows there."""
