"""What a run is made of."""
