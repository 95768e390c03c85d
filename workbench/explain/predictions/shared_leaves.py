"""In which leaves some rows meet that lie far apart from the others, and how many of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.ensembles.prediction import leaf_indices
from workbench.errors import leave_if
from workbench.explain.node_figures import way_to

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.ensembles.events import RoundFinished

MOST_TOGETHER = 3  # leaves of a tree that are told of together
MOST_RANKED = 12
TREES_AT_ONCE = 16
MOST_ROWS = 20_000  # on each side; of more, some are drawn


class LeafShare(NamedTuple):
    """A leaf, and whom it holds.

    Attributes
    ----------
    round, place, node : int
        Where it is: the round from 1, the tree in the round, the node in the tree.
    rows : int
        Of the selected rows, those that end here.
    share, share_of_all : float
        Of the selected rows, and of all rows.
    path : tuple of str
        The answers that lead there.
    output : str
        What the tree predicts, of several outputs: a class or a quantile.
    """

    round: int
    place: int
    node: int
    rows: int
    share: float
    share_of_all: float
    path: tuple[str, ...] = ()
    output: str = ""

    @property
    def lift(self) -> float:
        """How many times as often the selected rows end here as all rows do."""
        return self.share / self.share_of_all if self.share_of_all else np.inf

    @property
    def worth(self) -> float:
        """Σ p ln(p / q): what the leaf adds to the divergence of the selected rows from all."""
        return self.share * float(np.log(self.lift)) if self.share else 0.0


@dataclass(frozen=True)
class SharedLeaves:
    """Leaves that hold more of some rows than of all.

    Attributes
    ----------
    rows : int
        So many were looked at.
    together : tuple of LeafShare
        Up to three of the tree that tells them apart best.
    ranked : tuple of LeafShare
        Of all trees, the most telling first; of leaves that hold the same of the rows the earliest.
    """

    rows: int
    together: tuple[LeafShare, ...] = ()
    ranked: tuple[LeafShare, ...] = ()

    @property
    def met(self) -> int:
        """Rows that end in the leaves told of together."""
        return sum(leaf.rows for leaf in self.together)


def shared_leaves(
    rounds: Sequence[RoundFinished], schema: DataSchema, features: NDArray[np.float32],
    chosen: NDArray[np.int64], among: NDArray[np.int64], cancelled: Callable[[], bool] | None = None,
    outputs: Sequence[str] = (),
) -> SharedLeaves:  # fmt: skip
    """Return the leaves that the chosen rows share.

    Parameters
    ----------
    rounds : sequence of RoundFinished
    features : ndarray of float32, shape (n, d)
    chosen, among : ndarray of int64
        Rows of the features: the selected ones, and all of which they are some.
    outputs : sequence of str
        What the trees of a round predict, where there are several outputs.
    """
    some = (_drawn(rows) for rows in (chosen, among))
    own, others = (np.asfortranarray(features[rows]) for rows in some)
    if not len(own) or not len(others):
        return SharedLeaves(len(own))
    trees = [(r + 1, place) for r, event in enumerate(rounds) for place in range(len(event.trees))]
    found: list[LeafShare] = []
    together: tuple[LeafShare, ...] = ()
    known: set[int] = set()
    for begin in range(0, len(trees), TREES_AT_ONCE):
        leave_if(cancelled)
        block = trees[begin : begin + TREES_AT_ONCE]
        grown = [rounds[number - 1].trees[place] for number, place in block]
        ends, others_end = leaf_indices(grown, own), leaf_indices(grown, others)
        for column, (number, place) in enumerate(block):
            n = grown[column].n_nodes
            held = np.bincount(ends[:, column], minlength=n)
            of_all = np.bincount(others_end[:, column], minlength=n)
            leaves = _telling(number, place, held, of_all)
            news = [leaf for leaf in leaves if _is_new((ends[:, column] == leaf.node).tobytes(), known)]
            found = sorted([*found, *news], key=_by_worth)[:MOST_RANKED]
            if _worth(leaves) > _worth(together):
                together = leaves
    told = (_told(leaves, rounds, schema, outputs) for leaves in (together, found))
    return SharedLeaves(len(own), *told)


def _telling(
    number: int, place: int, held: NDArray[np.int64], of_all: NDArray[np.int64]
) -> tuple[LeafShare, ...]:
    """Return the most telling leaves of a tree, most rows first."""
    share, share_of_all = held / held.sum(), of_all / of_all.sum()
    share_of_all = np.maximum(share_of_all, 0.5 / of_all.sum())  # where none of the drawn ended
    worth = np.where(held > 0, share * np.log(np.maximum(share, 1e-12) / share_of_all), 0.0)
    best = [node for node in np.argsort(-worth)[:MOST_TOGETHER].tolist() if worth[node] > 0]
    leaves = (
        LeafShare(number, place, node, int(held[node]), float(share[node]), float(share_of_all[node]))
        for node in best
    )
    return tuple(sorted(leaves, key=lambda leaf: -leaf.rows))


def _told(
    leaves: Sequence[LeafShare], rounds: Sequence[RoundFinished], schema: DataSchema, outputs: Sequence[str]
) -> tuple[LeafShare, ...]:
    """Return the leaves with their ways, and what their trees predict."""

    def told(leaf: LeafShare) -> LeafShare:
        tree = rounds[leaf.round - 1].trees[leaf.place]
        way = way_to(tree, leaf.node, schema)
        output = outputs[tree.class_index] if tree.class_index < len(outputs) else ""
        return leaf._replace(path=tuple(f"{test.text}: {said}" for test, said in way), output=output)

    return tuple(map(told, leaves))


def _is_new(held: bytes, known: set[int]) -> bool:
    """Whether no earlier leaf holds just these rows; it is known from then on."""
    key = hash(held)
    is_new = key not in known
    known.add(key)
    return is_new


def _worth(leaves: Sequence[LeafShare]) -> float:
    return sum(leaf.worth for leaf in leaves)


def _by_worth(leaf: LeafShare) -> float:
    return -leaf.worth


def _drawn(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    if len(rows) <= MOST_ROWS:
        return rows
    return np.sort(np.random.default_rng(0).choice(rows, MOST_ROWS, replace=False))
