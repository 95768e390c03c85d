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
        self.of_leaves = self.of_weights = 0.0
        step, weights = begun.trees_a_round, begun.tree_weights
        last = step * begun.dropouts[-1].round if begun.dropouts else 0
        for end in range(step, len(begun.trees) + 1, step):
            self.add(begun.trees[end - step : end])
            if end == last:
                self.of_weights = omega_of_weights(begun.trees[:last], weights[:last])

    def add(self, trees: Iterable[Tree]) -> None:
        """Take in the trees of a round."""
        trees = tuple(trees)
        self.of_leaves += sum(tree.gamma * tree.figures.leaves for tree in trees)
        self.of_weights += sum(tree.figures.omega_weights for tree in trees)

    @property
    def total(self) -> float:
        """Sum of both parts."""
        return self.of_leaves + self.of_weights
