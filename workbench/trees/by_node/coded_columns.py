"""Columns as whole numbers in the order of their values: what nodes are searched by.

    code     0 ............ n_codes − 1                   | n_codes
    holds    values (exact), bins (hist), or categories   | missing

A value lies between the edges of its code. Exact codes stand for one value, which is both edges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.kernels.kernel_arrays import kernel_array
from workbench.kernels.thresholds import HIGHEST_THRESHOLD
from workbench.threads.parallel import each
from workbench.trees.bins.cuts import find_cuts

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree_method import RunRows


class CodedColumns(NamedTuple):
    """The training rows, column by column.

    Attributes
    ----------
    codes : ndarray of uint32, shape (d, n)
    begins : ndarray of int64, shape (d + 1,)
        Where the edges of each column begin; so many codes as it has are those of values.
    lower, upper : ndarray of float32, shape (total,)
        Edges of the codes; the lowest and highest are values of the table.
    above_all : ndarray of float32, shape (d,)
        A threshold that parts all values from the missing ones.
    is_category : ndarray of bool, shape (d,)
    """

    codes: NDArray[np.uint32]
    begins: NDArray[np.int64]
    lower: NDArray[np.float32]
    upper: NDArray[np.float32]
    above_all: NDArray[np.float32]
    is_category: NDArray[np.bool_]

    @property
    def n_codes(self) -> NDArray[np.int64]:
        """Codes of each column, without the missing one."""
        return np.diff(self.begins)


class _Column(NamedTuple):
    lower: NDArray[np.float32]
    upper: NDArray[np.float32]


def code_columns(
    rows: RunRows, params: TrainingParams, threads: int = 1, cancelled: Callable[[], bool] | None = None
) -> CodedColumns:
    """Code the training rows: by bins where `tree_method` is hist, by their distinct values where exact."""
    features, train = rows.features, rows.train
    d = features.shape[1]
    codes = np.empty((d, len(train)), np.uint32)
    columns = [_Column(np.empty(0, np.float32), np.empty(0, np.float32))] * d
    cuts = None
    if params.tree_method == "hist":
        cuts = find_cuts(
            features, rows.cut_at(), rows.n_categories, params.max_bin, threads, cancelled, params.seed
        )

    def code(f: int) -> None:
        values = kernel_array(features[train, f], np.float32) + np.float32(0.0)  # −0 becomes 0
        if rows.n_categories[f]:
            n = rows.n_categories[f]
            codes[f] = np.where(np.isnan(values), n, values).astype(np.uint32)
            columns[f] = _Column(np.zeros(n, np.float32), np.zeros(n, np.float32))
        elif cuts is None:
            codes[f], columns[f] = _ranks(values)
        else:
            codes[f], columns[f] = _bins(values, cuts.of_column(f))

    each(code, range(d), threads, cancelled)
    sizes = [len(column.lower) for column in columns]
    above = [_above(column.upper) for column in columns]
    return CodedColumns(
        codes, np.cumsum([0, *sizes]), np.concatenate([column.lower for column in columns]),
        np.concatenate([column.upper for column in columns]), np.array(above, np.float32),
        np.array(rows.n_categories) > 0,
    )


def _ranks(values: NDArray[np.float32]) -> tuple[NDArray[np.int64], _Column]:
    """Rank among the distinct values."""
    known = ~np.isnan(values)
    own = np.unique(values[known])
    return np.where(known, np.searchsorted(own, values), len(own)), _Column(own, own)


def _bins(values: NDArray[np.float32], cuts: NDArray[np.float32]) -> tuple[NDArray[np.int64], _Column]:
    missing = np.isnan(values)
    bins = np.minimum(np.searchsorted(cuts, values, side="right"), max(len(cuts) - 1, 0))
    if not len(cuts) or missing.all():
        return np.full(len(values), len(cuts)), _Column(cuts, cuts)
    lowest, highest = np.nanmin(values), np.nanmax(values)
    lower, upper = np.append(lowest, cuts[:-1]), np.append(cuts[:-1], highest)
    return np.where(missing, len(cuts), bins), _Column(lower, upper)


def _above(upper: NDArray[np.float32]) -> float:
    largest = float(upper[-1]) if len(upper) else 0.0
    return min(largest + abs(largest) + 1e-5, HIGHEST_THRESHOLD)
