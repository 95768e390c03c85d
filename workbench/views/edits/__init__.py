"""Edits of trees by hand: where they begin, their receipt, and the roads not taken."""
