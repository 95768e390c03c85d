"""Trees of CatBoost, oblivious or of objects in objects, as ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.answers import nodes_of, unfolded
from workbench.formats.bytes import checks
from workbench.formats.catboost.columns import TOO_LARGE
from workbench.formats.imported_tree import imported_tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.formats.answers import ForeignAnswer, ForeignTree
    from workbench.formats.catboost.columns import CatBoostColumns
    from workbench.trees.tree import Tree

DEEPEST = 16  # levels of an oblivious tree, CatBoost's own limit
MOST_NODES = 2_500_000  # of all trees, where splits of several columns are unfolded
MOST_CODES = 10**8  # of categories in all questions, as each node lists its own
UNLIMITED = 1 << 62


class Levels(NamedTuple):
    """An oblivious tree, whose every level asks one question.

    A place is a level and the leaf's number so far: answer k is its bit k.
    """

    answers: list[ForeignAnswer]

    def answer(self, place: tuple[int, int]) -> ForeignAnswer | None:
        """Return what the level asks."""
        return self.answers[place[0]] if place[0] < len(self.answers) else None

    def after(self, place: tuple[int, int], answer: bool) -> tuple[int, int]:
        """Go a level down."""
        level, bits = place
        return level + 1, bits | answer << level


class Nodes(NamedTuple):
    """A tree of objects in objects, which are its places."""

    columns: CatBoostColumns

    def answer(self, place: dict[str, Any]) -> ForeignAnswer | None:
        """Return what the split asks."""
        return self.columns.answer(place["split"]) if "split" in place else None

    def after(self, place: dict[str, Any], answer: bool) -> dict[str, Any]:
        """Go to a side; "right" is above the border, or equal."""
        return checks.mapping(place["right" if answer else "left"], "a node")


@dataclass
class TreeReader:
    """Makes trees of records, one for each output, and takes care that all together are not too large."""

    columns: CatBoostColumns
    outputs: int
    factor: float
    nodes: int = 0  # of all trees that were made
    codes: int = 0  # in their questions

    def oblivious(self, record: dict[str, Any]) -> list[Tree]:
        """Return the trees of a list of splits and one of leaves."""
        answers = [self.columns.answer(one) for one in checks.sequence(record["splits"] or [], "splits")]
        if len(answers) > DEEPEST:
            raise WorkbenchError("Damaged model file: an oblivious tree has too many levels.")
        count = self.outputs << len(answers)
        values = checks.reals(record["leaf_values"], "leaf_values", count).reshape(-1, self.outputs)
        return self._trees(Levels(answers), (0, 0), lambda place: values[place[1]])

    def nested(self, record: dict[str, Any]) -> list[Tree]:
        """Return the trees of objects in objects."""
        return self._trees(Nodes(self.columns), record, self._value)

    def _value(self, node: dict[str, Any]) -> NDArray[np.float64]:
        value = node["value"]
        return checks.reals(value if isinstance(value, list) else [value], "value", self.outputs)

    def _trees(
        self, walk: ForeignTree, start: Any, value: Callable[[Any], NDArray[np.float64]]
    ) -> list[Tree]:
        tree = unfolded(walk, start, MOST_NODES - self.nodes if self.columns.are_joined else UNLIMITED)
        if tree is None:
            raise WorkbenchError(TOO_LARGE)
        self.nodes += len(tree.asked)
        self.codes += self.outputs * sum(one.mask.bit_count() for one in tree.asked if one is not None)
        if self.codes > MOST_CODES:
            raise WorkbenchError(
                "The model asks for so many categories that its trees would be too large to be shown."
            )
        nothing = np.zeros(self.outputs)
        leaves = [nothing if one else value(at) for one, at in zip(tree.asked, tree.place, strict=True)]
        values = np.array(leaves) * self.factor
        made = [nodes_of(tree, values[:, k]) for k in range(self.outputs)]
        return [imported_tree(one, len(self.columns.found), k) for k, one in enumerate(made)]
