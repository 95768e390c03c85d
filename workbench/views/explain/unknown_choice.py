"""What stands for a column that is not known, and which of several outputs is explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from workbench.views.controls.phrase_combo import NAME_LETTERS, PhraseCombo
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from workbench.session.run import Run
    from workbench.session.session import Session

UNKNOWN = {"hessian": "Weighed by H", "rows": "Weighed by rows", "background": "Against training rows"}
TIP = ("What stands for a column that is not known: the mean over a split's two sides, weighed by their H "
       "(as XGBoost) or by their rows (as LightGBM), or the values of 100 training rows")


class UnknownChoice(QWidget):
    """Writes to the session; shows what the session holds."""

    def __init__(self, session: Session, *, with_background: bool = True) -> None:
        super().__init__()
        self._session = session
        self.by_box, self.output_box = QComboBox(), PhraseCombo()
        for name, title in UNKNOWN.items():
            if with_background or name != "background":
                self.by_box.addItem(title, name)
        self.by_box.setAccessibleName("What stands for unknown columns")
        set_tip(self.by_box, TIP)
        self.output_box.setAccessibleName("Output to explain")
        self.output_box.setMinimumContentsLength(NAME_LETTERS)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addStretch(1)
        for box in (self.output_box, self.by_box):
            set_look(box, fit="tool")
            row.addWidget(box, alignment=Qt.AlignmentFlag.AlignVCenter)
        self.by_box.activated.connect(
            lambda place: session.explained.choose(by=self.by_box.itemData(place)))
        self.output_box.activated.connect(session.shown.choose_output)

    def synchronize(self, run: Run | None) -> None:
        """Follow the session."""
        with QSignalBlocker(self.by_box), QSignalBlocker(self.output_box):
            self.by_box.setCurrentIndex(max(self.by_box.findData(self._session.explained.view.by), 0))
            self.by_box.setEnabled(run is not None and not run.is_linear)
            names = () if run is None else run.output_names
            if [self.output_box.itemText(place) for place in range(self.output_box.count())] != list(names):
                self.output_box.clear()
                self.output_box.addItems(names)
            self.output_box.setVisible(len(names) > 1)
            if names:
                self.output_box.setCurrentIndex(self._session.shown.output)
