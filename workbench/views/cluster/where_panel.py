"""Where runs train: this machine, a cluster on it, or a scheduler; opened below a button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
)

from workbench.cluster.where import LOCAL, Where
from workbench.errors import WorkbenchError
from workbench.number_text import counted
from workbench.views.controls.heading import Heading
from workbench.views.controls.label import Label
from workbench.views.controls.note import NoteLabel
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance
    from PySide6.QtWidgets import QWidget

    from workbench.cluster.connection import ClusterFacts
    from workbench.workers.cluster_desk import ClusterDesk

WIDTH = 420
HERE, ON_THIS_MACHINE, SCHEDULER = range(3)
CHOICES = ("This machine", "A cluster on this machine", "A scheduler")
# By field: label, what an empty one means, and the choice that it belongs to.
FIELDS = {
    "workers": ("Workers", "as many as cores, up to 4", ON_THIS_MACHINE),
    "threads": ("Threads of each", "the cores shared out", ON_THIS_MACHINE),
    "memory": ("Memory of each", "an equal share; 4 GB, say", ON_THIS_MACHINE),
    "address": ("Address or file", "tcp://host:8786 or scheduler.json", SCHEDULER),
    "ca_file": ("TLS authority", "none; a PEM file", SCHEDULER),
    "certificate": ("TLS certificate", "none; a PEM file", SCHEDULER),
    "key": ("TLS key", "none; a PEM file", SCHEDULER),
}
WHOLE = ("workers", "threads")
SAYINGS = {
    HERE: "Runs train in this program.",
    ON_THIS_MACHINE: "Worker processes are started, and runs train with xgboost.dask on them.",
    SCHEDULER: "Nothing is contacted before Connect is pressed. The open table is sent to the workers; one "
    "that is opened below stays there.",
}


class WherePanel(QFrame):
    """Shows and changes where runs train; `table_wanted` and `scoring_wanted` carry a path there."""

    table_wanted = Signal(str)
    scoring_wanted = Signal(str)

    def __init__(self, desk: ClusterDesk, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_look(self, popup=True)
        self.setFixedWidth(px(WIDTH))
        self.setAccessibleName("Where runs train")
        self._desk = desk
        self.choice = QComboBox()
        self.choice.setAccessibleName("Where")
        self.choice.addItems(CHOICES)
        self.fields = {name: QLineEdit() for name in FIELDS}
        self._labels = {name: Label(label) for name, (label, _, _) in FIELDS.items()}
        self._saying, self._facts, self._note = NoteLabel(), Label(""), NoteLabel()
        self._address = ""  # of the dashboard
        self._link = QPushButton("Dashboard")
        self.button = QPushButton("Connect")
        self.path, self.open_button = QLineEdit(), QPushButton("Open there")
        self.score_button = QPushButton("Score…")
        self._table_label = Label("Table that stays there")
        self._build()
        self._fill()
        self.choice.currentIndexChanged.connect(self._choose)
        self.button.clicked.connect(self._press)
        self.path.textChanged.connect(self._show_state)
        self.path.returnPressed.connect(self._open_table)
        self.open_button.clicked.connect(self._open_table)
        self.score_button.clicked.connect(lambda: self._pass_on(self.scoring_wanted))
        desk.changed.connect(self._show_state)
        self._show_choice()
        self._show_state()

    def _build(self) -> None:
        set_look(self._saying, tone="3")
        set_look(self._note, tone="error")
        set_look(self.button, primary=True)
        self._link.clicked.connect(self._open_dashboard)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 14)
        column.setSpacing(8)
        column.addWidget(Heading("Where runs train"))
        column.addWidget(self.choice)
        column.addWidget(self._saying)
        column.addLayout(self._build_fields())
        row = QHBoxLayout()
        row.addWidget(self._facts)
        row.addWidget(self._link)
        row.addStretch(1)
        row.addWidget(self.button)
        column.addLayout(row)
        column.addWidget(self._note)
        column.addWidget(self._table_label)
        column.addWidget(self.path)
        table = QHBoxLayout()
        table.addStretch(1)
        table.addWidget(self.open_button)
        table.addWidget(self.score_button)
        set_tip(self.score_button, "Predict its rows there with the shown model, partition by partition")
        column.addLayout(table)
        self.path.setPlaceholderText("Parquet or a folder of CSV: a path or s3://…")
        self.path.setAccessibleName("Path or address of the table")
        set_tip(self.path, "As the workers open it. Only its first rows come to this machine.")

    def _build_fields(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        for line, (name, (label, empty, _)) in enumerate(FIELDS.items()):
            self.fields[name].setPlaceholderText(empty)
            self.fields[name].setAccessibleName(label)
            grid.addWidget(self._labels[name], line, 0)
            grid.addWidget(self.fields[name], line, 1)
        grid.setColumnStretch(1, 1)
        return grid

    def _fill(self) -> None:
        """Show where the desk is connected to."""
        where = self._desk.state.where
        if where is None:
            return
        self.choice.setCurrentIndex(ON_THIS_MACHINE if where.is_local else SCHEDULER)
        for name, field in self.fields.items():
            value = getattr(where, name)
            field.setText("" if value in (0, "", LOCAL) else str(value))

    def _choose(self) -> None:
        self._show_choice()
        if self.choice.currentIndex() == HERE:
            self._desk.leave()
        self._show_state()

    def _show_choice(self) -> None:
        at = self.choice.currentIndex()
        for name, (_, _, of) in FIELDS.items():
            for widget in (self._labels[name], self.fields[name]):
                widget.setVisible(of == at)
        self._saying.say(SAYINGS[at])
        self.adjustSize()

    def _open_dashboard(self) -> None:
        QDesktopServices.openUrl(QUrl(self._address))

    def _show_state(self) -> None:
        state, at = self._desk.state, self.choice.currentIndex()
        missing = self._desk.lacks if at != HERE else ""
        self.button.setVisible(at != HERE)
        self.button.setEnabled(not state.is_connecting and not missing)
        words = "Connecting …" if state.is_connecting else "Disconnect" if state.is_connected else "Connect"
        self.button.setText(words)
        for field in self.fields.values():
            field.setEnabled(not (state.is_connecting or state.is_connected))
        self._facts.setText(facts_words(state.facts) if state.facts is not None else "")
        self._address = state.facts.dashboard if state.facts is not None else ""
        self._link.setVisible(self._address.startswith(("http://", "https://")))
        set_tip(self._link, self._address)
        self._note.say(missing or state.text)
        for widget in (self._table_label, self.path, self.open_button, self.score_button):
            widget.setVisible(state.is_connected)
        for button in (self.open_button, self.score_button):
            button.setEnabled(bool(self.path.text().strip()))
        self.adjustSize()

    def _open_table(self) -> None:
        self._pass_on(self.table_wanted)

    def _pass_on(self, wanted: SignalInstance) -> None:
        path = self.path.text().strip()
        if path and self._desk.state.is_connected:
            wanted.emit(path)
            self.close()

    def _press(self) -> None:
        if self._desk.state.is_connected:
            self._desk.leave()
            return
        try:
            self._desk.connect_to(self._wanted())
        except WorkbenchError as error:
            self._note.say(str(error))
            self.adjustSize()

    def _wanted(self) -> Where:
        """Return the cluster that the fields say."""
        at = self.choice.currentIndex()
        typed = {name: field.text().strip() for name, field in self.fields.items() if FIELDS[name][2] == at}
        for name in WHOLE:
            if typed.get(name) and not typed[name].isdecimal():
                raise WorkbenchError(f"'{typed[name]:.20}' is no whole number. Write 2, say, or nothing.")
        values = {name: int(text or 0) if name in WHOLE else text for name, text in typed.items()}
        return Where(**({"address": LOCAL} | values))  # type: ignore[arg-type]


def facts_words(facts: ClusterFacts) -> str:
    """Say what a cluster has."""
    return f"{counted(facts.workers, 'worker')}, {counted(facts.cores, 'core')}, {facts.memory / 1e9:.3g} GB"
