"""LightGBM's trees that take 0 for missing, and send it elsewhere than the numbers beside it.

Such a split parts a column at its threshold and at both ends of what is 0, and what is missing goes with 0:

    numbers  … |  0 and missing  | …    threshold | …
    answer  yes        no         yes               no
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.answers import Among, Border, mask_of, nodes_of, unfolded
from workbench.formats.imported_tree import imported_tree
from workbench.formats.lightgbm.tree import ZERO

if TYPE_CHECKING:
    from workbench.formats.answers import ForeignAnswer
    from workbench.formats.lightgbm.tree import LightGBMTree
    from workbench.trees.tree import Tree

MOST_NODES = 2_500_000  # of all such trees
BEGIN, END = -ZERO, np.nextafter(ZERO, np.float32(1))  # of what is 0
APART_NOTE = (
    "0 counts as missing (zero_as_missing): a split that sends it elsewhere than the numbers beside it "
    "stands as several questions; gain, H and rows of its tree are unknown."
)
TOO_LARGE = (
    "The model takes 0 for missing (zero_as_missing), which would make its trees too large. Train it with "
    "zero_as_missing=false."
)


class Splits(NamedTuple):
    """A tree as LightGBM keeps it; a place is the number of a split, or ~leaf."""

    tree: LightGBMTree
    answers: list[ForeignAnswer]

    def answer(self, place: int) -> ForeignAnswer | None:
        """Return what the split asks."""
        return self.answers[place] if place >= 0 else None

    def after(self, place: int, answer: bool) -> int:
        """Go to a side; "left" is yes."""
        return int((self.tree.left if answer else self.tree.right)[place])


class ZeroApart:
    """Makes trees of those with such splits, and takes care that all together are not too large."""

    def __init__(self) -> None:
        self._room = MOST_NODES

    def tree(self, tree: LightGBMTree, n_features: int, class_index: int, scale: float) -> Tree:
        """Return the tree as ours; its structure is checked already."""
        made = unfolded(Splits(tree, _answers(tree)), 0, self._room)
        if made is None:
            raise WorkbenchError(TOO_LARGE)
        self._room -= len(made.asked)
        leaves = [0 if asked else ~at for asked, at in zip(made.asked, made.place, strict=True)]
        return imported_tree(nodes_of(made, tree.leaf_value[leaves] * scale), n_features, class_index)


def _answers(tree: LightGBMTree) -> list[ForeignAnswer]:
    bounds, zero_left, missing_left = tree.bounds, tree.zero_left, tree.missing_left
    made: list[ForeignAnswer] = []
    for split, apart in enumerate(tree.zero_apart.tolist()):
        column = int(tree.feature[split])
        parted = Border(column, bounds[split], bool(missing_left[split]), below=True, above=False)
        if split in tree.sets:
            made.append(_of_categories(tree, split, column))
        elif not apart:
            made.append(parted)
        elif zero_left[split]:
            behind = Border(column, END, default_left=True, below=False, above=parted)
            made.append(Border(column, BEGIN, default_left=False, below=True, above=behind))
        else:
            behind = Border(column, END, default_left=True, below=True, above=False)
            zero = Border(column, BEGIN, default_left=False, below=False, above=behind)
            made.append(parted._replace(default_left=False, above=zero))
    return made


def _of_categories(tree: LightGBMTree, split: int, column: int) -> Among:
    """Ask for the listed ones; what is missing is none of them."""
    others = 1 + max(int(codes[-1]) for k, codes in tree.sets.items() if tree.feature[k] == column)
    listed = np.zeros(others + 1, np.bool_)
    listed[tree.sets[split]] = True
    return Among(column, others, others, ((mask_of(listed), True), (mask_of(~listed), False)))
