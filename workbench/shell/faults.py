"""Faults of the program: told in one line and logged, while everything else goes on."""

from __future__ import annotations

import logging
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from workbench.errors import one_line

if TYPE_CHECKING:
    from types import TracebackType

    from workbench.session.session import Session

log = logging.getLogger(__name__)


class Faults(QObject):
    """What `sys.excepthook` is while the window stands; the same fault is told once."""

    _found = Signal(str)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._known: set[str] = set()
        # Queued: a fault may come in the midst of painting, where nothing may be shown or hidden.
        self._found.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    def take(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Log an exception that nobody caught, and tell it."""
        if not issubclass(kind, Exception):
            sys.__excepthook__(kind, error, trace)
            return
        words = f"A fault of the program{_place(trace)}: {kind.__name__}: {one_line(str(error))}"
        if words not in self._known:
            self._known.add(words)
            # As text: a trace holds on to painters, whose widget may be gone before them.
            log.error("%s\n%s", words, "".join(traceback.format_exception(kind, error, trace)))
            self._found.emit(words)

    def _tell(self, words: str) -> None:
        self._session.notices.say(f"{words}. What is open stays open, and a run goes on.", "error")


def _place(trace: TracebackType | None) -> str:
    frames = traceback.extract_tb(trace)
    return f" in {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
