"""What to predict: the target, the objective, and the positive class of two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from workbench.number_text import count
from workbench.views.controls.heading import Heading
from workbench.views.controls.label import Label
from workbench.views.data.combo import WordCombo, Words
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.icons import icon_pixmap
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from workbench.session.session import Session
    from workbench.views.data.target import PlanCheck

_FEW = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class TargetChoice(QWidget):
    """Three combo boxes, and one line where nothing can be trained."""

    target_chosen = Signal(str)
    objective_chosen = Signal(str)
    positive_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.target = WordCombo("Target")
        self.objective = WordCombo("Objective")
        self.positive = WordCombo("Positive class")
        self.problem, self._mark = Label(), Label()
        self.has_classes = False
        self._build()

    def _build(self) -> None:
        set_tip(self.target, "The column that is to be predicted")
        set_tip(self.objective, "The loss that training makes small; it follows the target")
        set_tip(self.positive, "The class whose probability is predicted")
        pair = QHBoxLayout()
        pair.setSpacing(8)
        pair.addWidget(self.objective, 1)
        pair.addWidget(self.positive, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(Heading("What to predict"))
        column.addWidget(self.target)
        column.addLayout(pair)
        column.addLayout(self._build_problem())
        self.target.activated.connect(lambda index: self.target_chosen.emit(self.target.itemText(index)))
        self.objective.activated.connect(lambda i: self.objective_chosen.emit(self.objective.itemText(i)))
        self.positive.activated.connect(lambda i: self.positive_chosen.emit(self.positive.itemText(i)))

    def _build_problem(self) -> QHBoxLayout:
        self.problem.setWordWrap(True)
        self.problem.setFont(ui_font(NOTE))
        set_look(self.problem, tone="warning")
        line = QHBoxLayout()
        line.setSpacing(6)
        line.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self.problem, 1)
        for widget in (self._mark, self.problem):
            widget.hide()
        return line

    def show_plan(self, session: Session, locked: bool) -> None:
        """Show target and objective of the session's plan."""
        plan, table = session.data.plan, session.data.table
        self.target.show_items(table.names if table else (), plan.target or "")
        if plan.target is None:
            self.target.say(Words("choose what to predict", "text3"))
        else:
            guessed = "guessed, " if plan.target_guessed else ""
            note = guessed + _values(session, plan.target)
            self.target.say(Words(plan.target, bold=True), Words(note, "text3"))
        if self.objective.findText(plan.objective) < 0:
            self.objective.addItem(plan.objective)
        self.objective.setCurrentIndex(self.objective.findText(plan.objective))
        for combo in (self.target, self.objective, self.positive):
            combo.setEnabled(table is not None and not locked)

    def show_check(self, check: PlanCheck, session: Session) -> None:
        """Show what was found out: objectives that fit, classes, a problem."""
        if check.objectives:
            fits = {facts.task for facts in session.data.objectives if facts.name in check.objectives}
            own = (f.name for f in session.choices if f.task in fits and f not in session.data.objectives)
            self.objective.show_items((*check.objectives, *own), session.data.plan.objective)
        two = len(check.classes) == 2
        self.positive.setVisible(two)
        if two:
            self.positive.show_items(sorted(check.classes), check.classes[1])
            self.positive.say(Words("positive", "text3"), Words(check.classes[1]))
        self.problem.setText(check.problem)
        self._restyle()
        for widget in (self._mark, self.problem):
            widget.setVisible(bool(check.problem))
        self.has_classes = bool(check.classes)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._restyle()

    def _restyle(self) -> None:
        self._mark.setPixmap(icon_pixmap("warning", "warning", 15))


def _values(session: Session, target: str) -> str:
    summary = session.data.summaries.get(target)
    if summary is None:
        return ""
    number = _FEW[summary.distinct] if summary.distinct < len(_FEW) else count(summary.distinct)
    return f"{number} value" + ("" if summary.distinct == 1 else "s")
