"""Rows by query, their ranks, and what ranks are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

MOST_RELEVANCE = 31.0  # 2**31 is the largest gain that XGBoost takes


def query_slices(groups: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield the rows of each query, ascending."""
    order = np.argsort(groups, kind="stable")
    if not len(order):
        return
    ends = np.flatnonzero(np.diff(groups[order])) + 1
    yield from np.split(order, ends)


def ranks(raw: NDArray[np.floating]) -> NDArray[np.int64]:
    """Return the place of each row, from 0, the highest prediction first; of equals the first row."""
    places = np.empty(len(raw), np.int64)
    places[np.argsort(-raw, kind="stable")] = np.arange(len(raw))
    return places


def gains(relevance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 2**y − 1."""
    return np.exp2(relevance) - 1.0


def discounts(places: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return 1 / log2(2 + place)."""
    return 1.0 / np.log2(2.0 + places)
