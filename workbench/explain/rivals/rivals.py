"""What columns lost to each other: who came second at every split, and what its best cut would gain."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.errors import leave_if
from workbench.explain.candidates import runner_up
from workbench.explain.node_rows import node_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from workbench.explain.replay import Replay


class Defeat(NamedTuple):
    """A split that one column won, the one that came second, and what both gain: ½[…] − γ."""

    winner: int
    second: int
    won: float
    lost: float


class RivalSums(NamedTuple):
    """Defeats added up.

    Attributes
    ----------
    lost : ndarray of float64, shape (m, m)
        What the column of a line would have gained where it came second to that of a column.
    times : ndarray of int64, shape (m, m)
        How often it did.
    won : ndarray of float64, shape (m,)
        Gain of the splits that each won.
    columns : ndarray of int64, shape (m,)
        Which columns these are: those that won or came second, by what they lost and won, the most first.
    """

    lost: NDArray[np.float64]
    times: NDArray[np.int64]
    won: NDArray[np.float64]
    columns: NDArray[np.int64]


def tree_defeats(
    replay: Replay, round: int, place: int, cancelled: Callable[[], bool] | None = None
) -> list[Defeat]:
    """Return the defeats of one tree of a run; scans every column at every split; serial, from any thread.

    Raises
    ------
    Cancelled
    """
    tree, found = replay.grown(round, place, cancelled).tree, []
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        leave_if(cancelled)
        second = runner_up(node_rows(replay, round, place, node, cancelled), cancelled)
        if second is not None and second[1] > 0.0:
            winner, won = int(tree.nodes["feature"][node]), float(tree.nodes["gain"][node])
            found.append(Defeat(winner, second[0], won, second[1]))
    return found


def rival_sums(defeats: Iterable[Defeat], n_columns: int) -> RivalSums:
    """Add defeats up."""
    every = list(defeats)
    pairs = np.array([(d.second, d.winner) for d in every], np.int64).reshape(-1, 2)
    gains = np.array([(d.lost, d.won) for d in every], np.float64).reshape(-1, 2)
    won = np.bincount(pairs[:, 1], gains[:, 1], n_columns)
    given = np.bincount(pairs[:, 0], gains[:, 0], n_columns)
    present = np.union1d(pairs[:, 0], pairs[:, 1])
    columns = present[np.argsort(-(won + given)[present], kind="stable")]
    m, place = len(columns), np.zeros(n_columns, np.int64)
    place[columns] = np.arange(m)
    at = place[pairs[:, 0]] * m + place[pairs[:, 1]]
    lost = np.reshape(np.bincount(at, gains[:, 0], m * m).astype(np.float64), (m, m))
    times = np.reshape(np.bincount(at, minlength=m * m).astype(np.int64), (m, m))
    return RivalSums(lost, times, won[columns].astype(np.float64), columns)
