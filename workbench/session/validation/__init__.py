"""What is known of how far runs can be trusted."""
