"""What a derivation is read with: λ, γ and η of the tree, or others in their place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.explain.what_if.rescoring import Values

if TYPE_CHECKING:
    from workbench.trees.tree import Tree


@dataclass(frozen=True)
class Assumed:
    """λ, γ, η and α."""

    reg_lambda: float
    gamma: float
    learning_rate: float
    reg_alpha: float = 0.0

    @classmethod
    def of(
        cls, tree: Tree, reg_lambda: float | None = None, gamma: float | None = None,
        learning_rate: float | None = None,
    ) -> Assumed:
        """Return what a tree was grown with, but for those that are given."""
        return cls(
            tree.reg_lambda if reg_lambda is None else reg_lambda,
            tree.gamma if gamma is None else gamma,
            tree.learning_rate if learning_rate is None else learning_rate,
            tree.reg_alpha,
        )

    @property
    def values(self) -> Values:
        """What trees are scored again with."""
        return Values(self.reg_lambda, self.gamma, self.reg_alpha)
