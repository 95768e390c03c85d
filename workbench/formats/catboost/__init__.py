"""CatBoost's JSON."""
