"""Models of scikit-learn, through a script that exports them."""
