"""What several quantiles of one run are called."""

from __future__ import annotations


def quantile_names(levels: tuple[float, ...]) -> tuple[str, ...]:
    """Return "quantile 0.1" and so on."""
    return tuple(f"quantile {level!r}" for level in levels)
