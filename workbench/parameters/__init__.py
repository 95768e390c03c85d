"""Every hyperparameter, declared once (floor 0)."""
