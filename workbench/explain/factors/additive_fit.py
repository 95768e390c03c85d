"""Tables fitted to the raw predictions of rows, from what every leaf says by itself."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.errors import leave_if
from workbench.explain.factors.leaf_ways import LeafWay, leaf_ways

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.explain.factors.cells import FactorCells

RIDGE = 100.0  # rows, on average, in each cell that say it is as it began
SWEEPS, ENOUGH = 60, 1e-5
MOST_CELLS = 4_000_000  # of leaves that are taken together


class FactorRows(NamedTuple):
    """The rows whose weights the tables are read under.

    Attributes
    ----------
    features : ndarray of float32, shape (n, d)
    raw : ndarray of float64, shape (K, n)
        Raw predictions, without offsets.
    weight : ndarray of float64, shape (n,)
    gradients, hessians : ndarray of float64, shape (K, n), or None
        At the raw predictions, where the answers are known.
    """

    features: NDArray[np.float32]
    raw: NDArray[np.float64]
    weight: NDArray[np.float64]
    gradients: NDArray[np.float64] | None = None
    hessians: NDArray[np.float64] | None = None


def asked_amounts(ensemble: Ensemble, pairs: Sequence[tuple[int, ...]]) -> dict[tuple[int, ...], float]:
    """Return how much leaves add whose ways ask both columns of a pair: Σ rows · value²."""
    found = dict.fromkeys(pairs, 0.0)
    for tree, weight in zip(ensemble.trees, ensemble.tree_weights.tolist(), strict=True):
        nodes = tree.nodes
        feature, left = nodes["feature"].tolist(), nodes["left"].tolist()
        size, value = np.maximum(nodes["count"], 1).tolist(), nodes["leaf_value"].tolist()
        waiting = [(0, frozenset[int]())]
        while waiting:
            node, above = waiting.pop()
            if feature[node] >= 0:
                here = above | {feature[node]}
                waiting += [(left[node], here), (left[node] + 1, here)]
                continue
            amount = size[node] * (weight * value[node]) ** 2
            for pair in combinations(sorted(above), 2):
                if pair in found:
                    found[pair] += amount
    return found


class AdditiveFit:
    """Constant, effects and pairs fitted to raw predictions by backfitting, one table after another."""

    def __init__(
        self, rows: FactorRows, used: NDArray[np.bool_], cells: Mapping[int, FactorCells],
        pair_cells: Mapping[tuple[int, ...], tuple[FactorCells, FactorCells]],
        cancelled: Callable[[], bool] | None = None,
    ) -> None:  # fmt: skip
        features, self._weight = rows.features[used], rows.weight[used]
        self._features, self._cells = features, cells
        if not self._weight.any():
            self._weight = np.ones(len(self._weight))
        self._raw = rows.raw[:, used]
        self.pair_cells = dict(pair_cells)
        n_outputs = len(self._raw)
        self.constant = np.average(self._raw, axis=1, weights=self._weight)
        self.mains = {c: np.zeros((n_outputs, len(own))) for c, own in cells.items()}
        self.pairs = {
            pair: np.zeros((n_outputs, len(one), len(two))) for pair, (one, two) in pair_cells.items()
        }
        self._places = []
        for column, own in cells.items():
            leave_if(cancelled)
            self._places.append(own.of(features[:, column]))
        for one, two in pair_cells.values():
            leave_if(cancelled)
            a, b = (each.of(features[:, each.column]) for each in (one, two))
            self._places.append(a * len(two) + b)
        self._tables = [
            *(table.reshape(n_outputs, -1) for table in self.mains.values()),
            *(table.reshape(n_outputs, -1) for table in self.pairs.values()),
        ]

    def begin(
        self, ensemble: Ensemble, fine: Mapping[int, FactorCells], cancelled: Callable[[], bool] | None
    ) -> None:
        """Take of every leaf what columns and pairs say if columns are independent."""
        share = {
            c: np.bincount(own.of(self._features[:, c]), self._weight, len(own)) / self._weight.sum()
            for c, own in fine.items()
        }
        coarse = {own.column: own for two in self.pair_cells.values() for own in two}
        into, of_pairs = (
            {c: _Pooled(own.within(fine[c]), share[c]) for c, own in cells.items()}
            for cells in (self._cells, coarse)
        )
        self.constant = ensemble.base_margin.astype(np.float64)
        for ways in _gathered(leaf_ways(ensemble, fine, cancelled)):
            leave_if(cancelled)
            self._take(ways, share, into, of_pairs)

    def _take(
        self, ways: list[LeafWay], share: Mapping[int, NDArray[np.float64]], into: Mapping[int, _Pooled],
        of_pairs: Mapping[int, _Pooled],
    ) -> None:  # fmt: skip
        """Take what these leaves say."""
        output, amount = np.array([way.k for way in ways]), np.array([way.value for way in ways])
        asking: dict[int, list[int]] = {}
        for place, way in enumerate(ways):
            for column in way.passing:
                asking.setdefault(column, []).append(place)
        passing = {c: np.array([ways[place].passing[c] for place in places], float)
                   for c, places in sorted(asking.items())}
        passed = {c: np.einsum("lc,c->l", masks, share[c]) for c, masks in passing.items()}
        for column, whole in passed.items():
            amount[asking[column]] *= whole
        np.add.at(self.constant, output, amount)
        excess = {}
        for column, masks in passing.items():
            counts = amount[asking[column]] != 0
            places, masks, whole = np.array(asking[column])[counts], masks[counts], passed[column][counts]
            said = amount[places][:, None] * into[column].excess(masks, whole)
            np.add.at(self.mains[column], output[places], said)
            if column in of_pairs:
                found = of_pairs[column].excess(masks, whole)
                excess[column] = np.zeros((len(ways), found.shape[1]))
                excess[column][places] = found
        for (one, two), table in self.pairs.items():
            if one in excess and two in excess:
                both = np.intersect1d(asking[one], asking[two], assume_unique=True)
                for k in np.unique(output[both]).tolist():
                    own = both[output[both] == k]
                    said = amount[own][:, None] * excess[one][own]
                    table[k] += np.einsum("li,lj->ij", said, excess[two][own])

    def fit(self, cancelled: Callable[[], bool] | None) -> None:
        """Go round until nothing moves."""
        begun = [table.copy() for table in self._tables]
        left = self._raw - self.constant[:, None]
        for places, table in zip(self._places, self._tables, strict=True):
            left -= table[:, places]
        weight, ridge = self._weight, RIDGE * float(self._weight.mean())
        whole = float(((self._raw - self.constant[:, None]) ** 2 * weight).sum())
        before = np.inf
        for _ in range(SWEEPS):
            for places, table, own in zip(self._places, self._tables, begun, strict=True):
                leave_if(cancelled)
                mass = np.bincount(places, weight, table.shape[1])
                for k in range(len(left)):
                    rest = left[k] + table[k][places]
                    sums = np.bincount(places, rest * weight, table.shape[1])
                    table[k] = (sums + ridge * own[k]) / (mass + ridge)
                    left[k] = rest - table[k][places]
            now = float((left**2 * weight).sum())
            if before - now <= ENOUGH * whole:
                return
            before = now


class _Pooled:
    """Cells of a column put together from finer ones."""

    def __init__(self, into: NDArray[np.int64], share: NDArray[np.float64]) -> None:
        self._into, self._n = into, int(into.max(initial=0)) + 1
        mass = np.bincount(into, share, self._n)
        even = np.bincount(into, minlength=self._n)
        self._part = np.where(mass[into] > 0, share, 1.0) / np.where(mass > 0, mass, even)[into]
        self._order = np.argsort(into, kind="stable")
        self._filled, self._starts = np.unique(into[self._order], return_index=True)

    def excess(self, passing: NDArray[np.float64], passed: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return by how much more of each cell passes than of all rows, as a share of those; a row a leaf."""
        found = np.zeros((len(passing), self._n))
        found[:, self._filled] = np.add.reduceat((passing * self._part)[:, self._order], self._starts, axis=1)
        return found / passed[:, None] - 1.0


def _gathered(ways: Iterator[LeafWay]) -> Iterator[list[LeafWay]]:
    """Yield the leaves in lists, none with very many cells."""
    some: list[LeafWay] = []
    cells = 0
    for way in ways:
        some.append(way)
        cells += sum(map(len, way.passing.values()))
        if cells > MOST_CELLS:
            yield some
            some, cells = [], 0
    if some:
        yield some
