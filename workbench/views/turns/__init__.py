"""When the window's thread does what need not be done at once."""
