"""What is said where trees are asked for and there are none."""

from __future__ import annotations

NO_TREES_YET = "No trees yet"
NO_TREES = f"{NO_TREES_YET}. Choose the target, then Train."
