"""The objective of the next run, with the target it is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.data.classes import positive_label
from workbench.isolation import isolated
from workbench.parameters.methods import METHODS
from workbench.parameters.training import BY_NAME
from workbench.views.controls import parameter_words as words
from workbench.views.controls.heading import Heading
from workbench.views.controls.note import NoteLabel
from workbench.views.controls.parameter_row import PADDING
from workbench.views.controls.phrase_combo import PhraseCombo
from workbench.views.controls.search_words import texts_of
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_marked_tip, set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.classes import Label
    from workbench.session.session import Session

DECLARED = BY_NAME["objective"]


class ObjectiveChoice(QWidget):
    """Heading and combo box; locked while a run is live."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._combo = PhraseCombo()
        self._combo.setAccessibleName(DECLARED.label)
        self._combo.activated.connect(self._write)
        self._note = NoteLabel()
        set_look(self._note, tone="error")
        column = QVBoxLayout(self)
        column.setContentsMargins(PADDING, 0, PADDING, 0)
        column.setSpacing(6)
        column.addWidget(Heading(DECLARED.label))
        column.addWidget(self._combo)
        column.addWidget(self._note)
        events = session.events
        for signal in (events.plan, events.table, events.state, events.params):
            signal.connect(self.synchronize)
        self.synchronize()

    def synchronize(self) -> None:
        """Show what the session says."""
        session = self._session
        takes = METHODS[session.hyperparameters.wanted.method].takes
        planned = session.data.plan.objective
        names = [f.name for f in session.choices if takes(f.name) or f.name == planned] or [planned]
        if names != [self._combo.itemText(index) for index in range(self._combo.count())]:
            self._combo.clear()
            self._combo.addItems(names)
        self._combo.setCurrentText(session.data.plan.objective)
        self._combo.set_phrase(target_phrase(session))
        locked = bool(session.runs.live)
        self._combo.setEnabled(not locked)
        if locked:
            set_tip(self._combo, words.locked_note(DECLARED))
        else:
            set_marked_tip(self._combo, words.tooltip(DECLARED))

    @property
    def note(self) -> str:
        """What speaks against the objective, "" where nothing does."""
        return self._note.text()

    @property
    def texts(self) -> tuple[str, ...]:
        """What finds it: names, words and the objectives on offer."""
        offered = (self._combo.itemText(index) for index in range(self._combo.count()))
        return (*texts_of(DECLARED), *offered)

    def set_note(self, text: str) -> None:
        """Say what speaks against the objective, or nothing."""
        self._note.say(text)

    def _write(self, index: int) -> None:
        self._session.data.set_objective(self._combo.itemText(index))


def target_phrase(session: Session) -> str:
    """Say what the objective is for: "target disease, positive yes"."""
    target = session.data.plan.target
    if session.data.table is None or target is None:
        return "no target yet"
    labels = session.data.table.column(target).categories
    if session.planned.task == "binary" and len(labels) == 2:
        positive = str(session.data.plan.positive or _guessed(session, target, labels))
        return f"target {isolated(target)}, positive {isolated(positive)}"
    if session.planned.task == "multiclass" and labels:
        return f"target {isolated(target)}, {len(labels)} classes"
    return f"target {isolated(target)}"


def _guessed(session: Session, target: str, labels: Sequence[str]) -> Label:
    """The positive class as training takes it."""
    summary = session.data.summaries.get(target)
    rows = dict(zip(summary.labels, summary.counts.tolist(), strict=False)) if summary else {}
    return positive_label(labels, target, [rows.get(label, 0) for label in labels])
