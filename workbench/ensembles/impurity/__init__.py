"""Trees of means and class shares: one alone, or many on drawn rows and columns, which are averaged."""
