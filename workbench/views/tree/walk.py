"""Walking a tree by keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from workbench.views.tree.scene import TreeScene

UP, DOWN, BEFORE, AFTER = range(4)
UPRIGHT = {Qt.Key.Key_Up: UP, Qt.Key.Key_Down: DOWN, Qt.Key.Key_Left: BEFORE, Qt.Key.Key_Right: AFTER}
SIDEWAYS = {Qt.Key.Key_Left: UP, Qt.Key.Key_Right: DOWN, Qt.Key.Key_Up: BEFORE, Qt.Key.Key_Down: AFTER}
WALK_KEYS = (*UPRIGHT, Qt.Key.Key_Home)


def neighbour(scene: TreeScene, node: int | None, key: int) -> int:
    """Return where `key` leads from `node` as the tree is drawn; the node itself where there is nothing.

    To the parent, down to "yes", to the next of those that are shown on the level; Home to the root.
    """
    if node is None or key == Qt.Key.Key_Home:
        return 0
    node = scene.places.standing(node)
    way = (SIDEWAYS if scene.arrangement.is_sideways else UPRIGHT)[Qt.Key(key)]
    nodes, shown = scene.tree.nodes, scene.layout.shown
    if way == UP:
        return max(int(nodes["parent"][node]), 0)
    if way == DOWN:
        return node if scene.tree.is_leaf[node] or scene.layout.folded[node] else int(nodes["left"][node])
    place = int(np.searchsorted(shown, node)) + (1 if way == AFTER else -1)
    if not 0 <= place < len(shown) or nodes["depth"][shown[place]] != nodes["depth"][node]:
        return node
    return int(shown[place])
