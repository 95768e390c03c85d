"""The page Check: the SHAP values of a row by their definition, set by set, beside those of the fast way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QPoint, Qt
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QVBoxLayout, QWidget

from workbench.number_text import MINUS, count, counted, signed
from workbench.session.explained.check_asked import CheckAsked, Checked
from workbench.views.controls.label import Label
from workbench.views.explain.pages.base import PAGES, ExplainPage
from workbench.views.explain.unknown_choice import UnknownChoice
from workbench.views.inspector.figure_table import LEFT, RIGHT, FigureTable
from workbench.views.inspector.path.row_chooser import RowChooser
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.style import set_look
from workbench.views.rows_model import NOWHERE, Index

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QPainter

    from workbench.data.schema import DataSchema
    from workbench.session.explained.explained import ExplainSubject
    from workbench.session.run import Run
    from workbench.views.base import Bench

HEADS = ("Column", "By definition", "Tree algorithm", "Difference")
DECIMALS = 9
MOST_LINES = 200
WEIGHED = {"hessian": "H", "rows": "rows"}
WHAT = ("By definition: what a column adds to the mean leaf, averaged over all orders in which columns "
        "become known. Each tree is asked for every set of its columns, without the tree algorithm.")
SAME = "Both agree: they differ by at most {}."
APART = "They differ by {}, more than rounding explains. This is a fault of the program."
ROUNDING = 1e-8  # of the sum of sizes


class CheckModel(QAbstractTableModel):
    """The columns that trees ask about, largest first, then the base."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[tuple[str, ...]] = []

    def show(self, schema: DataSchema, found: Checked) -> None:
        """Show other figures."""
        self.beginResetModel()
        order = np.argsort(-np.maximum(np.abs(found.brute), np.abs(found.fast)), kind="stable")[:MOST_LINES]
        self._lines = [_line(schema.names[c], float(found.brute[c]), float(found.fast[c]))
                       for c in order.tolist() if found.brute[c] or found.fast[c]]
        self._lines.append(_line("Base of these trees", found.brute_base, found.fast_base))
        self.endResetModel()

    def forget(self) -> None:
        """Show nothing."""
        self.beginResetModel()
        self._lines = []
        self.endResetModel()

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(HEADS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT if section == 0 else RIGHT
        return HEADS[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return self._lines[index.row()][index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT if index.column() == 0 else RIGHT
        return None


def _about(size: float) -> str:
    return f"{size:.0e}".replace("-", MINUS)


def _line(name: str, brute: float, fast: float) -> tuple[str, ...]:
    difference = _about(abs(brute - fast)) if brute != fast else "0"
    return name, signed(brute, DECIMALS), signed(fast, DECIMALS), difference


@PAGES.register
class CheckPage(ExplainPage):
    """Only trees that ask few columns can be checked so: the sets of columns are too many elsewhere."""

    name = "check"
    title = "Check"
    asks = (CheckAsked,)
    order = 90

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.choice = UnknownChoice(bench.session, with_background=False)
        self.chooser, self.model = RowChooser(), CheckModel()
        self.table = FigureTable(self.model, "SHAP values by definition and by the tree algorithm")
        self.parts = (self.table,)
        self.verdict, self.what = Label(), Label(WHAT)
        self._found: Checked | None = None
        self._build()

    def _build(self) -> None:
        self.verdict.setWordWrap(True)
        self.verdict.setContentsMargins(16, 8, 16, 8)
        set_look(self.verdict, tone="1")
        self.what.setFont(ui_font(NOTE))
        self.what.setWordWrap(True)
        self.what.setContentsMargins(16, 0, 16, 8)
        set_look(self.what, tone="3")
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        head = QHBoxLayout()
        head.setContentsMargins(4, 6, 16, 2)
        head.addWidget(self.chooser)
        head.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.verdict)
        column.addWidget(self.what)
        column.addWidget(self.table, 1)
        self.chooser.chosen.connect(lambda row: self._session.shown.select(row=row))

    def key(self) -> QWidget:
        return self.choice

    def restyle(self) -> None:
        self.chooser.restyle()

    # --- showing ----------------------------------------------------------------------------

    def show_nothing(self, sentence: str) -> None:
        self._found = None
        self.choice.synchronize(self._session.shown.run)
        self.chooser.show_row(None, 0)
        self.verdict.setText(sentence)
        self.model.forget()
        self.table.horizontalHeader().hide()

    def show_subject(self, subject: ExplainSubject) -> None:
        run, view, row = subject.run, self._session.explained.view, self._session.shown.selection.row
        assert subject.rows is not None
        self.choice.synchronize(run)
        asked = CheckAsked(run, subject.round, subject.rows, view.by, self._session.shown.output, row)
        found = self.ask(asked)
        if found is not None and found is not self._found:
            self._found = found
            self._show(run, found)
        elif found is None and (self._found is None or self._desk.problem(asked)):
            self.show_nothing(self.why_not(asked))

    def _show(self, run: Run, found: Checked) -> None:
        assert run.schema is not None
        table = self._session.data.table
        self.chooser.show_row(found.row, table.n_rows if table is not None else 0)
        apart = max(float(np.abs(found.brute - found.fast).max(initial=0.0)),
                    abs(found.brute_base - found.fast_base))
        is_same = apart <= ROUNDING * max(1.0, float(np.abs(found.brute).sum()))
        trees = f"{counted(found.n_checked, 'tree')}" if found.n_checked == found.n_trees else (
            f"{count(found.n_checked)} of {counted(found.n_trees, 'tree')}, those that ask few columns")
        words = (SAME if is_same else APART).format(_about(apart))
        sets = f"{counted(found.sets, 'set')} of columns, nodes weighed by their {WEIGHED[found.by]}"
        self.verdict.setText(f"{words} Row {count(found.row + 1)}, {trees}, {sets}.")
        self.model.show(run.schema, found)
        self.table.horizontalHeader().show()

    # --- export -----------------------------------------------------------------------------

    def paint_picture(self, painter: QPainter, target: QRectF) -> None:
        self.render(painter, QPoint())

    def figures(self) -> list[tuple[Any, ...]]:
        found, run = self._found, self._session.shown.run
        if found is None or run is None or run.schema is None:
            return []
        head = ("column", "by definition", "tree algorithm")
        pairs = zip(run.schema.names, found.brute.tolist(), found.fast.tolist(), strict=True)
        return [head, *pairs, ("base", found.brute_base, found.fast_base)]
