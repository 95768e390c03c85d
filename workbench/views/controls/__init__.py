"""Small widgets that several views are made of."""
