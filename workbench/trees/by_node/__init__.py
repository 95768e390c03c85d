"""Trees of means and class shares: each node is split by its own rows, among columns drawn for it."""
