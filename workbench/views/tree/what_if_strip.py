"""The strip over the tree that says that it is shown under other values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QWidget

from workbench.number_text import count, counted
from workbench.session.what_if.question import words
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.label import Label
from workbench.views.look.fonts import BODY, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look

if TYPE_CHECKING:
    from workbench.session.session import Session

HEIGHT = 36


class WhatIfStrip(QWidget):
    """36 px on the tint, shown for as long as something is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.lead, self.sentence = Label(), ElidedLabel()
        self.lead.setFont(ui_font(BODY, bold=True))
        set_look(self.lead, tone="accent")
        set_look(self.sentence, tone="1")
        set_look(self, ground="tint")
        self.setFixedHeight(px(HEIGHT))
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(10)
        row.addWidget(self.lead)
        row.addWidget(self.sentence, 1)
        self.hide()

    @property
    def text(self) -> str:
        """All that it says; "" while it is hidden."""
        return "" if self.isHidden() else f"{self.lead.text()} {self.sentence.text()}"

    def show_session(self, session: Session) -> None:
        """Say what is asked of the shown run, and what it does to the shown tree."""
        run, tree = session.shown.run, session.shown.tree
        rescored = run.what_if.rescored if run is not None and run.what_if.is_on else None
        self.setVisible(rescored is not None and tree is not None)
        if rescored is None or tree is None:
            return
        splits, left = tree.n_leaves - 1, int(rescored.totals.splits[session.shown.place])
        fate = f"{count(left)} survive" if splits != 1 else "it survives" if left else "it dies"
        self.lead.setText(f"What if {words(rescored.values)}")
        self.sentence.setText(f"Nothing is changed until you apply it. Tree {session.shown.round}: "
                              f"{counted(splits, 'split')}, {fate}.")
        self.setAccessibleName(f"{self.lead.text()}. {self.sentence.text()}")
