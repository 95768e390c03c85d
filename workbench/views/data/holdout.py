"""The hold-out: by what, its share and seed, class shares, and how many rows train and validate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.data.split_columns import columns_for, likely_column
from workbench.number_text import count
from workbench.parameters.holdout import BY, BY_TITLES, HOLD_OUT, NEEDS_COLUMN, NEEDS_SEED, NEEDS_SHARE
from workbench.views.controls.heading import Heading
from workbench.views.controls.label import Label
from workbench.views.controls.note import NoteLabel
from workbench.views.controls.parameter_row import PADDING, ParameterRow
from workbench.views.data.combo import WordCombo, Words
from workbench.views.data.role_and_kind import LOCKED
from workbench.views.data.split_bar import SplitBar
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from workbench.data.table import Table
    from workbench.session.plan import Plan

CLASS_SHARES = "same class shares in both"
NO_CLASS_SHARES = "same class shares (not with a group)"
TABLES = "Tables (*.csv *.tsv *.txt *.gz *.zip *.parquet *.feather *.xlsx *.ods *.jsonl);;All files (*)"
COLUMN_WORDS = {"groups": "groups of", "time": "latest by", "column": "named by"}
COLUMN_TIPS = {
    "groups": "Rows with the same value here stay together",
    "time": "The rows with the latest dates, or the largest numbers, are held out",
    "column": "It says valid beside train, 1 beside 0, or yes beside no",
}
CHOOSE_COLUMN, CHOOSE_FILE = "choose a column", "Choose a file…"


class HoldOut(QWidget):
    """`changed` carries fields of the plan, by name."""

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.by = WordCombo("Held out by", tuple(BY_TITLES.values()))
        self.column = WordCombo("Column of the hold-out")
        self.file_button = QPushButton(CHOOSE_FILE)
        self.rows = {declared.name: ParameterRow(declared) for declared in HOLD_OUT}
        self.stratified = QCheckBox(CLASS_SHARES)
        self.bar = SplitBar()
        self.train_label, self.valid_label = _count_label("train"), _count_label("validation")
        self.note = NoteLabel()
        self._table: Table | None = None
        self._target: str | None = None
        self._build()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(_inset(Heading("Hold-out")))
        column.addSpacing(6)
        for widget in (self.by, self.column, self.file_button):
            column.addLayout(_inset(widget))
            column.addSpacing(4)
        set_tip(self.by, BY.help)
        set_tip(self.file_button, "A file with the same columns; all rows of the table train")
        self.file_button.setAccessibleName("File of the rows held out")
        self.by.activated.connect(self._choose_way)
        self.column.activated.connect(self._choose_column)
        self.file_button.clicked.connect(self._ask_file)
        for row in self.rows.values():
            row.changed.connect(self._say)
            column.addWidget(row)
        self.stratified.clicked.connect(lambda checked: self._say("stratified", checked))
        set_tip(self.stratified, "Each class has the same share of the training rows as of the hold-out.")
        column.addLayout(_inset(self.stratified))
        column.addSpacing(2)
        column.addLayout(_inset(self.bar))
        column.addSpacing(3)
        labels = QHBoxLayout()
        labels.setContentsMargins(PADDING, 0, PADDING, 0)
        labels.addWidget(self.train_label)
        labels.addStretch(1)
        labels.addWidget(self.valid_label)
        column.addLayout(labels)
        set_look(self.note, tone="2")
        column.addLayout(_inset(self.note))

    def show_plan(self, plan: Plan, table: Table | None, *, has_classes: bool, locked: bool) -> None:
        """Show the plan's hold-out; locked while a run is live."""
        self._table, self._target = table, plan.target
        self.by.setCurrentIndex(list(BY_TITLES).index(plan.split_by))
        self._show_column(plan)
        self.file_button.setText(Path(plan.split_file).name if plan.split_file else CHOOSE_FILE)
        for widget in (self.by, self.column, self.file_button):
            widget.setEnabled(table is not None and not locked)
        for name, row in self.rows.items():
            row.set_value(getattr(plan, name))
        share, *others = self.rows.values()
        share.set_locked(LOCKED if locked else "")
        for row in others:
            row.setEnabled(not locked)  # the reason stands once, under the share
        by_class = has_classes and "group" not in plan.roles.values()
        self.stratified.setText(CLASS_SHARES if by_class or not has_classes else NO_CLASS_SHARES)
        self.stratified.setChecked(plan.stratified and by_class)
        self.stratified.setEnabled(by_class and not locked)
        self._show_what_bears(plan)

    def _show_what_bears(self, plan: Plan) -> None:
        """Show what bears on the rows that are held out so, and nothing else."""
        by = plan.split_by
        self.column.setVisible(by in NEEDS_COLUMN)
        self.file_button.setVisible(by == "file")
        self.rows["valid_fraction"].setVisible(by in NEEDS_SHARE)
        self.rows["split_seed"].setVisible(by in NEEDS_SEED)
        self.stratified.setVisible(by == "rows")

    def _show_column(self, plan: Plan) -> None:
        by = plan.split_by
        if by not in NEEDS_COLUMN or self._table is None:
            return
        names = tuple(name for name in columns_for(self._table, by) if name != plan.target)
        self.column.show_items(names, plan.split_column or "")
        set_tip(self.column, COLUMN_TIPS[by])
        if plan.split_column is None:
            self.column.say(Words(CHOOSE_COLUMN, "text3"))
        else:
            self.column.say(Words(COLUMN_WORDS[by], "text3"), Words(plan.split_column))

    def show_counts(self, n_train: int, n_valid: int, note: str = "", *, is_about: bool = False) -> None:
        """Count the rows of both parts, which may be but expected, and say what should be known of them."""
        self.bar.show_counts(n_train, n_valid)
        known, about = n_train + n_valid > 0, "about " if is_about else ""
        self.train_label.setText(f"{about}{count(n_train)} training" if known else "")
        self.valid_label.setText(f"{about}{count(n_valid)} validation" if known else "")
        self.note.say(note)

    # --- the hand ---------------------------------------------------------------------------

    def _say(self, name: str, value: Any) -> None:
        self.changed.emit({name: value})

    def _choose_way(self, place: int) -> None:
        by: Any = list(BY_TITLES)[place]
        column = None if self._table is None else likely_column(self._table, by, self._target)
        self.changed.emit({"split_by": by, "split_column": column})

    def _choose_column(self, place: int) -> None:
        self.changed.emit({"split_column": self.column.itemText(place)})

    def _ask_file(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, "The file of the rows held out", "", TABLES)
        if chosen:
            self.changed.emit({"split_file": chosen})


def _count_label(tone: str) -> Label:
    label = Label()
    label.setFont(ui_font(NOTE, bold=True))
    set_look(label, tone=tone)
    label.setMinimumHeight(label.sizeHint().height())
    return label


def _inset(widget: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(PADDING, 0, PADDING, 0)
    row.addWidget(widget)
    return row
