"""XGBoost's JSON and UBJSON; models are saved so."""
