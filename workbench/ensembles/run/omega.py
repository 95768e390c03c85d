"""Ω, what the trees of a model cost: γT for their leaves, ½λΣv² + αΣ|v| for their weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ensembles.dropout import omega_of_weights

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.ensembles.ensemble import Ensemble
    from workbench.trees.tree import Tree


class Omega:
    """Ω summed over the trees so far.

    Attributes
    ----------
    of_leaves, of_weights : float
        Its two parts. Where DART changes what earlier trees count, the second is set anew.
    """

    def __init__(self, begun: Ensemble) -> None:
        self.of_leaves = 0.0
        for tree in begun.trees:
            self.of_leaves += tree.gamma * tree.figures.leaves
        self.of_weights = omega_of_weights(begun.trees, begun.tree_weights)

    def add(self, trees: Iterable[Tree]) -> None:
        """Take in the trees of a round."""
        for tree in trees:  # one by one, so that a run that goes on adds up to the same bits
            self.of_leaves += tree.gamma * tree.figures.leaves
            self.of_weights += tree.figures.omega_weights

    @property
    def total(self) -> float:
        """Sum of both parts."""
        return self.of_leaves + self.of_weights
