"""The search on histograms of bins; approx cuts anew each round."""
