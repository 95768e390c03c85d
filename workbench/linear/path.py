"""The λs of a path, from one with no weights to the one that is wanted, in equal ratios."""

from __future__ import annotations

LEAST_SHARE = 1e-6  # of the first λ, down to which a path to 0 goes in equal ratios


def next_lambda(before: float, wanted: float, rounds_left: int) -> float:
    """Return the λ that follows in a path which has so many rounds to go, this one with them.

    So a path that goes on, or whose end is changed under way, comes there from where it stands.
    """
    if rounds_left <= 1 or before <= 0.0:
        return wanted
    goal = wanted if wanted > 0.0 else before * LEAST_SHARE
    return float(before * (goal / before) ** (1.0 / rounds_left))
