"""Which node the inspector is about: the one under the cursor, else the selected one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.explain.impurity.figures import NodeImpurity, node_impurities
from workbench.explain.node_figures import NodeFigures, node_figures
from workbench.parameters.methods import IMPURITY, SHARES

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema
    from workbench.session.run import Run
    from workbench.session.session import Session
    from workbench.trees.tree import Tree


@dataclass(frozen=True)
class Inspected:
    """A node of the shown tree."""

    tree: Tree
    node: int
    round: int
    schema: DataSchema
    output: str = ""
    unit: str = ""  # of the weights of leaves
    forced_splits: str = ""  # of its run
    criterion: str = ""  # the impurity of classes that its split lowers
    trees: tuple[Tree, ...] = ()  # of the round

    @property
    def is_leaf(self) -> bool:
        """Whether it has no children."""
        return bool(self.tree.is_leaf[self.node])

    @property
    def figures(self) -> tuple[NodeFigures, ...]:
        """Of the node, and of its yes and no children."""
        return tuple(node_figures(self.tree, node) for node in self._family)

    @property
    def impurities(self) -> tuple[NodeImpurity, ...]:
        """Of the same nodes, where they hold shares of classes."""
        return node_impurities(self.trees, self._family, self.criterion)

    @property
    def _family(self) -> tuple[int, ...]:
        record = self.tree.nodes[self.node]
        return (self.node,) if self.is_leaf else (self.node, int(record["left"]), int(record["right"]))

    @property
    def tree_name(self) -> str:
        """The tree as titles call it: "tree 19", with the class or quantile where there are several."""
        return f"tree {self.round} of {self.output}" if self.output else f"tree {self.round}"


def _criterion(run: Run) -> str:
    """Return the impurity of classes that a run's splits lower; "" where they lower something else."""
    if run.params.method == "adaboost":
        return run.params.criterion if len(run.output_names) > 1 else ""
    has_shares = run.started is not None and run.started.ensemble.objective in SHARES.values()
    is_known = run.params.method in IMPURITY and run.params.criterion
    return run.params.criterion if has_shares and is_known and run.facts.task != "regression" else ""


def place_of(run: Run, shown: Inspected) -> int:
    """Return the place of the shown tree among those of its round."""
    return next((k for k, tree in enumerate(run.trees(shown.round)) if tree is shown.tree), 0)


def inspected(session: Session, *, pointed: bool = True) -> Inspected | None:
    """Return the node that the session points at, if `pointed`, else the selected one; None for none."""
    tree, run = session.shown.tree, session.shown.run
    if tree is None or run is None or run.schema is None:
        return None
    output = run.output_names[tree.class_index] if run.output_names else ""
    if output.isdigit():  # "tree 3 of 7" would be taken for a count
        output = f"class {output}"
    for node in (session.shown.pointed_node if pointed else None, session.shown.selection.node):
        if node is not None and node < tree.n_nodes:
            return Inspected(
                tree, node, session.shown.round, run.schema, output, run.unit, run.params.forced_splits,
                _criterion(run), run.trees(session.shown.round),
            )
    return None
