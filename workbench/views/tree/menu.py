"""The context menu of the tree: every way to move and fold, with its key, and to edit it by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from workbench.views.edits.actions import EditActions

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QWidget

    from workbench.views.edits.actions import NodePlace
    from workbench.views.tree.scene import TreeScene
    from workbench.workers.edit_desk import EditDesk


class NodeMenu(QMenu):
    """For the selected node, and for the whole tree."""

    def __init__(self, parent: QWidget, desk: EditDesk) -> None:
        super().__init__(parent)
        self.zoom_to = self._add("Zoom to the node", "Enter")
        self.fold = self._add("Fold what is below", "C")
        self.unfold_all = self._add("Unfold everything")
        self.addSeparator()
        self.fit = self._add("Show the whole tree", "F")
        self.zoom_in, self.zoom_out = self._add("Zoom in", "+"), self._add("Zoom out", "−")
        self.addSeparator()
        self.back, self.forward = self._add("Back", "Alt+←"), self._add("Forward", "Alt+→")
        self.earlier, self.later = self._add("Previous round", "["), self._add("Next round", "]")
        self.addSeparator()
        self.edits = EditActions(desk, self)

    def offer(self, scene: TreeScene, node: int | None, at: NodePlace | None) -> None:
        """Enable what can be done to a node, which stands `at` this place of its run."""
        self.edits.offer(at)
        is_split = node is not None and not scene.tree.is_leaf[node]
        self.zoom_to.setEnabled(node is not None)
        self.fold.setEnabled(is_split)
        self.fold.setText(f"{'Unfold' if node in scene.folded else 'Fold'} what is below\tC")
        self.unfold_all.setEnabled(bool(scene.folded))

    def _add(self, words: str, key: str = "") -> QAction:
        return self.addAction(f"{words}\t{key}" if key else words)
