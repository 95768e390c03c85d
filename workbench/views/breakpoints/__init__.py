"""What pauses a run: the menu of goals beside Train, and the panel of breakpoints."""
