"""The centre tab Predictions."""
