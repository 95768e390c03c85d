"""Rows by query, and what their places are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.threads.team import ALONE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.threads.team import Team

MOST_RELEVANCE = 31.0  # 2**31 is the largest gain that XGBoost takes
ROWS_BESIDE_PAIRS = 32  # a row of a query takes as long as so many pairs of rows
PAIRS_A_ROW = 4  # pairs that take as long as a row of other objectives


class Queries(NamedTuple):
    """Rows ordered by query.

    query 0        | query 1 | …
    row 0  row 4 … | row 3 … | …

    Attributes
    ----------
    rows : ndarray of int64, shape (n,)
        In each query ascending.
    begins : ndarray of int64, shape (n_queries + 1,)
        Where the rows of each query begin; the last is n.
    work : ndarray of int64, shape (n_queries + 1,)
        What the queries before each take, by which they are shared among threads.
    worths : ndarray of float64, shape (longest query,)
        The discount of each place.
    """

    rows: NDArray[np.int64]
    begins: NDArray[np.int64]
    work: NDArray[np.int64]
    worths: NDArray[np.float64]

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return len(self.begins) - 1

    def share(self, team: Team, kernel: Callable[..., object], *arguments: object) -> None:
        """Call `kernel(part, parts, queries, *arguments)` for every part of the queries."""
        team.share(kernel, int(self.work[-1]) // PAIRS_A_ROW, self, *arguments)

    def figures(
        self, kernel: Callable[..., object], *arguments: object, team: Team = ALONE
    ) -> NDArray[np.float64]:
        """Return what the kernel fills, a figure a query."""
        found = np.empty(self.n_queries)
        self.share(team, kernel, *arguments, found)
        return found


def queries_of(groups: NDArray[np.int64]) -> Queries:
    """Order rows by their queries, shape (n,)."""
    ascends = bool((groups[1:] >= groups[:-1]).all())
    rows = np.arange(len(groups)) if ascends else np.argsort(groups, kind="stable")
    ends = np.flatnonzero(np.diff(groups[rows])) + 1
    begins = np.array([0, *ends, *[len(rows)] * (len(rows) > 0)], np.int64)
    sizes = np.diff(begins)
    work = np.concatenate([[0], np.cumsum(sizes * (sizes + ROWS_BESIDE_PAIRS))])
    return Queries(rows, begins, work, discounts(np.arange(sizes.max(initial=0))))


def discounts(places: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return 1 / log2(2 + place)."""
    return 1.0 / np.log2(2.0 + places)
