"""What is emphasised in a tree: the selected node, the one under the cursor, the way of a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.explain.row_path import matrix_row, row_path

if TYPE_CHECKING:
    from workbench.session.session import Session
    from workbench.trees.tree import Tree


@dataclass(frozen=True)
class Emphasis:
    """Nodes by number; `row` holds those below the root on the row's way, each naming its edge.

    `matches` are those that were searched for.
    """

    selected: int | None = None
    pointed: int | None = None
    row: frozenset[int] = frozenset()
    matches: frozenset[int] = frozenset()


def emphasis_of(session: Session, tree: Tree, matches: frozenset[int] = frozenset()) -> Emphasis:
    """Return what the session emphasises in `tree` beside what was found in it.

    Nothing where the session shows another tree by now.
    """
    if tree is not session.shown.tree:
        return Emphasis()
    selected, pointed = session.shown.selection.node, session.shown.pointed_node
    return Emphasis(
        selected if selected is not None and selected < tree.n_nodes else None,
        pointed if pointed is not None and pointed < tree.n_nodes else None,
        _row_nodes(session, tree),
        matches,
    )


def _row_nodes(session: Session, tree: Tree) -> frozenset[int]:
    dataset = session.shown.run.known_rows if session.shown.run is not None else None
    if dataset is None or session.shown.selection.row is None:
        return frozenset()
    place = matrix_row(dataset, session.shown.selection.row)
    return frozenset(row_path(tree, dataset.features[place]).nodes[1:]) if place is not None else frozenset()
