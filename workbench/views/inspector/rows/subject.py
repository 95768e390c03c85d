"""Which node's rows are listed: the selected one's; or why there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.session.no_trees import no_trees
from workbench.views.inspector.path.subject import NO_TABLE
from workbench.workers.explainer import NodeSubject

if TYPE_CHECKING:
    from workbench.session.session import Session

NO_NODE = "Click a node of the tree to see its rows."


def rows_subject(session: Session) -> tuple[NodeSubject | None, str]:
    """Return the selected node, or what is to be done first."""
    run, tree, node = session.shown.run, session.shown.tree, session.shown.selection.node
    if run is None or tree is None:
        return None, no_trees(run)
    if not run.has_rows:
        return None, NO_TABLE
    if node is None or node >= tree.n_nodes:
        return None, NO_NODE
    trees = run.trees(session.shown.round)
    place = next(place for place, other in enumerate(trees) if other is tree)
    return NodeSubject(run, session.shown.round, place, node), ""
