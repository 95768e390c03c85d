"""What stands round the pages: title, status line, and what the menus say of runs and exports."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.shell.words import PROGRAM, sentence, title, with_view
from workbench.version import __version__
from workbench.views.look.window_title import set_window_title
from workbench.views.turns.in_turns import InTurns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QWidget

    from workbench.session.session import Session
    from workbench.shell.frame import Frame
    from workbench.shell.projects import Projects
    from workbench.workers.warmup import Warmup

OF_ROUNDS = ("export", "history", "score", "score_there", "branch")  # actions that need some


class TitleAndStatus(QObject):
    """Follows the session, the page and the view that is shown."""

    def __init__(
        self, session: Session, frame: Frame, projects: Projects, warmup: Warmup, actions: dict[str, QAction],
        window: QWidget,
    ) -> None:  # fmt: skip
        super().__init__(frame)
        self._session, self._frame, self._projects, self._actions = session, frame, projects, actions
        self._window = window
        self._said: dict[str, str] = {}  # by view: what it says of itself in the status line
        self._sentence = InTurns(self._show_sentence, self)
        for view in frame.views:
            if hasattr(view, "status_changed"):
                view.status_changed.connect(partial(self._view_said, view.name))
        frame.centre.changed.connect(self._show_rounds)
        projects.changed.connect(self._show_title)
        warmup.progressed.connect(frame.status.show_kernels)
        warmup.finished.connect(frame.status.kernels_done)
        self._follow_session()

    def _follow_session(self) -> None:
        events = self._session.events
        for signal in (events.table, events.runs, events.state, events.plan):
            signal.connect(self.synchronize)
        for signal in (events.rounds, events.selection):
            signal.connect(self._show_rounds)
        events.what_if.connect(self._show_title)
        events.validation.connect(self._show_stop)
        events.params.connect(self._follow_params)

    def synchronize(self) -> None:
        """Follow the session: title, buttons, words."""
        self._frame.transport.synchronize(self._session)
        self._show_title()
        self._show_rounds()

    def _show_stop(self) -> None:
        self._frame.transport.show_stop(self._session)

    def _show_title(self) -> None:
        on_welcome = self._frame.on_welcome
        name, rest = title(self._session, on_welcome, self._projects.path)
        mark = "• " if self._projects.has_unsaved and not on_welcome else ""
        self._frame.top_bar.title.show_words(f"{mark}{name}", rest)
        set_window_title(self._window, name if name == PROGRAM else f"{mark}{name} – {PROGRAM}")

    def _show_rounds(self) -> None:
        run, runs = self._session.shown.run, self._session.runs
        for name in OF_ROUNDS:
            self._actions[name].setEnabled(run is not None and bool(run.rounds))
        self._actions["branch"].setText(f"Continue from here{self._session.with_objective}")
        self._actions["earlier_run"].setEnabled(run is not None and run is not runs[0])
        self._actions["later_run"].setEnabled(run is not None and run is not runs[-1])
        self._sentence.start_soon()

    def _show_sentence(self) -> Iterator[None]:
        """Show what the window is doing, once for all that is said at a time."""
        status = self._frame.status
        if self._frame.on_welcome:
            status.show_words("", f"Version {__version__}")
        else:
            text, facts = sentence(self._session)
            said = self._said.get(self._frame.centre.current, "")
            status.show_words(with_view(self._session, text, said), facts)
        yield

    def _follow_params(self) -> None:
        self._frame.transport.show_clash(self._session)
        self._show_rounds()

    def _view_said(self, name: str, text: str) -> None:
        self._said[name] = text
        self._sentence.start_soon()
