"""One tree: binning, histograms, split search, growing (floor 2)."""
