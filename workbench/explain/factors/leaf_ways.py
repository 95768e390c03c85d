"""The leaves of trees as products: which cells of each asked column come to a leaf, and what it adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.ensembles.flat_trees import COLUMN, LEFT, flatten
from workbench.errors import leave_if
from workbench.explain.effects.lines import answers_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.explain.factors.cells import FactorCells


class LeafWay(NamedTuple):
    """A leaf, and which cells come to it.

    Attributes
    ----------
    k : int
        The raw prediction that it adds to.
    value : float
    passing : dict of int to ndarray of bool
        By column that is asked on the way, ascending: the cells that pass all its questions.
    """

    k: int
    value: float
    passing: dict[int, NDArray[np.bool_]]


def asked_together(ensemble: Ensemble) -> set[frozenset[int]]:
    """Return the sets of columns that are asked on the way to a leaf."""
    found: set[frozenset[int]] = set()
    for tree in ensemble.trees:
        feature, left = tree.nodes["feature"].tolist(), tree.nodes["left"].tolist()
        waiting = [(0, frozenset[int]())]
        while waiting:
            node, above = waiting.pop()
            if feature[node] < 0:
                found.add(above)
            else:
                here = above | {feature[node]}
                waiting += [(left[node], here), (left[node] + 1, here)]
    return found


def order_of(ensemble: Ensemble) -> int:
    """Return the most columns that are asked on the way to one leaf."""
    return 1 if ensemble.is_linear else max(map(len, asked_together(ensemble)), default=0)


def leaf_ways(
    ensemble: Ensemble, cells: Mapping[int, FactorCells], cancelled: Callable[[], bool] | None = None
) -> Iterator[LeafWay]:
    """Yield every leaf into which some cells fall, tree by tree."""
    flat = flatten(ensemble.trees, ensemble.tree_weights, np.float64)
    answers = {column: answers_of(flat, column, own.places) for column, own in cells.items()}
    columns, left = flat.questions[:, COLUMN].tolist(), flat.questions[:, LEFT].tolist()
    for tree, root in enumerate(flat.roots[:-1].tolist()):
        leave_if(cancelled)
        k = int(flat.classes[tree])
        waiting: list[tuple[int, dict[int, NDArray[np.bool_]]]] = [(root, {})]
        while waiting:
            node, passing = waiting.pop()
            column = columns[node]
            if column < 0:
                yield LeafWay(k, float(flat.values[node]), dict(sorted(passing.items())))
                continue
            yes = answers[column].yes[answers[column].of_node[node]] > 0
            above = passing.get(column)
            for child, own in ((left[node], yes), (left[node] + 1, ~yes)):
                both = own if above is None else own & above
                if both.any():
                    waiting.append((child, passing | {column: both}))
