"""Pictures of a model that show themselves in a notebook: SVG, from no library."""
