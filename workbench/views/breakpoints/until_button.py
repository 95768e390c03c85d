"""The small button beside Train: how far the run goes, and what pauses it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Signal
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from workbench.ensembles.breakpoints.goals import RunFor, RunTo, RunUntilStale
from workbench.number_text import count
from workbench.views.breakpoints.panel import BreakpointsPanel
from workbench.views.cluster.where_panel import WherePanel
from workbench.views.export.export_menu import open_menu
from workbench.views.look.icons import icon
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from workbench.session.session import Session
    from workbench.workers.cluster_desk import ClusterDesk

WIDTH = 22
AWAY = (40, 60)  # pixels in the window, where the button is not shown
TIP = "Where to continue, how far to run, what pauses a run (Ctrl+Shift+U opens it), and where it trains"
CHOICES = (
    ("Run to round…", RunTo.name),
    ("Run for … seconds", RunFor.name),
    ("Run until no better for … rounds", RunUntilStale.name),
    ("Breakpoints…", ""),
)


class UntilButton(QPushButton):
    """A caret that opens a menu; `aimed` carries the goal that was chosen, `branched` none.

    `table_wanted` and `scoring_wanted` carry the path or address of a table that stays on a cluster.
    """

    aimed = Signal(object)
    branched = Signal()
    table_wanted = Signal(str)
    scoring_wanted = Signal(str)

    def __init__(self, session: Session, desk: ClusterDesk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._desk = session, desk
        self.setFixedWidth(WIDTH)
        self.setProperty("keeps_size", True)
        self.setIconSize(QSize(12, 12))
        self.setAccessibleName("Run until, and breakpoints")
        set_tip(self, TIP)
        set_look(self, fit="icon")
        self.clicked.connect(self.open_menu)

    def restyle(self) -> None:
        """Tint the icon with the present theme."""
        self.setIcon(icon("caret-down", "text2", 12))

    def open_menu(self) -> None:
        """Offer the round of the ruler to go on from, goals and breakpoints."""
        menu, shown = QMenu(self), self._session.shown
        if shown.can_be_branched:
            text = f"Continue from round {count(shown.round)}{self._session.with_objective}"
            menu.addAction(text, self.branched.emit)
            menu.addSeparator()
        for text, name in CHOICES:
            if not name:
                menu.addSeparator()
            menu.addAction(text, partial(self.open_panel, name))
        menu.addAction(f"Where: {self._desk.state.label}…", self.open_where)
        open_menu(menu, self)

    def open_panel(self, name: str | bool = "") -> None:
        """Open the panel, with the keyboard in the field of the goal called so."""
        panel = BreakpointsPanel(self._session, self)
        panel.aimed.connect(self.aimed)
        panel.move(self.mapToGlobal(QPoint(0, self.height() + 2)))
        panel.show()
        panel.focus_on(name if isinstance(name, str) else "")

    def open_where(self) -> None:
        """Open the panel that says where runs train, and which tables stay there."""
        panel = WherePanel(self._desk, self)
        panel.table_wanted.connect(self.table_wanted)
        panel.scoring_wanted.connect(self.scoring_wanted)
        below = self.mapToGlobal(QPoint(0, self.height() + 2))
        window = self.window()
        panel.move(below if self.isVisible() else window.mapToGlobal(QPoint(*AWAY)))
        panel.show()
        panel.choice.setFocus()
