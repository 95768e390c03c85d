"""Row sampling: which rows a tree is grown on, without replacement; follows from seed and round alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.kernels.draws import draw, how_many
from workbench.kernels.kernel import kernel
from workbench.kernels.random_numbers import stream_start
from workbench.threads.parallel import part_begin
from workbench.threads.team import ALONE
from workbench.trees.growing_params import DrawnRows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.threads.team import Team

DRAWN_BLOCK_ROWS = 4096
ROWS = 1  # a stream of random numbers


@kernel(allocates=True)
def draw_part(part, parts, n, n_drawn, start, drawn, left_out):
    """Draw from one part of the blocks of rows, from each its share of `n_drawn`; see `draw_rows`."""
    n_blocks = (n + DRAWN_BLOCK_ROWS - 1) // DRAWN_BLOCK_ROWS
    scratch = np.empty((2, DRAWN_BLOCK_ROWS + 1), np.uint32)
    for block in range(part_begin(part, parts, n_blocks), part_begin(part + 1, parts, n_blocks)):
        begin = block * DRAWN_BLOCK_ROWS
        end = begin + DRAWN_BLOCK_ROWS if begin + DRAWN_BLOCK_ROWS < n else n
        first = begin * n_drawn // n
        last = end * n_drawn // n
        draw(begin, end, last - first, start, scratch[0], scratch[1])
        # One by one: assigning slices takes numba's texts of errors along, two seconds of compiling.
        for i in range(last - first):
            drawn[first + i] = scratch[0, i]
        for i in range((end - last) - (begin - first)):
            left_out[begin - first + i] = scratch[1, i]


def draw_rows(
    n_rows: int, share: float, seed: int, round_number: int, team: Team = ALONE
) -> DrawnRows:
    """Draw a share of the rows, at least one, without replacement.

    The rows are cut into blocks of DRAWN_BLOCK_ROWS, and of each as large a share is drawn, so that blocks
    can be drawn at the same time.
    """
    if share >= 1.0:
        return DrawnRows(np.arange(n_rows, dtype=np.uint32), np.empty(0, np.uint32))
    n_drawn = how_many(n_rows, share)
    rows = DrawnRows(np.empty(n_drawn, np.uint32), np.empty(n_rows - n_drawn, np.uint32))
    start = stream_start(seed, round_number, ROWS)
    team.share(draw_part, n_rows, n_rows, n_drawn, start, rows.drawn, rows.left_out)
    return rows


class SampledRows(NamedTuple):
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
