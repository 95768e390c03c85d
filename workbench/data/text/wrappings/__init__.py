"""Lines that hold a table in the wrapping of another program."""
