"""One step: its title, a sentence, formulas that can be copied, and beside them a plot or a table."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from workbench.views.controls.heading import rule
from workbench.views.controls.label import Label
from workbench.views.controls.note import NoteLabel
from workbench.views.formula.formula import FormulaView
from workbench.views.look.fonts import HERO, NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QResizeEvent

    from workbench.views.formula.formula import Formula
    from workbench.views.playground.derivation.subject import Subject

COPIES = ("LaTeX", "Python", "Text")
EDGE, GAP = 16, 24
BOTH = 760  # pixels as set in which formulas and a plot have room beside each other


class StepSection(QWidget):
    """A step says in `show_subject` what it shows; it keeps its place and size as its numbers change."""

    number: ClassVar[int] = 0
    title: ClassVar[str] = ""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.sentence, self.remark, self.formulas = NoteLabel(), NoteLabel(), FormulaView(self)
        self.copy_buttons = {form: QPushButton(form) for form in COPIES}
        self._row: QBoxLayout | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(EDGE, 14, EDGE, 14)
        self._column.setSpacing(8)
        self._column.addLayout(self._build_head())
        self._column.addWidget(self.sentence)
        self._build_body()
        self._column.addWidget(self.remark)
        self._column.addWidget(rule())
        set_look(self.sentence, tone="2")
        set_look(self.remark, tone="2")
        self.setAccessibleName(f"Step {self.number}: {self.title}")

    def build(self) -> Iterator[None]:
        """Make what takes long, a part each time the next is asked for; all of it before it is shown."""
        yield from ()

    def _build_head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(6)
        title = Label(f"{self.number}  {self.title}")
        title.setFont(ui_font(HERO, bold=True))
        head.addWidget(title)
        head.addStretch(1)
        words = Label("Copy as")
        words.setFont(ui_font(NOTE))
        set_look(words, tone="3")
        head.addWidget(words)
        for form, button in self.copy_buttons.items():
            set_look(button, flat=True, fit="tool")
            button.setAccessibleName(f"Copy step {self.number} as {form}")
            set_tip(button, f"Copy the formulas of this step and their numbers as {form}")
            button.clicked.connect(partial(self.copy, form))
            head.addWidget(button)
        return head

    def _build_body(self) -> None:
        """Formulas at the left, what `beside` makes at the right."""
        self._row = row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        row.setSpacing(GAP)
        left = QVBoxLayout()
        left.setSpacing(8)
        for part in (*self.chooser(), self.formulas):
            left.addWidget(part)
        left.addStretch(1)
        self.formulas.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        row.addLayout(left, 1)
        self._beside = self.beside()
        if self._beside is not None:
            row.addWidget(self._beside, 1)
        self._column.addLayout(row)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put what stands at the right below where there is no room for both."""
        super().resizeEvent(event)
        is_wide = self.width() >= px(BOTH)
        way = QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom
        if self._row is not None and self._row.direction() != way:
            self._row.setDirection(way)

    def chooser(self) -> tuple[QWidget, ...]:
        """What stands over the formulas."""
        return ()

    def beside(self) -> QWidget | None:
        """What stands at their right."""
        return None

    def show_subject(self, subject: Subject) -> Iterator[None]:
        """Show the step for another subject, a part each time the next is asked for."""
        yield from ()

    def say(self, sentence: str, *formulas: Formula, remark: str = "") -> None:
        """Show a sentence, formulas, and a remark under them."""
        self.sentence.say(sentence)
        self.remark.say(remark)
        self.formulas.show_formulas(*formulas)
        self.formulas.setVisible(bool(formulas))
        for button in self.copy_buttons.values():
            button.setEnabled(bool(formulas))

    def copy(self, form: str) -> None:
        """Put the formulas on the clipboard as LaTeX, Python or text."""
        QApplication.clipboard().setText(self.copied(form))

    def copied(self, form: str) -> str:
        """What `copy` copies."""
        parts = [getattr(formula, form.lower()) for formula in self.formulas.formulas]
        if form == "Text":
            parts = [f"{self.number}. {self.title}", self.sentence.text(), *parts, self.remark.text()]
        return "\n\n".join(part for part in parts if part)
