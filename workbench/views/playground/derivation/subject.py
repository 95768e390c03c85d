"""What the derivation is about: a tree of a run, one of its leaves and splits, a row, and what is assumed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.explain.derivation.leaf_parabola import LeafParabola
from workbench.explain.derivation.split_fates import SplitFates, split_fates
from workbench.explain.derivation.tree_terms import TreeTerms, tree_terms
from workbench.explain.node_figures import NodeFigures, row_share, test_of
from workbench.views.playground.derivation.tree_formulas import tree_texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.explain.derivation.assumed import Assumed
    from workbench.explain.derivation.row_loss import RowLoss
    from workbench.session.run import Run
    from workbench.trees.tree import Tree
    from workbench.views.playground.derivation.tree_formulas import TreeTexts


@dataclass(frozen=True, eq=False)
class Subject:
    """One state of the page.

    Attributes
    ----------
    run : Run
    schema : DataSchema
    round, place : int
        From 1; among the trees of the round.
    tree : Tree
    assumed, stored : Assumed
        λ, γ and η as the person has them, and as the tree was grown.
    directions : ndarray of int8
        Of monotone columns.
    follows : bool
        Whether weights follow from G and H.
    restraint : str
        What else makes them, in a sentence; "" where they follow.
    chosen : int
        The selected node; −1 for none.
    other_round : int
        Whose tree stands beside; 0 for none.
    other : Tree or None
    row : int or None
        Of the table, from 0.
    loss : RowLoss or None
    row_words : str
        Why there is no loss of a row.
    """

    run: Run
    schema: DataSchema
    round: int
    place: int
    tree: Tree
    assumed: Assumed
    stored: Assumed
    directions: NDArray[np.int8]
    follows: bool
    restraint: str
    chosen: int
    other_round: int
    other: Tree | None
    row: int | None
    loss: RowLoss | None
    row_words: str

    @property
    def is_changed(self) -> bool:
        """Whether something else is assumed than the tree was grown with."""
        return self.assumed != self.stored

    @cached_property
    def terms(self) -> TreeTerms:
        """The leaves under what is assumed."""
        return tree_terms(self.tree, self.assumed, self.directions, follows=self.follows)

    @cached_property
    def other_terms(self) -> TreeTerms | None:
        """The same of the tree beside; its α is its own."""
        if self.other is None:
            return None
        assumed = replace(self.assumed, reg_alpha=self.other.reg_alpha)
        return tree_terms(self.other, assumed, self.directions, follows=self.follows)

    @cached_property
    def texts(self) -> TreeTexts:
        """The leaves as they are written."""
        return tree_texts(self.terms)

    @cached_property
    def other_texts(self) -> TreeTexts | None:
        """Those of the tree beside."""
        return tree_texts(self.other_terms) if self.other_terms is not None else None

    @cached_property
    def fates(self) -> SplitFates:
        """What becomes of the splits."""
        return split_fates(self.tree, self.assumed, self.directions)

    @cached_property
    def questions(self) -> dict[int, str]:
        """What each split asks, by its node."""
        return {split.node: test_of(self.tree, split.node, self.schema).text for split in self.fates.splits}

    @cached_property
    def leaf(self) -> int:
        """The leaf that is looked at: the chosen one, else that of the row, else the first."""
        chosen = self.chosen
        if chosen < 0 or not (self.tree.is_leaf[chosen] or chosen in self.terms.leaves):
            chosen = self.loss.leaf if self.loss is not None else int(self.terms.leaves[0])
        return self.standing(chosen)

    @cached_property
    def row_leaf(self) -> int:
        """The leaf in which the row ends, after pruning; the one that is looked at where there is no row."""
        return self.leaf if self.loss is None else self.standing(self.loss.leaf)

    @property
    def split(self) -> int:
        """The split that is looked at: the chosen one, else that over the leaf; −1 where there is none."""
        if self.tree.n_nodes == 1:
            return -1
        if self.chosen >= 0 and not self.tree.is_leaf[self.chosen]:
            return self.chosen
        at = self.chosen if self.chosen >= 0 else self.leaf
        return max(int(self.tree.nodes["parent"][at]), 0)

    def standing(self, node: int) -> int:
        """The leaf that a node is part of, where splits over it were pruned."""
        leaves = set(self.terms.leaves.tolist())
        while node not in leaves and node > 0:
            node = int(self.tree.nodes["parent"][node])
        return node

    def weight(self, node: int) -> float:
        """W of a leaf that stands."""
        place = self.terms.leaves.tolist().index(node)
        return float(self.terms.weight[place])

    @property
    def step(self) -> float:
        """η·w of the leaf in which the row ends."""
        return self.assumed.learning_rate * self.weight(self.row_leaf)

    def parabola(self, node: int, assumed: Assumed | None = None) -> LeafParabola:
        """G·w + ½(H+λ)·w² of a node."""
        record = self.tree.nodes[node]
        sums = float(record["sum_gradient"]), float(record["sum_hessian"])
        return LeafParabola.of(*sums, assumed or self.assumed)

    def figures(self, node: int) -> NodeFigures:
        """The figures of a node as a leaf under what is assumed."""
        curve, record = self.parabola(node), self.tree.nodes[node]
        return NodeFigures(
            node, int(record["count"]), row_share(self.tree, node), curve.sum_gradient, curve.sum_hessian,
            curve.weight, curve.least, self.assumed.learning_rate * curve.weight,
        )
