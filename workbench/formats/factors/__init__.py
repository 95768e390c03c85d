"""Factor tables of a model: named levels, and files for other programs."""
