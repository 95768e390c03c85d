"""The scan of one column at a node, another laid over it, or how the rows are spread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QButtonGroup,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from workbench.isolation import isolated
from workbench.number_text import counted
from workbench.views.controls.flow import FlowLayout
from workbench.views.controls.heading import Heading
from workbench.views.controls.phrase_combo import ROOM_BESIDE, PhraseCombo
from workbench.views.inspector.why.scan_plot import ScanPlot
from workbench.views.inspector.why.spread_plot import SpreadPlot
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.explain.spread import ColumnSpread
    from workbench.views.inspector.why.scan_curve import ScanCurve

NOBODY = "Compare"
PAGES = ("Scan", "Distributions")


class ScanColumn(QWidget):
    """`laid_over` tells the feature that a person lays over the scan, −1 for none.

    `cuts_wanted` asks for the best cuts of all columns, where there is no room for them beside the scan.
    """

    laid_over = Signal(int)
    cuts_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heading, self.plot, self.spread = Heading("Scan"), ScanPlot(), SpreadPlot()
        self.buttons = {name: QPushButton(name) for name in PAGES}
        self.cuts_button = QPushButton("Best cuts")
        self.over = PhraseCombo()
        self._pages = QStackedWidget()
        self._features: tuple[int, ...] = ()
        self._name = self._note = self._shorter = ""
        self._build()

    def _build(self) -> None:
        group = QButtonGroup(self)
        switch = FlowLayout(spacing=0)  # in two lines where not all have room in one
        for place, (name, button) in enumerate(self.buttons.items()):
            set_look(button, flat=True, fit="tool")
            button.setCheckable(True)
            button.setAccessibleName(f"Show {name.lower()}")
            group.addButton(button, place)
            switch.addWidget(button)
        self.buttons[PAGES[0]].setChecked(True)
        group.idClicked.connect(self._turn)
        set_look(self.cuts_button, flat=True, fit="tool")
        set_tip(self.cuts_button, "The best cut of every column, and why others were refused")
        self.cuts_button.clicked.connect(self.cuts_wanted)
        self.cuts_button.hide()
        switch.addWidget(self.cuts_button)
        self.over.setFont(ui_font(NOTE))
        self.over.setAccessibleName("Feature laid over the scan")
        set_tip(self.over, "Lay another feature's scan over this one")
        self.over.addItem(NOBODY)
        self.over.activated.connect(self._lay_over)
        self.over.setMinimumContentsLength(0)  # as wide as the word, and what its line has left
        self.over.setMinimumWidth(QFontMetrics(self.over.font()).horizontalAdvance(NOBODY) + ROOM_BESIDE)
        self.over.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        switch.addWidget(self.over)
        for page in (self.plot, self.spread):
            self._pages.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.heading)
        column.addWidget(self._pages, 1)
        column.addLayout(switch)
        self.plot.read.connect(self._show_heading)

    def show_features(self, names: Sequence[str], places: Sequence[int], over: int) -> None:
        """Offer features for laying over, by place in the schema; `over` is the one that lies there."""
        if tuple(places) != self._features:
            self._features = tuple(places)
            self.over.clear()
            self.over.addItems([NOBODY, *names])
        self.over.setCurrentIndex(self._features.index(over) + 1 if over in self._features else 0)

    def show_found(
        self, curve: ScanCurve, spread: ColumnSpread, over: ScanCurve | None,
        level: tuple[str, float] | None, *, suffix: str = "", is_split: bool,
    ) -> None:
        """Show another column's scan and spread; `suffix` follows its name."""
        self._name = f"{isolated(curve.feature.name)}{suffix}"
        cuts = counted(curve.n_cuts, "cut")
        self._note, self._shorter = "no cut parts these rows", "no cut"
        if len(curve):
            self._note, self._shorter = f"gain at each of {cuts}", cuts
        if over is not None and over.is_numeric and len(over):
            self._shorter = f"dashed: {isolated(over.feature.name)}"
            self._note = f"{self._shorter}, {isolated(over.name(0))} to {isolated(over.name(len(over) - 1))}"
        self._show_heading()
        self.plot.show_scan(curve, spread.rug if curve.is_numeric else (), over, level)
        self.spread.show_spread(spread, curve.feature, is_split=is_split)

    def show_nothing(self) -> None:
        """Show no column: none has a cut to offer."""
        self._name, self._note, self._shorter = "", "no column has a cut here", "no cut"
        self._show_heading()
        self.plot.show_scan(None)

    def _show_heading(self, read: str = "") -> None:
        """Say what is shown, and what the cursor reads of it."""
        scans = self._pages.currentIndex() == 0
        of = f" of {self._name}" if self._name else ""
        self.heading.set_title(f"Scan{of}" if scans else f"Rows of this node by {self._name}")
        self.heading.set_note(read or self._note if scans else "", "" if read or not scans else self._shorter)

    def _turn(self, page: int) -> None:
        self._pages.setCurrentIndex(page)
        self.over.setEnabled(page == 0)
        self._show_heading()

    def _lay_over(self, index: int) -> None:
        self.laid_over.emit(self._features[index - 1] if index else -1)
