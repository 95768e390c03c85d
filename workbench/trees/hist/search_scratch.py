"""What a thread writes to while it searches columns, and nobody reads afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.trees.bins.bin_search import N_BIN_VALUES
from workbench.trees.hist.few_rows import N_MARKS
from workbench.trees.hist.histogram import HISTOGRAM_STRIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray


class SearchScratch(NamedTuple):
    """The scratch of all threads, a line each, or without the first axis that of one.

    Attributes
    ----------
    lefts : ndarray of int64, shape (parts, 256)
        What each cut sends left.
    order, ratios : ndarray of int64 and float64, shapes (parts, most bins) and (parts, 256)
        Categories while they are ordered; cuts of fine columns.
    sums, marks : ndarray of int64 and uint64, shapes (parts, 256) and (parts, 4)
        Of a node of few rows; zero between uses, see `few_rows`.
    unfolded : ndarray of int64, shape (parts, 2, 264)
        Sums and rows of a column that shares a byte, by its own bins; see `shared_search`.
    """

    lefts: NDArray[np.int64]
    order: NDArray[np.int64]
    ratios: NDArray[np.float64]
    sums: NDArray[np.int64]
    marks: NDArray[np.uint64]
    unfolded: NDArray[np.int64]


def search_scratch(parts: int, most_bins: int) -> SearchScratch:
    """Make the scratch of so many threads, for columns of at most so many bins."""
    return SearchScratch(
        lefts=np.empty((parts, N_BIN_VALUES), np.int64),
        order=np.empty((parts, max(N_BIN_VALUES, most_bins)), np.int64),
        ratios=np.empty((parts, N_BIN_VALUES)),
        sums=np.zeros((parts, N_BIN_VALUES), np.int64),
        marks=np.zeros((parts, N_MARKS), np.uint64),
        unfolded=np.empty((parts, 2, HISTOGRAM_STRIDE), np.int64),
    )
