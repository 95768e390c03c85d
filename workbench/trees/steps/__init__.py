"""Step functions of one variable, scored by the structure score: greedy, by merging, and the optimum."""
