"""Which rows and columns a round draws, without replacement; follows from seed and round alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.kernels.random_numbers import mix, stream_start
from workbench.threads.parallel import part_begin
from workbench.threads.team import ALONE
from workbench.trees.growing_params import DrawnRows
from workbench.trees.restraints import draw_share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.threads.team import Team

BLOCK_ROWS = 4096
ROWS, COLUMNS = 1, 2  # streams of random numbers


@kernel
def draw(begin, end, n_drawn, start, drawn, left_out):
    """Draw exactly `n_drawn` of the items begin … end−1, every set as likely (Knuth's algorithm S).

    Parameters
    ----------
    drawn, left_out : ndarray of uint32
        Filled, ascending; one place more than needed.
    """
    wanted = np.uint64(n_drawn)
    n_in = np.uint64(0)
    n_out = np.uint64(0)
    for i in range(np.uint64(begin), np.uint64(end)):
        chance = mix(np.uint64(start) + i) >> np.uint64(32)  # of 2**32
        is_drawn = np.uint64(((chance * (np.uint64(end) - i)) >> np.uint64(32)) < wanted)
        drawn[n_in] = i
        left_out[n_out] = i
        n_in += is_drawn
        n_out += np.uint64(1) - is_drawn
        wanted -= is_drawn


@kernel(allocates=True)
def draw_part(part, parts, n, n_drawn, start, drawn, left_out):
    """Draw from one part of the blocks of rows, from each its share of `n_drawn`; see `draw_rows`."""
    n_blocks = (n + BLOCK_ROWS - 1) // BLOCK_ROWS
    room = np.empty((2, BLOCK_ROWS + 1), np.uint32)
    for block in range(part_begin(part, parts, n_blocks), part_begin(part + 1, parts, n_blocks)):
        begin = block * BLOCK_ROWS
        end = begin + BLOCK_ROWS if begin + BLOCK_ROWS < n else n
        first = begin * n_drawn // n
        last = end * n_drawn // n
        draw(begin, end, last - first, start, room[0], room[1])
        # One by one: assigning slices takes numba's texts of errors along, two seconds of compiling.
        for i in range(last - first):
            drawn[first + i] = room[0, i]
        for i in range((end - last) - (begin - first)):
            left_out[begin - first + i] = room[1, i]


def draw_rows(
    n_rows: int, share: float, seed: int, round_number: int, team: Team = ALONE
) -> DrawnRows:
    """Draw a share of the rows, at least one, without replacement.

    The rows are cut into blocks of BLOCK_ROWS, and of each as large a share is drawn, so that the blocks can
    be drawn at the same time.
    """
    if share >= 1.0:
        return DrawnRows(np.arange(n_rows, dtype=np.uint32), np.empty(0, np.uint32))
    n_drawn = _how_many(n_rows, share)
    rows = DrawnRows(np.empty(n_drawn, np.uint32), np.empty(n_rows - n_drawn, np.uint32))
    start = stream_start(seed, round_number, ROWS)
    team.share(draw_part, n_rows, n_rows, n_drawn, start, rows.drawn, rows.left_out)
    return rows


class Sample(NamedTuple):
    """The rows of a round, and how often each counts (1 where nothing is said), shape (n,)."""

    rows: DrawnRows
    factors: NDArray[np.float64] | None = None

    def amplified(
        self, gradients: NDArray[np.float64], hessians: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return gradients and hessians as often as they count."""
        if self.factors is None:
            return gradients, hessians
        return gradients * self.factors, hessians * self.factors


def draw_by_gradient(
    gradients: NDArray[np.float64],
    hessians: NDArray[np.float64],
    top_rate: float,
    other_rate: float,
    seed: int,
    round_number: int,
) -> Sample:
    """Keep the rows with the largest Σ|g·h| over the classes, draw some of the others (GOSS, Ke et al. 2017).

    The drawn ones count (1 − top) / other times, so that sums stay right on average. Of equal rows the first
    are kept.

    Parameters
    ----------
    gradients, hessians : ndarray of float64, shape (K, n)
    """
    n = gradients.shape[1]
    size = np.abs(gradients * hessians).sum(axis=0)
    n_top = _how_many(n, top_rate)
    bound = np.partition(size, n - n_top)[n - n_top]
    kept = size > bound
    kept[np.flatnonzero(size == bound)[: n_top - int(kept.sum())]] = True
    others = np.flatnonzero(~kept).astype(np.uint32)
    factors = np.ones(n)
    if len(others):
        n_drawn = _how_many(len(others), other_rate * n / len(others))
        drawn, left_out = np.empty((2, len(others) + 1), np.uint32)
        start = stream_start(seed, round_number, ROWS)
        draw(0, len(others), n_drawn, start, drawn, left_out)
        chosen = others[drawn[:n_drawn]]
        kept[chosen] = True
        factors[chosen] = len(others) / n_drawn
    rows = DrawnRows(np.flatnonzero(kept).astype(np.uint32), np.flatnonzero(~kept).astype(np.uint32))
    return Sample(rows, factors)


def draw_columns(
    columns: NDArray[np.int64],
    share: float,
    seed: int,
    tree_number: int,
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.int64]:
    """Draw a share of the given columns, at least one; `weights`, by column, tell how likely each is."""
    if share >= 1.0:
        return columns
    n_drawn = _how_many(len(columns), share)
    if weights is not None and (weights != 1.0).any():
        allowed = np.zeros(len(weights), np.uint8)
        allowed[columns] = 1
        start = stream_start(seed, tree_number, COLUMNS)
        draw_share(allowed, share, start, weights, np.empty(len(weights)))
        return np.flatnonzero(allowed)
    drawn, left_out = np.empty((2, len(columns) + 1), np.uint32)
    draw(0, len(columns), n_drawn, stream_start(seed, tree_number, COLUMNS), drawn, left_out)
    return columns[drawn[:n_drawn]]


def _how_many(n: int, share: float) -> int:
    return min(n, max(1, round(share * n)))
