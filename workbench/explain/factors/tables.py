"""The exact tables of a model that asks at most two columns on any way, and the nearest ones of any other.

Exact: every leaf adds its value to the table of the columns that its way asks. Then effects of single columns
are taken out of the tables of pairs, and means out of those, both under the weights of the rows, so that each
says what the ones below it cannot. The sum stays what the model says, of any row.

Nearest: over some of the model's thresholds. They begin as each leaf's own part of that order, as if columns
were independent (the product of what passes, expanded about its mean and cut off behind the pairs), and are
then fitted to the raw predictions of the rows. What is left out is measured on rows without part in the fit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import WorkbenchError, leave_if
from workbench.explain.factors.additive_fit import AdditiveFit, FactorRows, asked_amounts
from workbench.explain.factors.cells import cells_of_column
from workbench.explain.factors.leaf_ways import asked_together, leaf_ways
from workbench.explain.factors.purify import purified
from workbench.number_text import count

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.explain.factors.cells import FactorCells

EXACT_ORDER = 2
MOST_NUMBERS = 30_000_000  # of all tables
MOST_CELLS, MOST_CELLS_OF_PAIR, MOST_PAIRS = 64, 16, 40  # of the nearest tables
MOST_FITTED = 200_000  # rows
KEPT_APART = 4  # of so many rows one is, to measure on
LEAST_APART = 400  # rows, below which none is


@dataclass(frozen=True, eq=False)
class EffectTable:
    """What one column adds, or two columns together.

    Attributes
    ----------
    cells : tuple of FactorCells
        One or two.
    values : ndarray of float64, shape (K, n) or (K, n, m)
        Of the raw prediction.
    rows : ndarray of int64, shape (n,) or (n, m)
    exposure : ndarray of float64, shape (n,) or (n, m)
        Sum of the weights of the rows.
    gradients, hessians : ndarray of float64, like `values`, or None
        G and H.
    """

    cells: tuple[FactorCells, ...]
    values: NDArray[np.float64]
    rows: NDArray[np.int64]
    exposure: NDArray[np.float64]
    gradients: NDArray[np.float64] | None = None
    hessians: NDArray[np.float64] | None = None

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns, of the matrix."""
        return tuple(cells.column for cells in self.cells)

    @cached_property
    def spread(self) -> NDArray[np.float64]:
        """Standard deviation over the rows, shape (K,): how much the table matters."""
        total = max(float(self.exposure.sum()), 1e-300)
        values, weight = self.values.reshape(len(self.values), -1), self.exposure.ravel()
        mean = (values @ weight)[:, None] / total
        found: NDArray[np.float64] = np.sqrt((values - mean) ** 2 @ weight / total)
        return found

    def of(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return what it adds to rows, shape (K, n)."""
        places = np.zeros(len(features), np.int64)
        for cells in self.cells:
            places = places * len(cells) + cells.of(features[:, cells.column])
        return self.values.reshape(len(self.values), -1)[:, places]


@dataclass(frozen=True, eq=False)
class AdditiveTables:
    """A model as a constant, effects of columns, and of pairs; the largest first.

    Attributes
    ----------
    constant : ndarray of float64, shape (K,)
    mains, pairs : tuple of EffectTable
    is_exact : bool
        Whether they add up to the model's raw prediction of every row, offsets aside.
    left_out : ndarray of float64, shape (K,)
        Share of the variance of the raw predictions that they leave out; 0 of exact ones.
    measured_apart : bool
        Whether that was measured on rows that were not fitted to.
    order : int
        Most columns that are asked on the way to one leaf.
    rows, of_rows : int
        Rows under whose weights the tables are read, of so many.
    pairs_left_out : int
        Pairs that are asked together and have no table.
    fitted : int
        Rows that the nearest ones were fitted to or measured on, of those that weigh them; 0 is all.
    """

    constant: NDArray[np.float64]
    mains: tuple[EffectTable, ...]
    pairs: tuple[EffectTable, ...]
    is_exact: bool
    left_out: NDArray[np.float64]
    measured_apart: bool
    order: int
    rows: int
    of_rows: int
    pairs_left_out: int = 0
    fitted: int = 0

    @property
    def tables(self) -> tuple[EffectTable, ...]:
        """All of them."""
        return (*self.mains, *self.pairs)

    def raw(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the raw predictions of rows by the tables, shape (K, n)."""
        raw = np.repeat(self.constant[:, None], len(features), axis=1)
        for table in self.tables:
            raw += table.of(features)
        return raw


def additive_tables(
    ensemble: Ensemble,
    n_categories: Sequence[int],
    rows: FactorRows,
    cancelled: Callable[[], bool] | None = None,
) -> AdditiveTables:
    """Return the tables of a model; serial, from any thread.

    Parameters
    ----------
    n_categories : sequence of int
        Of each column; 0 of numbers.
    rows : FactorRows

    Raises
    ------
    Cancelled
    WorkbenchError
        A linear model has a formula; there are no rows, or none has a weight; the tables would be too large.
    """
    if ensemble.is_linear:
        raise WorkbenchError(
            "A linear model is its own table: the weight of each column. Look at its coefficients."
        )
    if not len(rows.features):
        raise WorkbenchError("Factor tables need rows to weigh their cells with. Give some.")
    if not rows.weight.any():
        raise WorkbenchError("Every one of these rows has weight 0, so no level has an exposure.")
    sets = asked_together(ensemble)
    order = max(map(len, sets), default=0)
    cells = {
        column: cells_of_column(ensemble, column, n_categories[column])
        for column in sorted(frozenset().union(*sets))
    }
    if order <= EXACT_ORDER:
        return _exact(ensemble, cells, sets, rows, order, cancelled)
    return _nearest(ensemble, cells, sets, rows, order, cancelled)


# --- exact ------------------------------------------------------------------------------------


def _exact(
    ensemble: Ensemble, cells: Mapping[int, FactorCells], sets: set[frozenset[int]], rows: FactorRows,
    order: int, cancelled: Callable[[], bool] | None,
) -> AdditiveTables:  # fmt: skip
    n_outputs = ensemble.n_classes
    pairs = sorted(tuple(sorted(pair)) for pair in sets if len(pair) == EXACT_ORDER)
    numbers = n_outputs * sum(len(cells[a]) * len(cells[b]) for a, b in pairs)
    if numbers > MOST_NUMBERS:
        raise WorkbenchError(
            f"The tables would hold {count(numbers)} numbers, more than {count(MOST_NUMBERS)}. "
            "Take fewer rounds, or train with fewer bins."
        )
    constant = ensemble.base_margin.astype(np.float64)
    mains = {c: np.zeros((n_outputs, len(own))) for c, own in cells.items()}
    tables = {pair: np.zeros((n_outputs, *(len(cells[c]) for c in pair))) for pair in pairs}
    for leaf in leaf_ways(ensemble, cells, cancelled):
        columns = tuple(leaf.passing)
        if not columns:
            constant[leaf.k] += leaf.value
        elif len(columns) == 1:
            mains[columns[0]][leaf.k] += leaf.value * leaf.passing[columns[0]]
        else:
            one, two = (leaf.passing[c] for c in columns)
            tables[columns[0], columns[1]][leaf.k][np.ix_(one, two)] += leaf.value
    whole = AdditiveTables(
        constant, (), (), True, np.zeros(n_outputs), False, order, len(rows.features), len(rows.features)
    )
    pair_cells = {pair: (cells[pair[0]], cells[pair[1]]) for pair in pairs}
    return _finished(whole, cells, mains, pair_cells, tables, rows, cancelled)


# --- nearest ----------------------------------------------------------------------------------


def _nearest(
    ensemble: Ensemble, cells: Mapping[int, FactorCells], sets: set[frozenset[int]], rows: FactorRows,
    order: int, cancelled: Callable[[], bool] | None,
) -> AdditiveTables:  # fmt: skip
    every, n = rows, len(rows.features)
    if n > MOST_FITTED:
        rows, n = _some(rows, MOST_FITTED), MOST_FITTED
    cells = _coarser(cells, rows, MOST_CELLS, cancelled)
    coarse = _coarser(cells, rows, MOST_CELLS_OF_PAIR, cancelled)
    asked = {pair for together in sets for pair in combinations(sorted(together), 2)}
    possible = [p for p in asked if len(coarse[p[0]]) * len(coarse[p[1]]) <= MOST_FITTED]
    strength = asked_amounts(ensemble, possible)
    pairs = sorted(sorted(possible, key=lambda pair: -strength[pair])[:MOST_PAIRS])
    apart = np.zeros(n, np.bool_)
    if n >= LEAST_APART:
        apart[KEPT_APART - 1 :: KEPT_APART] = True
    whole = AdditiveTables(
        np.empty(0), (), (), False, np.empty(0), bool(apart.any()), order, len(every.features),
        len(every.features), len(asked) - len(pairs), n if every is not rows else 0,
    )
    fine = {c: cells_of_column(ensemble, c, own.n_categories) for c, own in cells.items()}
    fitted = AdditiveFit(
        rows, ~apart, cells, {p: (coarse[p[0]], coarse[p[1]]) for p in pairs}, cancelled
    )
    fitted.begin(ensemble, fine, cancelled)
    fitted.fit(cancelled)
    whole = replace(whole, constant=fitted.constant)
    found = _finished(whole, cells, fitted.mains, fitted.pair_cells, fitted.pairs, every, cancelled)
    measured = apart if apart.any() else np.ones(n, np.bool_)
    return replace(found, left_out=_left_out(found, rows, measured))


def _coarser(
    cells: Mapping[int, FactorCells], rows: FactorRows, most: int, cancelled: Callable[[], bool] | None
) -> dict[int, FactorCells]:
    found = {}
    for column, own in cells.items():
        leave_if(cancelled)
        found[column] = own.coarser(rows.features[:, column], most)
    return found


def _some(rows: FactorRows, most: int) -> FactorRows:
    kept = (np.arange(most) * (len(rows.features) / most)).astype(np.int64)
    return FactorRows(
        rows.features[kept], rows.raw[:, kept], rows.weight[kept],
        None if rows.gradients is None else rows.gradients[:, kept],
        None if rows.hessians is None else rows.hessians[:, kept],
    )


def _left_out(
    tables: AdditiveTables, rows: FactorRows, measured: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return the share of the variance of raw predictions that tables do not have, shape (K,)."""
    raw, weight = rows.raw[:, measured], rows.weight[measured]
    if not weight.any():
        weight = np.ones(len(weight))
    missed = (raw - tables.raw(rows.features[measured])) ** 2 @ weight
    whole = (raw - np.average(raw, axis=1, weights=weight)[:, None]) ** 2 @ weight
    return np.divide(missed, whole, out=np.zeros_like(missed), where=whole > 0)


# --- both -------------------------------------------------------------------------------------


def _finished(
    whole: AdditiveTables,
    cells: Mapping[int, FactorCells],
    mains: dict[int, NDArray[np.float64]],
    pair_cells: Mapping[tuple[int, ...], tuple[FactorCells, FactorCells]],
    tables: dict[tuple[int, ...], NDArray[np.float64]],
    rows: FactorRows,
    cancelled: Callable[[], bool] | None,
) -> AdditiveTables:
    """Purify the tables, lower the effects to a mean of 0, and count the rows of each cell."""
    constant, pairs = whole.constant.copy(), []
    for pair, values in tables.items():
        leave_if(cancelled)
        known = _counted(pair_cells[pair], values, rows)
        lines, across = purified(values, known.exposure)
        for own, effect in zip(pair_cells[pair], (lines, across), strict=True):
            mains[own.column] += effect[:, own.within(cells[own.column])]
        pairs.append(replace(known, values=values - lines[:, :, None] - across[:, None, :]))
    found = []
    for column, values in mains.items():
        leave_if(cancelled)
        known = _counted((cells[column],), values, rows)
        mean = (values * known.exposure).sum(axis=1) / known.exposure.sum()
        constant += mean
        found.append(replace(known, values=values - mean[:, None]))
    return replace(whole, constant=constant, mains=_by_spread(found), pairs=_by_spread(pairs))


def _counted(
    cells: tuple[FactorCells, ...], values: NDArray[np.float64], rows: FactorRows
) -> EffectTable:
    """Return a table with rows, exposure, G and H of its cells."""
    shape = values.shape[1:]
    size, places = int(np.prod(shape)), np.zeros(len(rows.features), np.int64)
    for own in cells:
        places = places * len(own) + own.of(rows.features[:, own.column])

    def sums(field: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
        if field is None:
            return None
        added = np.array([np.bincount(places, line, size) for line in field], np.float64)
        return added.reshape(values.shape)

    count_of = np.bincount(places, minlength=size).astype(np.int64)
    exposure = np.bincount(places, rows.weight, size).astype(np.float64)
    return EffectTable(
        cells, values, np.reshape(count_of, shape), np.reshape(exposure, shape), sums(rows.gradients),
        sums(rows.hessians),
    )


def _by_spread(tables: Sequence[EffectTable]) -> tuple[EffectTable, ...]:
    return tuple(sorted(tables, key=lambda table: -float(table.spread.max(initial=0.0))))
