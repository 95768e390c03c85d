"""A report in one HTML file."""
