"""A large tree seen from afar, as shapes or pixels."""
