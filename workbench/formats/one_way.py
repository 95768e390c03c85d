"""What formats share that are only written, for other programs, or only read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes.short_name import short_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.ensembles.ensemble import Ensemble
    from workbench.formats.model import Model
    from workbench.trees.tree import Tree

MOST_ANSWERS = 5_000_000


class WriteOnly:
    """A format that no model is made of."""

    can_read = False
    can_write = True

    def read(self, data: bytes) -> Model:
        """Refuse."""
        raise WorkbenchError("This kind of file can be written, but no model can be made of it.")

    def recognises(self, data: bytes) -> bool:
        """Leave the file to others."""
        return False


class ReadOnly:
    """A format of another program, which models are made of."""

    can_read = True
    can_write = False

    def write(self, model: Model) -> bytes:
        """Refuse."""
        raise WorkbenchError("This kind of file can be read, but no model is written as one.")


def check_no_nul(name: str, refuser: str) -> None:
    """Refuse a name with a character that many languages end a text at."""
    if "\0" in name:
        raise WorkbenchError(
            f"The name {short_name(name)!r} holds a NUL character, which {refuser}. Convert to 'python', "
            "'onnx' or 'json', or train with another name."
        )


def check_ways(ensemble: Ensemble, label: str) -> None:
    """Refuse trees whose ways to the leaves, all spelt out, would fill the disk; deep chains do."""
    answers = sum(int(tree.nodes["depth"][tree.is_leaf].sum()) for tree in ensemble.trees)
    if answers > MOST_ANSWERS:
        raise WorkbenchError(
            f"{label} would spell out {answers:,} conditions; {MOST_ANSWERS:,} are the most. "
            "Take fewer rounds or shallower trees."
        )


class Answer(NamedTuple):
    """One answer on the way to a leaf: which node asks, and whether it is "yes"."""

    node: int
    yes: bool


def ways_to_leaves(tree: Tree, top: int = 0) -> Iterator[tuple[int, tuple[Answer, ...]]]:
    """Yield every leaf below a node with the answers that lead to it from there, "yes" first."""
    waiting: list[tuple[int, tuple[Answer, ...]]] = [(top, ())]
    while waiting:
        node, way = waiting.pop()
        if tree.is_leaf[node]:
            yield node, way
            continue
        waiting.append((int(tree.nodes["right"][node]), (*way, Answer(node, yes=False))))
        waiting.append((int(tree.nodes["left"][node]), (*way, Answer(node, yes=True))))


def double_bound(threshold: np.float32) -> tuple[str, float]:
    """Say `float32(x) < threshold` of a double x: "<" or "<=", and the bound.

    A double rounds to the nearest float32, halfway to the even one, so the bound lies halfway between the
    threshold and the float32 below it; what rounds to −∞ begins where that would be with more exponents.
    """
    with np.errstate(over="ignore"):
        below = max(float(np.nextafter(threshold, np.float32(-np.inf))), -(2.0**128))
        middle = (below + float(threshold)) / 2
        return ("<=" if np.float32(middle) < threshold else "<"), middle
