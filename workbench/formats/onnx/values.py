"""What stands for a tensor while an ONNX graph is followed: columns, a constant, scores, or nothing known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.formats.onnx.trees import OnnxTree


@dataclass(frozen=True)
class OnnxColumns:
    """Columns of the table: the input that each stands in, and its place there."""

    names: tuple[tuple[str, int], ...]
    wide: bool = True  # whether their number is known


@dataclass(frozen=True)
class Unknown:
    """Something that no model of ours can say."""

    operator: str


@dataclass(frozen=True)
class Scores:
    """One or more numbers a row, sums of leaves with a link after them.

    Attributes
    ----------
    columns : OnnxColumns
        What the trees ask about.
    trees : tuple of OnnxTree
    base : ndarray of float64, shape (outputs,)
    labels : tuple
        Of the classes; empty for a regression.
    link : str
        "identity", "logistic", "exp", "softplus", "softmax", "square" or "step"; on the way to the last
        two "size" and "sign".
    pair : str
        "" or how the first of two columns follows from the second, which is the score: "rest" for 1 − p,
        "opposite" for −s.
    doubles : bool
        Whether leaves are added up in double precision.
    """

    columns: OnnxColumns
    trees: tuple[OnnxTree, ...]
    base: NDArray[np.float64]
    labels: tuple[Any, ...] = ()
    link: str = "identity"
    pair: str = ""
    doubles: bool = False

    def scaled(self, factor: float) -> Scores:
        """Return what is that many times as much."""
        trees = tuple(tree._replace(weight=tree.weight * factor) for tree in self.trees)
        return replace(self, trees=trees, base=self.base * factor)

    def linked(self, link: str) -> Scores | None:
        """Return the scores after a link, where it makes sense."""
        several = len(self.base) > 1
        makes_sense = several if link == "softmax" else not several or link == "logistic"
        if self.link != "identity" or self.pair == "rest" or not makes_sense:
            return None
        return replace(self, link=link, pair="rest" if self.pair else "")


Value = OnnxColumns | Unknown | Scores | np.ndarray
