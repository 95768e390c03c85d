"""Sums over rows, block by block, so that they do not depend on the number of threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.kernels.kernel_arrays import kernel_array

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.threads.team import Team

LOSS_BLOCK_ROWS = 1024  # losses are summed in blocks of rows, so that no sum depends on the threads


def sums_of_blocks(
    team: Team, n_sums: int, kernel: Callable[..., object], target: NDArray[np.float64], *rest: object
) -> list[float]:
    """Call `kernel(part, parts, target, *rest, sums)` for every part of the rows; return sums of figures.

    The kernel writes the sums of each block of LOSS_BLOCK_ROWS rows to `sums`, shape (blocks, n_sums), so
    that they do not depend on the threads.
    """
    sums = np.zeros((-(-len(target) // LOSS_BLOCK_ROWS), n_sums))
    team.share(kernel, len(target), target, *rest, sums)
    total: list[float] = (sums[0] if len(sums) == 1 else sums.sum(axis=0)).tolist()
    return total


@kernel
def block_end(block, n_rows):
    """Return the end of a block of rows."""
    end = (block + 1) * LOSS_BLOCK_ROWS
    return end if end < n_rows else n_rows


@kernel
def copy_to(values, out):
    """Fill `out` with the values, as many as it has room for."""
    for i in range(len(out)):
        out[i] = values[i]


@kernel
def weight_begin(weight, begin, n_rows):
    """Return where the weights of the block of rows from `begin` on stand: first, where they serve all."""
    return begin if len(weight) == n_rows else 0


def block_of_ones(n_rows: int) -> NDArray[np.float64]:
    """Return the weights of a block of rows, to serve all blocks where rows have no weights."""
    return np.ones(min(n_rows, LOSS_BLOCK_ROWS))


def weights_or_ones(weight: NDArray[np.float64] | None, n_rows: int) -> NDArray[np.float64]:
    """Return the weights, or ones."""
    return np.ones(n_rows) if weight is None else kernel_array(weight, np.float64)


def ratio(total: float, weight: float) -> float:
    """Return total / weight, or NaN without weight."""
    return total / weight if weight > 0 else float("nan")
