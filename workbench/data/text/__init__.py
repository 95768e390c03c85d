"""Tables that are text: from a stream of bytes to typed columns."""
