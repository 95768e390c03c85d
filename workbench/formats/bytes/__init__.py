"""What files are made of: bytes, floats as text, CSV, UBJSON, protobuf, checks."""
