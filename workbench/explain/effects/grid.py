"""Where a column is put to see what a model says: its cells, and how many rows of the data lie in each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.explain.plane.cells import thresholds_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble

MOST_PLACES = 96  # of one column
MOST_OF_TWO = 32  # of each of two
DENSITY_BINS, LEAST_BINS, BINS_A_ROOT = 48, 8, 2  # of the density, where there are few rows in so many roots
SORTED_ROWS = 100_000  # rows that quantiles are taken of
FAR = 4.0  # ends of the data are left out where they are so many times as far as nearly all of it
NEARLY_ALL = (0.005, 0.995)


@dataclass(frozen=True, eq=False)
class ColumnGrid:
    """The places of one column: cells of numbers from left to right, or categories; then, maybe, missing.

    Attributes
    ----------
    column : int
    is_category : bool
    places : ndarray of float32, shape (n,)
        A value of each cell; codes of categories; NaN is missing, and the last.
    edges : ndarray of float64, shape (number of cells + 1,)
        Of the cells of numbers; none of categories.
    rows : ndarray of int64, shape (n,)
        Rows of the data at each place.
    density : ndarray of int64
        Rows in equally wide bins from the first edge to the last; none of categories.
    is_exact : bool
        Whether the prediction is the same all over each cell.
    beyond : int
        Rows at no place: beyond the first or last edge, or of a rarer category.
    """

    column: int
    is_category: bool
    places: NDArray[np.float32]
    edges: NDArray[np.float64]
    rows: NDArray[np.int64]
    density: NDArray[np.int64]
    is_exact: bool
    beyond: int

    def __len__(self) -> int:
        return len(self.places)

    @property
    def has_missing(self) -> bool:
        """Whether the last place is that of missing values."""
        return bool(len(self.places)) and bool(np.isnan(self.places[-1]))

    @property
    def n_cells(self) -> int:
        """Places that are cells of numbers or categories."""
        return len(self.places) - self.has_missing

    def cell_of(self, values: NDArray[np.float32]) -> NDArray[np.int64]:
        """Return the place of each value of the data; −1 of what lies at none."""
        missing = np.isnan(values)
        known = np.where(missing, np.float32(0), values)
        if self.is_category:
            codes = self.places[: self.n_cells]
            at = np.searchsorted(codes, known)
            found = np.where(codes[np.minimum(at, len(codes) - 1)] == known, at, -1) if len(codes) else (
                np.full(len(values), -1))
        elif len(self.edges) < 2:
            found = np.where(known == (self.places[0] if self.n_cells else np.nan), 0, -1)
        else:
            found = np.searchsorted(self.edges[: self.n_cells], known, side="right") - 1
            found[known > self.edges[-1]] = -1
        found[missing] = len(self.places) - 1 if self.has_missing else -1
        return found.astype(np.int64)

    @property
    def is_constant(self) -> bool:
        """Whether there is one place at most: the data has no more values, or no tree parts them."""
        return len(self.places) < 2


def given_grid(column: int, places: NDArray[np.float32], *, is_category: bool = False) -> ColumnGrid:
    """Return a grid of given places of which nothing else is known."""
    single = np.asarray(places, np.float32)
    return ColumnGrid(
        column, is_category, single, np.empty(0), np.zeros(len(single), np.int64), np.empty(0, np.int64),
        False, 0,
    )


def grid_of(
    ensemble: Ensemble | None, column: int, values: NDArray[np.float32], *, is_category: bool,
    most: int = MOST_PLACES,
) -> ColumnGrid:  # fmt: skip
    """Return where to put a column.

    Numbers: between the thresholds of the trees, or, where these are too many, at quantiles of the data and
    evenly. Categories: those with the most rows.

    Parameters
    ----------
    ensemble : Ensemble or None
        None where no thresholds are known.
    values : ndarray of float32, shape (n,)
        The column in the data.
    """
    missing = np.isnan(values)
    n_missing = int(missing.sum())
    known = values[~missing] if n_missing else values
    if not len(known):
        return _grid(column, is_category, np.empty(0, np.float32), np.empty(0), known, n_missing, True)
    if is_category:
        counts = np.bincount(known.astype(np.int64))
        kept = np.sort(np.argsort(-counts, kind="stable")[: min(most, int((counts > 0).sum()))])
        return _grid(column, True, kept.astype(np.float32), np.empty(0), known, n_missing, True)
    low, high = limits_of(known)
    inner = np.empty(0) if ensemble is None else thresholds_of(ensemble.trees, column)
    inner = inner[(inner > low) & (inner <= high)]
    is_exact = ensemble is not None and not ensemble.is_linear and len(inner) < most
    if not is_exact:
        inner = _spread(known, low, high, most)
    edges = np.array([low]) if low == high else np.unique([low, *inner, high])
    places = edges[: max(len(edges) - 1, 1)].astype(np.float32)
    if is_exact and len(inner) and inner[-1] == high:
        places = np.append(places, np.float32(high))  # the cell that begins where the data ends
        edges = np.append(edges, high)
    if not is_exact and len(edges) > 1:
        places = ((edges[:-1] + edges[1:]) / 2).astype(np.float32)
    return _grid(column, False, places, edges, known, n_missing, is_exact)


def limits_of(known: NDArray[np.float32]) -> tuple[float, float]:
    """Return from where to where numbers are looked at: all of them, without ends that are far away."""
    low, high = float(known.min()), float(known.max())
    start, end = (float(q) for q in np.quantile(_some(known), NEARLY_ALL))
    if end > start and high - low > FAR * (end - start):
        return start, end
    return low, high


def _some(known: NDArray[np.float32]) -> NDArray[np.float32]:
    return known[:: max(len(known) // SORTED_ROWS, 1)]


def _spread(known: NDArray[np.float32], low: float, high: float, most: int) -> NDArray[np.float64]:
    """Return inner edges: half of them at quantiles of the data, half of them even."""
    half = max((most - 1) // 2, 1)
    quantiles = np.quantile(_some(known), np.linspace(0, 1, half + 2)[1:-1]).astype(np.float64)
    inner = np.unique([*quantiles, *np.linspace(low, high, most - half + 1)[1:-1]])
    return inner[(inner > low) & (inner < high)]


def _grid(
    column: int, is_category: bool, places: NDArray[np.float32], edges: NDArray[np.float64],
    known: NDArray[np.float32], n_missing: int, is_exact: bool,
) -> ColumnGrid:  # fmt: skip
    density = np.empty(0, np.int64)
    if len(edges) > 1:
        low, high = float(edges[0]), float(edges[-1])
        density = np.histogram(known, _bins(known, high - low), (low, high))[0].astype(np.int64)
    bare = ColumnGrid(column, is_category, places, edges, np.empty(0, np.int64), density, is_exact, 0)
    at = bare.cell_of(known)
    rows = np.bincount(at[at >= 0], minlength=len(places)).astype(np.int64)
    if n_missing:
        places, rows = np.append(places, np.float32(np.nan)), np.append(rows, n_missing)
    return replace(bare, places=places, rows=rows, beyond=int((at < 0).sum()))


def _bins(known: NDArray[np.float32], wide: float) -> int:
    """Return how many bins tell where rows are: fewer of few; of whole numbers none lies between two."""
    bins = int(np.clip(BINS_A_ROOT * np.sqrt(len(known)), LEAST_BINS, DENSITY_BINS))
    some = _some(known)
    if (some == np.floor(some)).all():
        bins = max(int(wide // np.ceil(wide / bins)), 1)
    return bins
