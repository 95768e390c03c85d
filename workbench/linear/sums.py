"""Sums over the rows and columns of a linear model; none depends on the number of threads.

Rows are walked as they lie in memory, each spread out over its columns, and a last one that is 1 for the
intercept. Sums over rows are taken in chunks whose number follows from that of the columns alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.threads.parallel import part_begin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.linear.columns import ColumnArrays
    from workbench.threads.team import Team

ROWS_AT_ONCE = 32
MOST_CHUNKS, MOST_CELLS = 16, 4_000_000
CELLS_A_ROW = 16  # columns whose sums take as long as what `Team.share` takes for a row


@kernel
def cell_of(rows, i, j):
    """Return feature j of row i."""
    return rows.numbers[rows.row_stride * i + rows.column_stride * j]


@kernel
def is_level(x, n_levels):
    """Whether x is the code of a category."""
    return not np.isnan(x) and x >= 0 and x < n_levels


@kernel
def spread(rows, i, columns, z):
    """Write row i over its columns, shape (P + 1,), the last of which is 1."""
    for j in range(len(columns.is_category)):
        begin, end = columns.begins[j], columns.begins[j + 1]
        x = cell_of(rows, i, j)
        if columns.is_category[j]:
            for c in range(begin, end):
                z[c] = -columns.centres[c] / columns.scales[c]
            if is_level(x, end - begin):
                z[begin + np.int64(x)] += 1.0 / columns.scales[begin + np.int64(x)]
        else:
            z[begin] = 0.0 if np.isnan(x) else (x - columns.centres[begin]) / columns.scales[begin]
    z[len(z) - 1] = 1.0


@kernel(allocates=True)
def add_moments(part, parts, rows, places, columns, slopes, curvatures, gradients, grams):
    """Fill Σ s z and, where they are wanted, Σ h z zᵀ of each chunk of rows, these above their diagonal.

    Parameters
    ----------
    rows : RowsInMemory
    places : ndarray of int64, shape (n,)
        The rows that count.
    columns : ColumnArrays
    slopes, curvatures : ndarray of float64, shape (n,)
        s and h.
    gradients : ndarray of float64, shape (C, P + 1)
    grams : ndarray of float64, shape (C, P + 1, P + 1), or (0, …)
    """
    chunks, width = gradients.shape
    z = np.empty((ROWS_AT_ONCE, width))
    for chunk in range(part_begin(part, parts, chunks), part_begin(part + 1, parts, chunks)):
        end = part_begin(chunk + 1, chunks, len(places))
        for first in range(part_begin(chunk, chunks, len(places)), end, ROWS_AT_ONCE):
            n = min(ROWS_AT_ONCE, end - first)
            for r in range(n):
                spread(rows, places[first + r], columns, z[r])
                for a in range(width):
                    gradients[chunk, a] += slopes[first + r] * z[r, a]
            for a in range(width if len(grams) else 0):
                for r in range(n):
                    share = curvatures[first + r] * z[r, a]
                    if share != 0.0:
                        for b in range(a, width):
                            grams[chunk, a, b] += share * z[r, b]


@kernel
def add_weighed(part, parts, rows, columns, weights, shifts, raw):
    """Add what the columns weigh to one part of the raw predictions.

    Parameters
    ----------
    rows : RowsInMemory
    columns : ColumnArrays
    weights : ndarray of float64, shape (K, P)
        Of the columns before they are divided by their scale.
    shifts : ndarray of float64, shape (K, d)
        What a category's mean takes from every row.
    raw : ndarray of float64, shape (K, n)
    """
    n_outputs, n_rows = raw.shape
    for i in range(part_begin(part, parts, n_rows), part_begin(part + 1, parts, n_rows)):
        for k in range(n_outputs):
            total = 0.0
            for j in range(len(columns.is_category)):
                begin = columns.begins[j]
                x = cell_of(rows, i, j)
                if columns.is_category[j]:
                    total += shifts[k, j]
                    if is_level(x, columns.begins[j + 1] - begin):
                        total += weights[k, begin + np.int64(x)]
                elif not np.isnan(x):
                    total += weights[k, begin] * (x - columns.centres[begin])
            raw[k, i] += total


def moments(
    team: Team,
    rows: Any,
    places: NDArray[np.int64],
    columns: ColumnArrays,
    slopes: NDArray[np.float64],
    curvatures: NDArray[np.float64] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return Σ s z and, of curvatures, Σ h z zᵀ over rows; see `add_moments`."""
    width = len(columns.centres) + 1
    chunks = int(np.clip(MOST_CELLS // width**2, 1, MOST_CHUNKS))
    gradients = np.zeros((chunks, width))
    grams = np.zeros((0 if curvatures is None else chunks, width, width))
    work = len(places) * (1 + (0 if curvatures is None else width // CELLS_A_ROW))
    curvatures = slopes if curvatures is None else curvatures
    team.share(add_moments, work, rows, places, columns, slopes, curvatures, gradients, grams)
    upper = grams.sum(axis=0)
    return gradients.sum(axis=0), upper + np.triu(upper, 1).T
