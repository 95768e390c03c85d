"""Where runs train."""
