"""Walking a tree by keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from workbench.trees.tree import Tree

WALK_KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home)


def neighbour(tree: Tree, node: int | None, key: int) -> int:
    """Return where `key` leads from `node`: across a level, up to the parent, down to "yes"; else `node`."""
    if node is None or key == Qt.Key.Key_Home:
        return 0
    if key == Qt.Key.Key_Up:
        return max(int(tree.nodes["parent"][node]), 0)
    if key == Qt.Key.Key_Down:
        return node if tree.is_leaf[node] else int(tree.nodes["left"][node])
    other = node + (1 if key == Qt.Key.Key_Right else -1)  # nodes stand breadth-first
    if not 0 <= other < tree.n_nodes or tree.nodes["depth"][other] != tree.nodes["depth"][node]:
        return node
    return other
