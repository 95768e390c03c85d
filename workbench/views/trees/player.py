"""Plays the growth of an ensemble: one round after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from workbench.session.session import Session

BEAT_MS, LONGEST_MS = 120, 12_000  # long runs take larger steps


class Player(QObject):
    """Steps through the rounds of the shown run until its end, or until it is stopped."""

    changed = Signal(bool)  # whether it plays

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session: Session | None = None
        self._shown = 0
        self._timer = QTimer(self)
        self._timer.setInterval(BEAT_MS)
        self._timer.timeout.connect(self.step)

    @property
    def plays(self) -> bool:
        """Whether it plays."""
        return self._timer.isActive()

    def toggle(self, session: Session) -> None:
        """Play from the shown round on, from the first where that is the last; or stop."""
        if self.plays:
            self.stop()
        elif session.shown.run is not None and session.shown.run.rounds:
            self._session = session
            if session.shown.round >= len(session.shown.run.rounds):
                session.shown.select(round=1)
            self._shown = session.shown.round
            self._timer.start()
            self.changed.emit(True)

    def stop(self) -> None:
        """Stay at the round that is shown."""
        if self.plays:
            self._timer.stop()
            self.changed.emit(False)

    def step(self) -> None:
        """Show the next round; another round chosen meanwhile ends the play."""
        session = self._session
        rounds = len(session.shown.run.rounds) if session is not None and session.shown.run is not None else 0
        if session is None or session.shown.round != self._shown or self._shown >= rounds:
            self.stop()
            return
        self._shown = min(self._shown + max(rounds * BEAT_MS // LONGEST_MS, 1), rounds)
        session.shown.select(round=self._shown)
