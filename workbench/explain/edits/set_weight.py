"""Set weight: a leaf weighs what a person says."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import WorkbenchError
from workbench.explain.edits.base import Edit, Price, checked_node, edit_kind
from workbench.explain.edits.layout import with_nodes
from workbench.explain.edits.site import scored
from workbench.explain.edits.weighing import valued
from workbench.number_text import figure

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema
    from workbench.explain.edits.site import Site
    from workbench.trees.tree import Tree


@edit_kind
@dataclass(frozen=True)
class SetWeight(Edit):
    """Set the weight of a leaf, before shrinkage: η times it is added to the prediction."""

    kind = "set_weight"
    round: int
    place: int
    node: int
    weight: float
    reason: str = ""

    def words(self, tree: Tree, schema: DataSchema, name: str) -> str:
        """Say which weight is set."""
        node = checked_node(self, tree, name, is_leaf=True)
        old = float(tree.nodes["weight"][node])
        return f"leaf {node} of {name}: weight {figure(old)} → {figure(self.weight)}"

    def applied(self, site: Site) -> Tree:
        """Return the tree with this weight."""
        node, tree = checked_node(self, site.tree, site.name, is_leaf=True), site.tree
        self._check(site)
        nodes = tree.nodes.copy()
        nodes["weight"][node] = self.weight
        changed = scored(tree, nodes.copy())
        nodes["structure_score"][node] = changed["structure_score"][node]
        return with_nodes(tree, valued(tree, nodes))

    def price(self, site: Site) -> Price:
        """Return w*, and ½(H+λ)(w−w*)²; where α or bounds make w*, what the objective has more with w."""
        tree, best = site.tree, site.optimum(self.node)
        g, h = (float(tree.nodes[name][self.node]) for name in ("sum_gradient", "sum_hessian"))
        below = h + tree.reg_lambda
        if site.searches or (not tree.reg_alpha and math.isclose(g + below * best, 0.0, abs_tol=1e-9)):
            return Price(best, 0.5 * below * (self.weight - best) ** 2)

        def score(w: float) -> float:
            return g * w + 0.5 * below * w * w + tree.reg_alpha * abs(w)

        return Price(best, score(self.weight) - score(best))

    def _check(self, site: Site) -> None:
        limit = site.tree.max_delta_step or np.inf
        with np.errstate(over="ignore"):
            is_held = np.isfinite(np.float32(site.tree.learning_rate * self.weight))
        if not np.isfinite(self.weight) or not is_held:
            raise WorkbenchError("The weight of a leaf must be a number that single precision can hold.")
        if abs(self.weight) > limit:
            raise WorkbenchError(f"max_delta_step holds weights between −{limit:g} and {limit:g}.")
        low, high = site.limits(self.node).bounds
        if not low <= self.weight <= high:
            raise WorkbenchError(
                f"Monotone columns hold the weight of leaf {self.node} between {figure(low)} and "
                f"{figure(high)}; {figure(self.weight)} is beyond."
            )
