"""What XGBoost's file forgets, and the readable JSON."""
