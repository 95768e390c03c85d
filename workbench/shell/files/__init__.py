"""Files in and out of the window: which are asked for, opened, shown and saved."""
