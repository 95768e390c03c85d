"""Light or dark: as the person chose, or as the system has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from workbench.views.look.style import apply_scheme

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from workbench.shell.frame import Frame
    from workbench.shell.settings import Settings


class ColourScheme(QObject):
    """Puts a colour scheme on the application and remembers it."""

    def __init__(self, settings: Settings, frame: Frame, actions: dict[str, QAction]) -> None:
        super().__init__(frame)
        self._settings, self._frame, self._actions = settings, frame, actions
        self._actions[str(settings.get("scheme"))].setChecked(True)
        QApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    def use_light(self) -> None:
        """Light colours, whatever the system says."""
        self.use("light")

    def use_dark(self) -> None:
        """Dark colours, whatever the system says."""
        self.use("dark")

    def use_system(self) -> None:
        """The system's colours."""
        self.use("system")

    def use(self, scheme: str) -> None:
        """Put on a colour scheme and remember it."""
        self._settings.set(scheme=scheme)
        for name in ("light", "dark", "system"):
            self._actions[name].setChecked(name == scheme)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            apply_scheme(app, scheme)
        self._frame.restyle()

    def _follow_system(self) -> None:
        if self._settings.get("scheme") == "system":
            self.use("system")
