"""The round ruler, and the time axis that plots share with it."""
