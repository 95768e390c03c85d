"""What columns lost to each other: who came second at every split, and what its best cut would gain."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.errors import leave_if
from workbench.explain.candidates import runner_up
from workbench.explain.node_rows import node_rows
from workbench.explain.rivals.bin_scans import bin_scans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.explain.replay import Replay


NOBODY = -1


class Defeat(NamedTuple):
    """A split that one column won, the one that came second, and what both gain: ½[…] − γ.

    `second` is `NOBODY` where no other column has a cut that gains anything.
    """

    winner: int
    second: int
    won: float
    lost: float


class RivalSums(NamedTuple):
    """Defeats added up.

    Attributes
    ----------
    columns : ndarray of int64, shape (m,)
        Those that won or came second, by what they lost and won, the most first.
    won : ndarray of float64, shape (m,)
        Gain of the splits that each won.
    second, winner : ndarray of int64, shape (p,)
        Pairs of them, by their places among `columns`.
    times : ndarray of int64, shape (p,)
        How often the one came second to the other.
    lost : ndarray of float64, shape (p,)
        What it would have gained there.
    """

    columns: NDArray[np.int64]
    won: NDArray[np.float64]
    second: NDArray[np.int64]
    winner: NDArray[np.int64]
    times: NDArray[np.int64]
    lost: NDArray[np.float64]

    def matrix(self, most: int) -> NDArray[np.float64]:
        """Return what the first so many lost (lines) to each other (columns)."""
        m = min(most, len(self.columns))
        inside = (self.second < m) & (self.winner < m)
        found = np.zeros((m, m))
        found[self.second[inside], self.winner[inside]] = self.lost[inside]
        return found

    def of_second(self, place: int) -> NDArray[np.int64]:
        """Return the pairs in which a column came second, those where it lost most first."""
        own = np.flatnonzero(self.second == place)
        return own[np.argsort(-self.lost[own], kind="stable")]


def sampled_rows(data: Dataset, most: int) -> Dataset:
    """Return so many of the training rows, evenly over their order, each counting for those left out."""
    n = len(data.train_rows)
    rows = data.train_rows[np.arange(most) * n // most]
    weight = np.ones(most) if data.weight is None else data.weight[rows]
    return replace(
        data, features=np.asfortranarray(data.features[rows]), target=data.target[rows],
        weight=weight * (n / most), train_rows=np.arange(most), valid_rows=np.arange(0),
        table_rows=data.table_rows[rows], groups=None,
        offset=None if data.offset is None else data.offset[rows],
    )


def tree_defeats(
    replay: Replay, round: int, place: int, cancelled: Callable[[], bool] | None = None
) -> list[Defeat]:
    """Return the defeats of one tree of a run; scans every column at every split; serial, from any thread.

    Raises
    ------
    Cancelled
    """
    nodes = splits_of(replay, round, place, cancelled)
    return [split_defeat(replay, round, place, node, cancelled) for node in nodes]


def splits_of(
    replay: Replay, round: int, place: int, cancelled: Callable[[], bool] | None = None
) -> list[int]:
    """Return the nodes of a tree that ask a question, the root first."""
    return [int(node) for node in np.flatnonzero(~replay.grown(round, place, cancelled).tree.is_leaf)]


def split_defeat(
    replay: Replay, round: int, place: int, node: int, cancelled: Callable[[], bool] | None = None
) -> Defeat:
    """Return the defeat of one split, which scans every column."""
    leave_if(cancelled)
    tree = replay.grown(round, place, cancelled).tree
    second = None
    if not tree.nodes["forced"][node]:
        scans = bin_scans(replay, round, place, cancelled)
        others = np.setdiff1d(np.arange(len(replay.dataset.schema.features)), scans.columns)
        found = [scans.runner_up(node)] if len(scans.columns) else []
        if len(others):
            found.append(runner_up(node_rows(replay, round, place, node, cancelled), others, cancelled))
        best = sorted(filter(None, found), key=lambda one: (-one.compared, one.feature))
        second = best[0] if best and best[0].gain > 0.0 else None
    beaten, lost = (NOBODY, 0.0) if second is None else (second.feature, second.gain)
    return Defeat(int(tree.nodes["feature"][node]), beaten, float(tree.nodes["gain"][node]), lost)


def rival_sums(defeats: Iterable[Defeat], n_columns: int) -> RivalSums:
    """Add defeats up."""
    every = list(defeats)
    pairs = np.array([(d.second, d.winner) for d in every], np.int64).reshape(-1, 2)
    gains = np.array([(d.lost, d.won) for d in every], np.float64).reshape(-1, 2)
    won = np.bincount(pairs[:, 1], gains[:, 1], n_columns)
    winners, is_beaten = pairs[:, 1], pairs[:, 0] != NOBODY
    pairs, gains = pairs[is_beaten], gains[is_beaten]
    given = np.bincount(pairs[:, 0], gains[:, 0], n_columns)
    present = np.union1d(pairs[:, 0], winners)
    columns = present[np.argsort(-(won + given)[present], kind="stable")]
    m, place = len(columns), np.zeros(n_columns, np.int64)
    place[columns] = np.arange(m)
    at, into = np.unique(place[pairs[:, 0]] * m + place[pairs[:, 1]], return_inverse=True)
    times, lost = np.bincount(into, minlength=len(at)), np.bincount(into, gains[:, 0], len(at))
    second, winner = np.divmod(at, max(m, 1))
    return RivalSums(
        columns, won[columns].astype(np.float64), second.astype(np.int64), winner.astype(np.int64),
        times.astype(np.int64), lost.astype(np.float64),
    )
