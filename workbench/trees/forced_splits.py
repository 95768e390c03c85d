"""Splits that a tree begins with, whatever they gain.

A node that is told to ask a question is searched as every node is. In the column of the question the search
notes that question, with a score that nothing is above, where both sides get rows; so a question that parts
nothing is left out, and the tree goes on as it would. Where the column alone is named, the question is the
best cut that the search finds there: of those that may be made, or, where none may, of all that part rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.kernels.kernel import kernel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

FORCED = np.inf  # score of a forced split
NOT_FORCED = -1
MOST_LEVELS = 200  # that are asked for in one column
MOST_CODES = 100 * MOST_LEVELS  # of all forced splits together


class ForcedSplits(NamedTuple):
    """Splits by number, parents before children.

    Attributes
    ----------
    columns : ndarray of int64, shape (m,)
    thresholds : ndarray of float32, shape (m,)
        NaN at a question about categories, and where the column alone is named.
    begins, codes : ndarray of int64, shapes (m + 1,) and (total,)
        The codes that answer "yes" at split i are `codes[begins[i]:begins[i + 1]]`, ascending; none where
        the column alone is named.
    children : ndarray of int64, shape (m, 2)
        The splits of the yes and of the no side; −1 where there is none.
    """

    columns: NDArray[np.int64]
    thresholds: NDArray[np.float32]
    begins: NDArray[np.int64]
    codes: NDArray[np.int64]
    children: NDArray[np.int64]

    @property
    def is_sought(self) -> NDArray[np.bool_]:
        """Which of them name a column alone, whose best cut is sought, shape (m,)."""
        return np.isnan(self.thresholds) & (np.diff(self.begins) == 0)

    def codes_of(self, split: int) -> NDArray[np.int64]:
        """Return the codes that answer "yes"."""
        return self.codes[self.begins[split] : self.begins[split + 1]]

    def values(self) -> dict[int, NDArray[np.float32]]:
        """Return the thresholds, or the codes, that are asked about in each column."""
        found: dict[int, list[NDArray[np.float32]]] = {}
        for split in np.flatnonzero(~self.is_sought).tolist():
            column, codes = int(self.columns[split]), self.codes_of(split).astype(np.float32)
            found.setdefault(column, []).append(codes if len(codes) else self.thresholds[split : split + 1])
        return {column: np.unique(np.concatenate(parts)) for column, parts in found.items()}


class ForcedPlaces(NamedTuple):
    """The same splits as a search method has it: by the places of values in their columns.

    Attributes
    ----------
    last : ndarray of int64, shape (m,)
        The last place below the threshold, −1 where there is none.
    yes : ndarray of uint64, shape (m, words)
        A bit for each place that answers "yes".
    is_sought : ndarray of bool, shape (m,)
        Which name a column alone; they have no places.
    """

    last: NDArray[np.int64]
    yes: NDArray[np.uint64]
    is_sought: NDArray[np.bool_]


NO_SPLITS = ForcedSplits(
    np.empty(0, np.int64), np.empty(0, np.float32), np.zeros(1, np.int64), np.empty(0, np.int64),
    np.empty((0, 2), np.int64),
)


def places_of(
    forced: ForcedSplits, values: Mapping[int, NDArray[np.float32]], n_words: int
) -> ForcedPlaces:
    """Return where the values of each column that answer "yes" stand.

    Parameters
    ----------
    values : mapping of int to ndarray of float32
        By column, for numbers the upper end of each place, ascending; for categories the code of each.
    """
    m = len(forced.columns)
    last = np.full(m, -1, np.int64)
    yes = np.zeros((m, 64 * n_words), np.uint8)
    for split in np.flatnonzero(~forced.is_sought).tolist():
        codes, own = forced.codes_of(split), values[int(forced.columns[split])]
        if len(codes):
            yes[split, : len(own)] = np.isin(own, codes)
        else:
            last[split] = np.count_nonzero(own <= forced.thresholds[split]) - 1
            yes[split, : last[split] + 1] = 1
    bits = np.packbits(yes, axis=1, bitorder="little").view(np.uint64)
    return ForcedPlaces(last, bits, forced.is_sought)


@kernel
def is_member(yes, place):
    """Whether the bit of a place is set."""
    return yes[place // 64] >> np.uint64(place % 64) & np.uint64(1) != np.uint64(0)


@kernel
def sum_up_to(histogram, last):
    """Return the packed sum of the bins up to the last one that answers "yes"; 0 where `last` is −1."""
    left = np.int64(0)
    for b in range(last + 1):
        left += histogram[b]
    return left


@kernel
def sum_members(histogram, n_bins, yes):
    """Return the packed sum of the bins that answer "yes"."""
    left = np.int64(0)
    for b in range(n_bins):
        if is_member(yes, b):
            left += histogram[b]
    return left


@kernel
def parts_rows(left, total):
    """Whether both sides of a split get rows that count."""
    return left != 0 and left != total
