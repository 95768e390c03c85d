"""Trees that are grown on the target itself: what their nodes lower, and how their splits were sought."""
