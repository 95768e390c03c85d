"""The slow, obvious twin of the split search: every split of every column tried on the rows themselves."""

from __future__ import annotations

from typing import NamedTuple

MISSING, OTHER = 255, 254


class Split(NamedTuple):
    gain: float
    column: int
    bin: int
    missing_left: bool


def similarity(g, h, reg_lambda):
    return g * g / (h + reg_lambda) if h + reg_lambda > 0 else 0.0


def gain_of(goes_left, g, h, reg_lambda, gamma):
    left = similarity(g[goes_left].sum(), h[goes_left].sum(), reg_lambda)
    right = similarity(g[~goes_left].sum(), h[~goes_left].sum(), reg_lambda)
    return 0.5 * (left + right - similarity(g.sum(), h.sum(), reg_lambda)) - gamma


def candidates(bins, is_category, n_bins):
    """Every way to send the rows of one column left or right: (bin, missing left, goes left)."""
    missing = bins == MISSING
    for b in range(n_bins):
        yes = (bins == b) if is_category else (bins <= b) & ~missing
        for missing_left in (False, True):
            yield b, missing_left, yes | (missing & missing_left)


def best_split(bins, columns, is_category, n_bins, g, h, reg_lambda, gamma, min_child_weight):
    """Return the best allowed split of rows with bins (n, d) and gradients, or None."""
    best = None
    for f in columns:
        for b, missing_left, left in candidates(bins[:, f], is_category[f], n_bins[f]):
            if min(h[left].sum(), h[~left].sum()) < min_child_weight or left.all() or not left.any():
                continue
            gain = gain_of(left, g, h, reg_lambda, gamma)
            if best is None or gain > best.gain:
                best = Split(gain, f, b, missing_left)
    return best
