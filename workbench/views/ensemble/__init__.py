"""The centre tab Ensemble."""
