"""Quantiles of rows with weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def weighted_quantiles(
    values: NDArray[np.float64], weight: NDArray[np.float64] | None,
    shares: Sequence[float] | NDArray[np.float64],
) -> NDArray[np.float64]:  # fmt: skip
    """Return the quantiles of values, shape of `shares`; NaN of none.

    Without weights between the values, as NumPy has it; with them the least value up to which the share of
    the weight lies.
    """
    wanted = np.asarray(shares, np.float64)
    if not len(values):
        return np.full(wanted.shape, np.nan)
    if weight is None:
        return np.quantile(values, wanted)
    order = np.argsort(values)
    up_to = np.cumsum(weight[order])
    places = np.searchsorted(up_to, wanted * up_to[-1] * (1 - 1e-12), side="left")
    return values[order[places.clip(0, len(values) - 1)]]
