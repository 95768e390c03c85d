"""Open, Train / Pause / Resume, Step, Stop: the buttons at the left of the round ruler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal, SignalInstance
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from workbench.session.run import RunState
from workbench.views.breakpoints.until_button import UntilButton
from workbench.views.look.icons import icon
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from workbench.session.session import Session
    from workbench.workers.cluster_desk import ClusterDesk

NATURAL, STEP_WIDTH = 295, 74  # pixels of the whole, and of the widest button that may shrink
PRIMARY_WIDTH = 92
GAP, ICON_GAP = 7, 4  # between buttons, and between icon and word
STEP_TIP = "Grow one round, then wait (→)"
PRIMARY = {  # state of the run in hand: word, icon, tooltip
    None: ("Train", "play-fill", "Start a new run"),
    RunState.PREPARING: ("Pause", "pause-fill", "Wait after the first round"),
    RunState.RUNNING: ("Pause", "pause-fill", "Wait after this round"),
    RunState.PAUSED: ("Resume", "play-fill", "Go on growing trees"),
    RunState.ENDED: (
        "Train", "play-fill",
        "Start a new run; this one is kept (Ctrl+PgUp shows it), and Run · Continue grows it on",
    ),
    RunState.FAILED: ("Train", "play-fill", "Start a new run"),
}


class Transport(QWidget):
    """Four buttons that change word and icon, never width; beside Train, how far to run and what pauses."""

    opened = Signal()
    primary = Signal()
    step = Signal()
    stopped = Signal()

    def __init__(self, session: Session, desk: ClusterDesk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.until_button = UntilButton(session, desk)
        self._look = PRIMARY[None]
        self._build()
        set_look(self, ground="panel")

    def _build(self) -> None:
        self.open_button = self._button("", "Open a table or a model (Ctrl+O)", self.opened, 32)
        self.primary_button = self._button("Train", "", self.primary, PRIMARY_WIDTH)
        self.step_button = self._button("Step", STEP_TIP, self.step, STEP_WIDTH)
        self.stop_button = self._button("", "Stop now and keep the model so far (Ctrl+.)", self.stopped, 32)
        set_look(self.primary_button, primary=True)
        for button in (self.open_button, self.step_button, self.stop_button):
            set_look(button, fit="icon")
        self._row = QHBoxLayout(self)
        train = QHBoxLayout()
        train.setSpacing(1)
        for button in (self.primary_button, self.until_button):
            train.addWidget(button)
        self._row.addWidget(self.open_button)
        self._row.addLayout(train)
        for button in (self.step_button, self.stop_button):
            self._row.addWidget(button)
        self._row.addStretch(1)
        self.set_width(NATURAL)

    def set_width(self, width: int) -> None:
        """Be as wide as the left dock; the buttons come nearer to each other in a narrow one."""
        self.setFixedWidth(width)
        self.setProperty("keeps_size", True)
        short = max(NATURAL - width, 0)
        self._row.setContentsMargins(12 - short // 8, 0, 12 - short // 4, 0)
        self._row.setSpacing(GAP - short // 8)
        self.step_button.setFixedWidth(STEP_WIDTH - short // 3)

    def _button(self, text: str, tip: str, signal: SignalInstance, width: int) -> QPushButton:
        button = QPushButton(text)
        set_tip(button, tip)
        button.setAccessibleName(tip.split(" (")[0] or text)
        button.setFixedWidth(width)
        button.setProperty("keeps_size", True)  # the words have room, and the dock grows less than they
        button.setIconSize(QSize(16 + ICON_GAP if text else 16, 16))
        button.clicked.connect(signal)
        return button

    def restyle(self) -> None:
        """Tint the icons with the present theme."""
        self.until_button.restyle()
        self.open_button.setIcon(icon("folder-open"))
        self.step_button.setIcon(icon("skip-forward", gap=ICON_GAP))
        self.stop_button.setIcon(icon("stop"))
        self.primary_button.setIcon(icon(self._look[1], "on_accent", gap=ICON_GAP))

    def synchronize(self, session: Session) -> None:
        """Follow the run that trains, else the shown one."""
        run = session.runs.in_hand
        look = PRIMARY[run.state if run else None]
        if look != self._look:
            self._look, word = look, look[0]
            self.primary_button.setText(word)
            self.primary_button.setAccessibleName(word)
            self.restyle()
        self.show_stop(session)
        self.show_clash(session)

    def show_stop(self, session: Session) -> None:
        """Let be stopped what trains: a run, else folds."""
        run = session.runs.in_hand
        live = run is not None and run.is_live
        self.stop_button.setEnabled(live or session.validation.live is not None)

    def show_clash(self, session: Session) -> None:
        """Let no run start where choices clash; the buttons say which."""
        run = session.runs.in_hand
        clash = None if run is not None and run.is_live else session.clash
        ready = session.data.table is not None and clash is None
        running = run is not None and run.state in (RunState.RUNNING, RunState.PREPARING)
        self.primary_button.setEnabled(ready)
        self.until_button.setEnabled(session.data.table is not None)
        self.step_button.setEnabled(ready and not running)
        whose = f"Run {run.number}: " if run is not None and run is not session.shown.run else ""
        set_tip(self.primary_button, clash.text if clash else f"{whose}{self._look[2]} (Space)")
        set_tip(self.step_button, clash.text if clash else STEP_TIP)
