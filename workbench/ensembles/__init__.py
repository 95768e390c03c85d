"""Many trees: trainers that yield round events, the ensemble, sampling (floor 3)."""
