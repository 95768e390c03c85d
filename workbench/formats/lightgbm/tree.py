"""One tree of LightGBM's, whichever of its files it stands in, as ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.imported_tree import ImportedNodes, above, imported_leaf, imported_tree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.tree import Tree

CATEGORICAL, DEFAULT_LEFT, MISSING_SHIFT = 1, 2, 2  # in `decision_type`
NO_MISSING, ZERO_IS_MISSING = 0, 1
MOST_CODES = 1 << 20
ZERO = np.float32(1e-35)  # a value no further from 0 is 0 to LightGBM


class LightGBMTree(NamedTuple):
    """One tree as LightGBM keeps it: splits and leaves counted apart, ~leaf for a child that is a leaf."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    feature: NDArray[np.int64]
    threshold: NDArray[np.float64]
    decision: NDArray[np.int64]
    sets: dict[int, NDArray[np.int64]]
    leaf_value: NDArray[np.float64]
    split_gain: NDArray[np.float64]
    hessian: NDArray[np.float64]  # of splits, then leaves
    rows: NDArray[np.int64]

    @property
    def is_set(self) -> NDArray[np.bool_]:
        """Whether each split asks for categories."""
        return (self.decision & CATEGORICAL) > 0

    @property
    def bounds(self) -> NDArray[np.float32]:
        """Thresholds as ours; none lies within the values that are 0, so that all of these go with it."""
        below = np.nextafter(-ZERO, np.float32(-1))
        bounds = np.where((self.threshold >= -ZERO) & (self.threshold < 0), below, self.threshold)
        return above(np.where((bounds >= 0) & (bounds < ZERO), ZERO, bounds))

    @property
    def zero_left(self) -> NDArray[np.bool_]:
        """Whether the numbers beside 0 go left."""
        return self.threshold >= 0

    @property
    def missing_left(self) -> NDArray[np.bool_]:
        """Whether a missing value goes left: as it is stored, or with 0; a category never to "yes"."""
        stored = (self.decision & DEFAULT_LEFT) > 0
        return np.where(self._missing_kind == NO_MISSING, self.zero_left, stored) & ~self.is_set

    @property
    def zero_apart(self) -> NDArray[np.bool_]:
        """Whether 0 is missing to a split, and goes elsewhere than the numbers beside it."""
        apart = (self._missing_kind == ZERO_IS_MISSING) & (self.missing_left != self.zero_left)
        return apart & ~self.is_set

    @property
    def parts_zero(self) -> bool:
        """Whether any split does so."""
        return bool((self._missing_kind == ZERO_IS_MISSING).any() and self.zero_apart.any())

    @property
    def _missing_kind(self) -> NDArray[np.int64]:
        return self.decision >> MISSING_SHIFT & 3


def plain_tree(tree: LightGBMTree, n_features: int, class_index: int, scale: float) -> Tree:
    """Put splits before leaves, so that a child ~k is the node `splits + k`."""
    splits, leaves = len(tree.left), len(tree.leaf_value)
    if leaves != splits + 1:
        raise WorkbenchError("Damaged model file: a tree has not one leaf more than splits.")
    if not splits:
        value, hessian, rows = tree.leaf_value[0] * scale, float(tree.hessian[0]), int(tree.rows[0])
        return imported_leaf(float(value), class_index, hessian, rows)
    none = np.full(leaves, -1, np.int64)

    def children(side: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.concatenate([np.where(side < 0, splits + ~side, side), none])

    if set(np.flatnonzero(tree.is_set).tolist()) != set(tree.sets):
        raise WorkbenchError("Damaged model file: a category split has no categories.")
    made = ImportedNodes(
        left=children(tree.left),
        right=children(tree.right),
        feature=np.concatenate([tree.feature, none]),
        threshold=np.concatenate([tree.bounds, np.zeros(leaves, np.float32)]),
        default_left=np.concatenate([tree.missing_left, np.zeros(leaves, bool)]),
        value=np.concatenate([np.zeros(splits), tree.leaf_value * scale]),
        sets=tree.sets,
        gain=np.concatenate([tree.split_gain / 2, np.zeros(leaves)]),
        hessian=tree.hessian,
        count=tree.rows,
    )
    return imported_tree(made, n_features, class_index)


def codes_of(words: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the places of the bits that are set in words of 32 bits."""
    if len(words) * 32 > MOST_CODES:
        raise WorkbenchError("Damaged model file: a category split has too many categories.")
    octets = words.astype("<u4").view(np.uint8)
    return np.flatnonzero(np.unpackbits(octets, bitorder="little")).astype(np.int64)
