"""Many trees and how their leaves become a prediction; knows arrays, not tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from workbench.trees.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class Ensemble:
    """An additive model: base, then trees in the order round, class.

    Attributes
    ----------
    objective : str
        Name in `objectives/`; gives the link.
    n_features : int
    n_classes : int
        Raw predictions a row: 1, or K for softmax and for several quantiles.
    base_margin : ndarray of float32, shape (n_classes,)
        Raw prediction before the first tree.
    trees : tuple of Tree
        `len(trees)` is `rounds * trees_a_round`: by round, in it by class, in it one beside the other.
    n_parallel : int
        Trees that a round grows side by side for each class.
    has_offset : bool
        Whether each row brings a part of its raw prediction along.
    output_names : tuple of str
        What each of several raw predictions is for: a class, "quantile 0.1"; empty for one.
    """

    objective: str
    n_features: int
    n_classes: int
    base_margin: NDArray[np.float32]
    trees: tuple[Tree, ...] = ()
    n_parallel: int = 1
    has_offset: bool = False
    output_names: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Ensemble({self.objective!r}, {self.rounds} rounds, {len(self.trees)} trees)"

    @property
    def trees_a_round(self) -> int:
        """Number of trees that a round grows."""
        return self.n_classes * self.n_parallel

    @property
    def rounds(self) -> int:
        """Number of finished rounds."""
        return len(self.trees) // self.trees_a_round

    def with_trees(self, trees: tuple[Tree, ...]) -> Ensemble:
        """Return an ensemble with these trees in place of its own."""
        return replace(self, trees=trees)

    def first_rounds(self, rounds: int) -> Ensemble:
        """Return the model as it stood after `rounds` rounds."""
        return self.with_trees(self.trees[: rounds * self.trees_a_round])
