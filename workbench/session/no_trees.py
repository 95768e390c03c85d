"""What is said where trees are asked for and there are none."""

from __future__ import annotations

NO_TREES = "No trees yet. Choose the target, then Train."
