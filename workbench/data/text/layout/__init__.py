"""How a text table is laid out: separator, titles, header, footers."""
