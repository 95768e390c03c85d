"""The slow, obvious twin of exact search: every split of every column tried on the raw values themselves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tests.reference.naive_split import gain_of


class ExactSplit(NamedTuple):
    gain: float
    column: int
    left: np.ndarray  # which of the rows go left


def ways_to_part(values, is_category, codes):
    """Every way to send the rows of one column left: by cuts between numbers, or one category out."""
    missing = np.isnan(values)
    present = np.unique(values[~missing])
    if not is_category:
        yield missing
    for value in codes if is_category else present:
        way = values == value if is_category else values <= value
        yield way
        yield way | missing


def best_exact_split(features, columns, is_category, codes, g, h, reg_lambda, gamma, min_child_weight):
    """Return the best allowed split of rows (n, d), or None; `codes` are those of every category."""
    best = None
    for f in columns:
        for left in ways_to_part(features[:, f], is_category[f], codes):
            if left.all() or not left.any() or min(h[left].sum(), h[~left].sum()) < min_child_weight:
                continue
            gain = gain_of(left, g, h, reg_lambda, gamma)
            if best is None or gain > best.gain:
                best = ExactSplit(gain, f, left)
    return best
