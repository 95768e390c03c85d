"""The plots of the pages of the tab Explain."""
