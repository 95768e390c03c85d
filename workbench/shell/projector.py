"""The size of a lecture hall, on and off with one key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from workbench.views.look.projector import project
from workbench.views.look.scale import scale

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from workbench.shell.frame import Frame


class Projector(QObject):
    """Nothing of it is remembered: the next sitting begins as set."""

    def __init__(self, frame: Frame, action: QAction) -> None:
        super().__init__(frame)
        self._frame, self._action = frame, action

    def toggle(self) -> None:
        """Show everything larger, or as it was."""
        app = QApplication.instance()
        if isinstance(app, QApplication):
            project(app, scale() == 1.0)
            self._action.setChecked(scale() != 1.0)
            self._frame.rescale()
