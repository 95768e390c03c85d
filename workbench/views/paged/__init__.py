"""A centre tab of several pages, with a switch between them."""
