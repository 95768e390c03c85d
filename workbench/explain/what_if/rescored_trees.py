"""Re-scored trees as trees: pruned, weighed anew, ready to predict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.explain.what_if.pruned_tree import NewFigures, pruned_tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.explain.what_if.rescoring import Rescored
    from workbench.trees.tree import Tree


def rescored_trees(trees: Sequence[Tree], rescored: Rescored) -> tuple[Tree, ...]:
    """Return the trees with their new λ, γ and α, without what was pruned."""
    return tuple(_rescored_tree(tree, rescored, index) for index, tree in enumerate(trees))


def _rescored_tree(tree: Tree, rescored: Rescored, index: int) -> Tree:
    own, values = rescored.tree(index), rescored.values
    figures = NewFigures(
        own.weight, own.score, own.gain,
        tree.reg_lambda if values.reg_lambda is None else values.reg_lambda,
        tree.gamma if values.gamma is None else values.gamma,
        tree.reg_alpha if values.reg_alpha is None else values.reg_alpha,
    )
    return pruned_tree(tree, own.is_split, figures)
