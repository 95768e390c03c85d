"""Models as code: Python, C, SQL, formulas, rules, graphs."""
