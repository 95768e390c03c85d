"""The docks beside the centre: which are shown, how large they are, and where the keyboard is."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint, QSize, Qt
from PySide6.QtWidgets import QApplication

from workbench.shell.frame import WITH_INSPECTOR

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from workbench.shell.frame import Frame
    from workbench.shell.settings import Settings

STANDARD = (1440, 900)
SYSTEM_FRAME = (16, 48)  # pixels that title bar and borders of the system take, at most


class Docks(QObject):
    """Shows and hides docks, and keeps their sizes and the window's from sitting to sitting."""

    def __init__(
        self, window: QMainWindow, frame: Frame, settings: Settings, actions: dict[str, QAction]
    ) -> None:
        super().__init__(frame)
        self._window, self._frame, self._settings, self._actions = window, frame, settings, actions
        for view in frame.views:
            if hasattr(view, "view_wanted"):
                view.view_wanted.connect(frame.centre.show_view)
            if hasattr(view, "rows_alone_wanted"):
                view.rows_alone_wanted.connect(self.show_rows_alone)
            if hasattr(view, "wanted"):
                view.wanted.connect(partial(self.show_bottom_view, view.name))

    def toggle_left(self, shown: bool) -> None:
        """Show or hide the left dock."""
        self._frame.show_left(shown)

    def toggle_bottom(self, shown: bool) -> None:
        """Show or hide the inspector."""
        self._frame.want_inspector(shown)

    def show_bottom_view(self, name: str) -> None:
        """Show a view of the bottom dock, wherever the person is."""
        self._actions["bottom"].setChecked(True)
        self.toggle_bottom(True)
        self._frame.centre.show_view(WITH_INSPECTOR)
        self._frame.bottom.show_view(name)

    def show_rows_alone(self) -> None:
        """Show the table with nothing but the rows that are selected together."""
        table: Any = self._frame.centre.view("table")
        self._frame.centre.show_view("table")
        table.show_together()

    def focus_next(self) -> None:
        """Move the keyboard to the next panel."""
        frame, focus = self._frame, QApplication.focusWidget()
        places = [part for part in (frame.left, frame.centre, frame.bottom) if part.isVisible()]
        held = [focus is not None and part.isAncestorOf(focus) for part in places]
        if places:  # none on the welcome page, and where a file is looked at
            place = places[(held.index(True) + 1) % len(places) if True in held else 0]
            place.bar.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def remember(self) -> None:
        """Keep sizes and place for the next sitting."""
        self._settings.set(
            geometry=self._window.saveGeometry(), body_splitter=self._frame.body.saveState(),
            inspector_height=self._frame.inspector_height,
        )  # fmt: skip

    def restore(self) -> None:
        """Give window and docks the sizes of the sitting before, or those that suit the screen."""
        window, frame = self._window, self._frame
        screen = window.screen().availableGeometry()
        size = QSize(*STANDARD).boundedTo(screen.size() - QSize(*SYSTEM_FRAME))
        window.resize(size.expandedTo(window.minimumSize()))
        window.move(screen.center() - QPoint(size.width() // 2, (size.height() + SYSTEM_FRAME[1]) // 2))
        frame.default_sizes(window.width())
        restorers = {
            "geometry": window.restoreGeometry,
            "body_splitter": frame.body.restoreState,
        }
        for name, restore in restorers.items():
            stored = self._settings.get(name)
            if stored is not None:
                restore(stored)
        with suppress(TypeError, ValueError):  # what another program wrote there
            frame.inspector_height = int(self._settings.get("inspector_height"))
        for name in ("left", "bottom"):
            self._actions[name].setChecked(True)
