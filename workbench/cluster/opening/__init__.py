"""Opening a table that stays on a cluster: some rows come home, and what all of them add up to."""
