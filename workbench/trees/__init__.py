"""One tree: binning, histograms, split search, growing (floor 2)."""

from workbench.trees.cache import use_cache_folder

use_cache_folder()  # before any kernel is imported
