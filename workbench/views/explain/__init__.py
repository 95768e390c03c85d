"""The centre tab Explain."""
