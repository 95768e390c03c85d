"""What the tab Explain is about."""
