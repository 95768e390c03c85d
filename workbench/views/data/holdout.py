"""The hold-out: its share and seed, class shares, and how many rows train and validate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from workbench.number_text import count, counted
from workbench.parameters.holdout import HOLD_OUT
from workbench.views.controls.heading import Heading
from workbench.views.controls.label import Label
from workbench.views.controls.parameter_row import PADDING, ParameterRow
from workbench.views.data.role_and_kind import LOCKED
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from workbench.session.plan import Plan

BAR = 9
CLASS_SHARES = "same class shares in both"
NO_CLASS_SHARES = "same class shares (not with a group)"


class HoldOut(QWidget):
    """`changed` carries the name and value of a field of the plan."""

    changed = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self.rows = {declared.name: ParameterRow(declared) for declared in HOLD_OUT}
        self.stratified = QCheckBox(CLASS_SHARES)
        self.bar = SplitBar()
        self.train_label, self.valid_label = _count_label("train"), _count_label("validation")
        self._build()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(_inset(Heading("Hold-out")))
        column.addSpacing(2)
        for row in self.rows.values():
            row.changed.connect(self.changed)
            column.addWidget(row)
        self.stratified.clicked.connect(lambda checked: self.changed.emit("stratified", checked))
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

    def show_plan(self, plan: Plan, *, has_classes: bool, locked: bool) -> None:
        """Show the plan's hold-out; locked while a run is live."""
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

    def show_counts(self, n_train: int, n_valid: int) -> None:
        """Count the rows of both parts."""
        self.bar.show_counts(n_train, n_valid)
        known = n_train + n_valid > 0
        self.train_label.setText(f"{count(n_train)} training" if known else "")
        self.valid_label.setText(f"{count(n_valid)} validation" if known else "")


class SplitBar(QWidget):
    """Training and validation rows as one bar in two colours."""

    def __init__(self) -> None:
        super().__init__()
        self._share: float | None = None
        self.setFixedHeight(px(BAR))

    def show_counts(self, n_train: int, n_valid: int) -> None:
        """Show other counts."""
        total = n_train + n_valid
        self._share = n_train / total if total else None
        self.setAccessibleName(f"{counted(n_train, 'training row')}, {counted(n_valid, 'validation row')}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._share is None:
            painter.fillRect(self.rect(), theme().color("line2"))
            return
        split = round(self.width() * self._share)
        painter.fillRect(QRectF(0, 0, split, BAR), theme().color("train"))
        if split < self.width():
            painter.fillRect(QRectF(split + 1, 0, self.width() - split - 1, BAR), theme().color("validation"))


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
