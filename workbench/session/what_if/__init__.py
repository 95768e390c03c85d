"""What a person asks of a finished run, and the runs that come of it."""
