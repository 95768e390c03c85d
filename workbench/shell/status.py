"""The bottom line: what the window is doing, the kernels, the rows and the threads."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QSizePolicy, QWidget

from workbench.views.controls.label import Label
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look

HEIGHT = 24
GAP = 3  # place of the gap between kernels and facts


class StatusLine(QWidget):
    """One sentence at the left, facts at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(px(HEIGHT))
        set_look(self, ground="window")
        self.sentence, self.kernels, self.facts = Label(), Label(), Label()
        self.bar = QProgressBar()
        self._build()

    def _build(self) -> None:
        self.bar.setFixedWidth(px(120))
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Kernels compiled")
        self.bar.hide()
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(12, 0, 12, 0)
        self._row.setSpacing(16)
        self._row.addWidget(self.sentence, 1)
        self._row.addWidget(self.kernels)
        self._row.addWidget(self.bar, 0, Qt.AlignmentFlag.AlignVCenter)
        self._row.addStretch(0)
        self._row.addWidget(self.facts)
        for label in (self.sentence, self.kernels, self.facts):
            set_look(label, tone="2")
            label.setFont(ui_font(NOTE))

    def show_words(self, sentence: str, facts: str) -> None:
        """Say what the window is doing, and with which rows; without a sentence the kernels come first."""
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))
        self._row.setStretch(GAP, 0 if sentence else 1)
        self.facts.setText(facts)
        self.facts.setVisible(bool(facts))

    def show_kernels(self, done: int, total: int) -> None:
        """Say how far compiling is, also of kernels that few need, once the others are there."""
        if done == total:
            self.kernels_done(True)
            return
        self.bar.setVisible(done < total)
        self.bar.setMaximum(max(total, 1))
        self.bar.setValue(done)
        self.kernels.setText(f"Preparing fast kernels, {done} of {total}; once per version")

    def kernels_done(self, filled: bool) -> None:
        """Say that compiling is over."""
        self.bar.hide()
        self.kernels.setText("Kernels ready" if filled else "Kernels are compiled as they are needed")
