"""Taking pictures, tables and figures away."""
