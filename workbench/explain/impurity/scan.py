"""What every cut of a column lowers at a node of a tree that is grown on the target itself.

Of classes Δ = n·i − n_L·i_L − n_R·i_R over all of them, by the criterion that the tree was grown with; of
numbers ½[S_L²/W_L + S_R²/W_R − S²/W], half of what the squared error falls by.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.explain.column_groups import MISSING
from workbench.explain.reasons import LEFT, CutRefusal
from workbench.explain.split_scan import ALL_GROUPS, ColumnScan, Sums
from workbench.trees.class_impurity import impurity_decrease

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.column_groups import ColumnGroups


class TargetRows(NamedTuple):
    """What the rows of a node are.

    Attributes
    ----------
    weight : ndarray of float64, shape (n,)
        As often as each counts.
    labels : ndarray of int64, shape (n,)
        Their classes; none of numbers.
    numbers : ndarray of float64, shape (n,)
        What categories are ordered by the mean of: the target about that of all training rows, or 1 for the
        second of two classes and 0 for the first.
    gradients : ndarray of float64, shape (n,)
        −weight where a row is of the tree's class, or −weight times the target.
    n_classes : int
        0 for numbers.
    criterion : str
        What splits of classes lower.
    """

    weight: NDArray[np.float64]
    labels: NDArray[np.int64]
    numbers: NDArray[np.float64]
    gradients: NDArray[np.float64]
    n_classes: int
    criterion: str

    @property
    def has_several(self) -> bool:
        """Whether there are more than two classes, so that nothing orders categories."""
        return self.n_classes > 2

    def channels(self, of_row: NDArray[np.int64], n: int) -> NDArray[np.float64]:
        """Return sums by group, shape (n, C): the weight of each class; or weight and numbers."""
        if not self.n_classes:
            parts = self.weight, self.weight * self.numbers
            return np.stack([np.bincount(of_row, part, n) for part in parts], axis=1)
        flat = np.bincount(of_row * self.n_classes + self.labels, self.weight, n * self.n_classes)
        return np.asarray(flat, np.float64).reshape(n, self.n_classes)

    def decrease(self, left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what splits lower, from the sums on both sides, shape (…, C)."""
        if self.n_classes:
            return impurity_decrease(left, right, self.criterion)
        (w_left, s_left), (w_right, s_right) = (np.moveaxis(side, -1, 0) for side in (left, right))
        below = w_left * w_right * (w_left + w_right)
        apart = (s_left * w_right - s_right * w_left) ** 2
        return 0.5 * np.divide(apart, below, out=np.zeros(below.shape), where=below > 0.0)


def target_scan(
    groups: ColumnGroups, target: TargetRows, min_leaf_rows: int, drawn: int | None = None
) -> ColumnScan:
    """Return every cut of a column at a node.

    Parameters
    ----------
    groups : ColumnGroups
        Of the node's rows that weigh.
    drawn : int, optional
        The last group to the left of the one cut that was drawn at random; no other was looked at.
    """
    n, of_row = groups.n_groups, groups.of_row - MISSING  # missing values before all groups
    every = np.column_stack(
        [
            target.channels(of_row, n + 1),
            np.bincount(of_row, target.gradients, n + 1),
            np.bincount(of_row, target.weight, n + 1),
            np.bincount(of_row, minlength=n + 1),
        ]
    )
    missing, by_group, total = every[0], every[1:], every.sum(axis=0)
    held = np.flatnonzero(by_group[:, -1] > 0)
    order = places = held
    if groups.is_parted:
        mean = np.bincount(of_row, target.weight * target.numbers, n + 1)[1:][held] / by_group[held, -2]
        order = places = held[np.lexsort((held, mean))]
    left = by_group[places]
    if groups.is_category and not groups.is_parted:
        places, left = np.append(places, ALL_GROUPS), np.vstack([left, left.sum(axis=0)])
    else:
        left = np.cumsum(left, axis=0)
    both = np.stack([left, left + missing])
    right = total - both
    gain = target.decrease(both[..., :-3], right[..., :-3])
    gain[(both[..., -1] == 0) | (right[..., -1] == 0)] = np.nan
    if missing[-1] == 0:
        gain[LEFT] = np.nan  # the same cuts once more
    refused = np.zeros(gain.shape, np.uint8)
    if drawn is not None and len(held):
        refused[:, :-1] = CutRefusal.NOT_DRAWN  # the last parts all numbers from the missing ones
        refused[:, max(int(np.searchsorted(held, drawn, side="right")) - 1, 0)] = CutRefusal.NONE
    refused[np.minimum(both[..., -1], right[..., -1]) < min_leaf_rows] = CutRefusal.FEW_ROWS
    return ColumnScan(
        groups, order, places, _sums(both), gain, gain, refused, _sums(total), _sums(missing)
    )


def _sums(channels: NDArray[np.float64]) -> Sums:
    return Sums(channels[..., -3], channels[..., -2], channels[..., -1].astype(np.int64))
