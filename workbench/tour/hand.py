"""A hand in the window: it acts as a person would, waits for what follows, and takes pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEventLoop, QTimer

from workbench.formats.bytes.files import atomic_write
from workbench.views.export.picture_file import png_of
from workbench.views.turns.held import picture_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from workbench.session.run import RunState
    from workbench.session.session import Session
    from workbench.shell.main_window import MainWindow

LIMIT_MS = 180_000
TURN_MS = 5
LOOKED_INTO_MS = 1500  # until a node's columns are scanned, and doubtful splits counted
COMMON, SMALLEST = (1440, 900), (1280, 800)


class Hand:
    """Pictures go to a folder, numbered as they are taken."""

    def __init__(self, window: MainWindow, folder: Path) -> None:
        self.window = window
        self.folder = folder
        self.pictures: list[Path] = []

    @property
    def session(self) -> Session:
        """The window's session."""
        return self.window.bench.session

    @property
    def rounds(self) -> int:
        """Rounds of the shown run so far."""
        return len(self.session.shown.run.rounds) if self.session.shown.run else 0

    @property
    def state(self) -> RunState | None:
        """State of the shown run."""
        return self.session.shown.run.state if self.session.shown.run else None

    def shoot(self, name: str) -> None:
        """Take a picture once everything is drawn."""
        self.pause(60)
        path = self.folder / f"{len(self.pictures) + 1:02d}-{name}.png"
        atomic_write(path, png_of(picture_of(self.window)))
        self.pictures.append(path)

    def pause(self, milliseconds: int) -> None:
        """Let the window work for a moment."""
        loop = QEventLoop()
        QTimer.singleShot(milliseconds, loop.quit)
        loop.exec()

    def until(self, condition: Callable[[], bool]) -> None:
        """Let the window work until `condition` holds; give up after three minutes."""
        loop, spent = QEventLoop(), 0
        timer = QTimer()
        timer.setInterval(TURN_MS)

        def turn() -> None:
            nonlocal spent
            spent += TURN_MS
            notice = self.session.notices.current
            failed = notice is not None and notice.severity == "error"
            if condition() or failed or spent > LIMIT_MS:
                loop.quit()

        timer.timeout.connect(turn)
        timer.start()
        loop.exec()
        timer.stop()
        if not condition():
            notice = self.session.notices.current
            raise RuntimeError(f"The tour got stuck: {notice.text if notice else 'nothing happened'}")

    def page_of(self, view: str) -> Any:
        """The page that a tab of pages shows."""
        tab: Any = self.window.frame.centre.view(view)
        return tab.page

    def shoot_both(self, name: str) -> None:
        """At the common size in light, and at the smallest in dark."""
        self.shoot(name)
        self.dark_and_small(f"{name}_dark_small")

    def dark_and_small(self, name: str) -> None:
        """At the smallest common size in dark."""
        self.window.scheme.use_dark()
        self.window.resize(*SMALLEST)
        self.pause(LOOKED_INTO_MS)
        self.shoot(name)
        self.window.scheme.use_light()
        self.window.resize(*COMMON)
