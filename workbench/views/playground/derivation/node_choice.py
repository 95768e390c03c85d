"""A choice among nodes of the tree; what a person chooses becomes the selection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Signal

from workbench.views.controls.phrase_combo import PhraseCombo
from workbench.views.look.fonts import NOTE, ui_font

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_OFFERED = 400


class NodeChoice(PhraseCombo):
    """`node_chosen` tells the node."""

    node_chosen = Signal(int)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setFont(ui_font(NOTE))
        self.setAccessibleName(name)
        self._nodes: tuple[int, ...] = ()
        self._words: list[str] = []
        self.activated.connect(lambda place: self.node_chosen.emit(self._nodes[place]))

    def show_nodes(self, nodes: Sequence[int], words: Sequence[str], chosen: int) -> None:
        """Offer nodes, and mark the chosen one."""
        with QSignalBlocker(self):
            self._nodes = tuple(nodes)
            if words != self._words:
                self._words = list(words)
                self.clear()
                self.addItems(self._words)
            self.setCurrentIndex(self._nodes.index(chosen) if chosen in self._nodes else -1)
