"""The receipt of an edit before it is kept: what changes, and whether to keep it."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from workbench.number_text import count
from workbench.views.base import VIEWS, Bench, LazyView
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.flow import FlowLayout
from workbench.views.controls.heading import Heading, rule
from workbench.views.controls.label import Label
from workbench.views.edits.text_model import TextModel
from workbench.views.edits.value_editor import ValueEditor
from workbench.views.edits.words import (
    figure_lines,
    grown_lines,
    move_lines,
    moved_sentence,
    no_floor_sentence,
    price_sentence,
    rows_sentence,
)
from workbench.views.inspector.figure_table import FigureTable
from workbench.views.look.fonts import BODY, NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.text_width import ruler
from workbench.views.look.tool_tip import set_tip
from workbench.views.pace import LATE_MS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from workbench.explain.edits.base import Edit
    from workbench.explain.edits.receipt import Receipt
    from workbench.session.run import Run
    from workbench.workers.edit_desk import EditDesk

EMPTY = (
    "No edit is open. Right-click a node of the tree to prune it, set the weight of a leaf, forbid a column "
    "or drop the tree; drag the threshold of a scan; or take another candidate instead."
)
WORKING = "Working out what changes."
KEEPING = "Making the branch."
NO_FLOOR_TIP = "Nobody knows how far the hold-out metric moves by chance; Folds in Training can measure it."
GROW = "Boost the later rounds anew from the edited one."
HEADS = ("", "Before", "After", "Change", "")
MOVE_HEADS = ("Row", "Part", "Class", "Before", "After", "Change")
BEFORE, VERDICT = 1, 4  # of the figures
PART, CLASS, MOVE_BEFORE, MOVE_CHANGE = 1, 2, 3, 5  # of the moves
PADDING, WIDEST, LEAST_NAME = 20, 160, 96  # pixels of a cell beside its text, of a column, and of names
CHOICE_WIDTH, FRAME, BESIDE_BAR = 204, 64, 2  # pixels; what stands between the columns, and at a scroll bar


@VIEWS.register
class ReceiptView(LazyView):
    """Follows the desk: nothing it shows is decided here."""

    name, title, place, order = "receipt", "Receipt", "bottom", 35

    wanted = Signal()

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self._late = QTimer(self, singleShot=True, interval=LATE_MS)
        self._wants_value = False
        self.words, self.empty, self.message = ElidedLabel(lines=2), Label(EMPTY), Label()
        self.figures = FigureTable(TextModel(HEADS, (0, VERDICT)), "What the edit changes", NOTE)
        self.rows, self.price, self.value = Label(), Label(), ValueEditor()
        self.reason = QLineEdit()
        self.keep_button, self.grow_button = QPushButton("Keep"), QPushButton("Grow on")
        self.discard_button = QPushButton("Discard")
        self.moves_heading = Heading("Predictions that move most")
        self.moves = FigureTable(TextModel(MOVE_HEADS, (1, CLASS)), "Predictions that move most", NOTE)
        self._build()
        self._connect()
        self.synchronize()

    def _build(self) -> None:
        set_look(self, ground="data")
        for label in (self.empty, self.rows, self.price, self.message):
            label.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(24, 0, 24, 0)
        self.words.setFont(ui_font(BODY, bold=True))
        for label in (self.rows, self.price, self.message):
            label.setFont(ui_font(NOTE))
        for label in (self.empty, self.rows, self.price):
            set_look(label, tone="2")
        self.reason.setPlaceholderText("Why (optional)")
        self.reason.setAccessibleName("Reason for the edit")
        self.reason.setMaxLength(10_000)
        for button in (self.keep_button, self.grow_button, self.discard_button):
            set_look(button, fit="tool")
        set_look(self.keep_button, primary=True)
        for table in (self.figures, self.moves):
            table.horizontalHeader().setMinimumSectionSize(24)
        self.figures.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self._build_columns())

    def _build_columns(self) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(14, 8, 8, 6)
        row.setSpacing(10)
        row.addLayout(_column(self.words, self.figures), 1)
        row.addWidget(rule(vertical=True))
        row.addWidget(self._build_choice())
        row.addWidget(rule(vertical=True))
        row.addLayout(_column(self.moves_heading, self.moves))
        return holder

    def _build_choice(self) -> QWidget:
        inner, buttons = QWidget(), FlowLayout(spacing=6)
        set_look(inner, ground="data")
        for button in (self.keep_button, self.grow_button, self.discard_button):
            buttons.addWidget(button)
        column = _column(self.rows, self.value, self.price, self.reason)
        column.addLayout(buttons)
        column.addWidget(self.message)
        column.addStretch(1)
        inner.setLayout(column)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inner)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setFixedWidth(px(CHOICE_WIDTH))
        return area

    def _connect(self) -> None:
        desk, events = self._desk, self._bench.session.events
        desk.changed.connect(self.synchronize)
        desk.opened.connect(self._open)
        events.rounds.connect(self.synchronize)
        events.validation.connect(self.synchronize)
        self._late.timeout.connect(self._tell_wait)
        self.value.entered.connect(self._revise)
        self.value.refused.connect(lambda text: self._say(text, "error"))
        self.keep_button.clicked.connect(self._keep)
        self.grow_button.clicked.connect(self._grow)
        self.discard_button.clicked.connect(desk.discard)
        self.moves.line_chosen.connect(self._choose_row)
        self.moves.line_opened.connect(self._choose_row)

    @property
    def _desk(self) -> EditDesk:
        return self._bench.edits

    # --- showing ----------------------------------------------------------------------------

    def synchronize(self) -> None:
        """Show the edit that is asked about, and what is known of it."""
        desk = self._desk
        if not self.isVisible():
            return
        self._pages.setCurrentIndex(0 if desk.draft is None else 1)
        if desk.draft is None:
            self._late.stop()
            return
        run, edit = desk.draft
        if desk.receipt is None:
            self.words.setText("")
        self._show_value(run, edit)
        self._show_receipt(run, desk.receipt)
        self._show_choice()
        if desk.is_busy and not self._late.isActive():
            self._late.start()

    def _show_receipt(self, run: Run, receipt: Receipt | None) -> None:
        made = self._desk.made
        for widget in (self.figures, self.moves, self.moves_heading, self.rows):
            widget.setVisible(receipt is not None)
        self.price.setVisible(receipt is not None and receipt.price is not None)
        if receipt is None:
            return
        self.words.setText(_sentence(run, receipt))
        floor = self._bench.session.validation.floor(run)
        lines = figure_lines(run, receipt, floor)
        is_grown = made is not None and len(made.rounds) > receipt.edit.round
        grown = grown_lines(run, made, floor) if made is not None and is_grown else []
        self.figures.model().show_lines((*grown, *lines))  # type: ignore[attr-defined]
        no_floor = no_floor_sentence(run, floor)
        self.rows.setText(f"{rows_sentence(receipt)} {no_floor}".rstrip())
        set_tip(self.rows, NO_FLOOR_TIP if no_floor else "")
        self.price.setText(price_sentence(receipt))
        self.moves_heading.set_note(moved_sentence(receipt))
        self.moves.model().show_lines(move_lines(run, receipt))  # type: ignore[attr-defined]
        self._fit_tables(has_classes=any(len(move.before) > 1 for move in receipt.moves))

    def _fit_tables(self, *, has_classes: bool) -> None:
        """Give the moves what they need, at most half, and the figures the rest; what can be spared goes."""
        room, header = max(self.width() - CHOICE_WIDTH - FRAME, 0), self.moves.horizontalHeader()
        for column, is_last in ((CLASS, has_classes), (MOVE_CHANGE, not has_classes)):
            mode = QHeaderView.ResizeMode.Stretch if is_last else QHeaderView.ResizeMode.Interactive
            header.setSectionResizeMode(column, mode)
        names, never = (CLASS, None) if has_classes else (None, CLASS)
        bar = self.moves.verticalScrollBar().sizeHint().width() + BESIDE_BAR
        needed = _fit_columns(self.moves, names, (PART, MOVE_BEFORE), room // 2 - bar, never)
        for part in (self.moves, self.moves_heading):
            part.setFixedWidth(min(needed + bar, room // 2))
        _fit_columns(self.figures, 0, (VERDICT, BEFORE), room - self.moves.width() - bar)

    def _show_value(self, run: Run, edit: Edit) -> None:
        """Let the number of the edit be changed, where it has one."""
        given: Any = edit
        tree = run.trees(edit.round)[edit.place] if edit.round <= len(run.rounds) else None
        weight, threshold = getattr(given, "weight", None), getattr(given, "threshold", None)
        price = self._desk.receipt.price if self._desk.receipt is not None else None
        self.value.setVisible(weight is not None or threshold is not None)
        self.value.setEnabled(self._desk.made is None)
        if weight is not None and tree is not None:
            reach = 2 * float(abs(tree.nodes["weight"][tree.is_leaf]).max(initial=0.0))
            self.value.show_weight(weight, None if price is None else price.optimum, reach)
        elif threshold is not None:
            self.value.show_threshold(threshold)
        if self._wants_value and weight is not None:
            self.value.take_focus()
        self._wants_value = False

    def _show_choice(self) -> None:
        desk = self._desk
        ready = desk.is_answered and not desk.is_busy and not desk.no_keeping
        is_kept, no_growing = desk.made is not None, desk.no_growing
        self.keep_button.setVisible(not is_kept)
        self.keep_button.setEnabled(ready)
        self.reason.setVisible(not is_kept)
        can_grow = self._is_short if is_kept else ready
        self.grow_button.setEnabled(can_grow and not no_growing)
        set_tip(self.grow_button, no_growing or (GROW if is_kept else f"Keep it. {GROW}"))
        set_tip(self.keep_button, desk.no_keeping or "Make a branch that ends with the edited round")
        self.discard_button.setText("Close" if is_kept else "Discard")
        if desk.problem:
            self._late.stop()
            self._say(desk.problem, "error")
        elif is_kept:
            self._say(self._kept_sentence, "2")
        elif not desk.is_busy:
            self._late.stop()
            self._say(desk.no_keeping or (no_growing if desk.is_answered else ""), "2")

    @property
    def _is_short(self) -> bool:
        """Whether the run that was made may be grown to as many rounds as the original."""
        desk = self._desk
        if desk.made is None or desk.draft is None:
            return False
        return not desk.made.is_live and len(desk.made.rounds) < len(desk.draft.run.rounds)

    @property
    def _kept_sentence(self) -> str:
        made, draft = self._desk.made, self._desk.draft
        if made is None or draft is None:
            return ""
        kept, rounds = f"Kept as {made.name}", count(len(made.rounds))
        if made.is_live:
            return f"{kept}, which grows on: round {rounds}."
        if len(made.rounds) <= draft.edit.round:
            return f"{kept}, which ends with round {rounds}. Grow on boosts the later rounds anew."
        later = any(change.round > draft.edit.round for change in draft.run.changes)
        note = f" {draft.run.name} changed parameters later on; the branch did not." if later else ""
        metric = draft.run.facts.metric(draft.run.watched).label
        lines = f"The first lines are the {metric} of {draft.run.name} and of it."
        return f"{kept}, grown on to round {rounds}. {lines}{note}"

    def _tell_wait(self) -> None:
        if self._desk.is_busy:
            self._say(KEEPING if self._desk.is_answered else WORKING, "2")

    def _say(self, text: str, tone: str) -> None:
        self.message.setText(text)
        self.message.setVisible(bool(text))
        set_look(self.message, tone=tone)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.synchronize()

    # --- what a person does -----------------------------------------------------------------

    def _open(self) -> None:
        self._wants_value = True
        self.reason.clear()
        self.wanted.emit()
        self.synchronize()

    def _revise(self, value: float) -> None:
        draft = self._desk.draft
        if draft is not None:
            name = "weight" if hasattr(draft.edit, "weight") else "threshold"
            given: Any = draft.edit
            self._desk.revise(replace(given, **{name: value}))

    def _keep(self) -> None:
        self._desk.keep(self.reason.text())

    def _grow(self) -> None:
        if self._desk.made is not None:
            self._desk.grow_on()
        else:
            self._desk.keep(self.reason.text(), grow_on=True)

    def _choose_row(self, line: int) -> None:
        desk = self._desk
        if desk.receipt is not None and desk.draft is not None and desk.draft.run.dataset is not None:
            row = desk.receipt.moves[line].row
            self._bench.session.shown.select(row=int(desk.draft.run.dataset.table_rows[row]))


def _sentence(run: Run, receipt: Receipt) -> str:
    return f"{run.name}: {receipt.words}"


def _column(*widgets: QWidget) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(6)
    for widget in widgets:
        column.addWidget(widget, 1 if isinstance(widget, FigureTable) else 0)
    return column


def _fit_columns(
    table: FigureTable, names: int | None, spare: Sequence[int], room: int, never: int | None = None
) -> int:
    """Give columns what their texts need, and return what all need that are shown.

    Where that is more than `room`, `names` are elided to the least and columns of `spare` hidden, in order.
    """
    header = table.horizontalHeader()
    wanted = {column: _width_of(table, column) for column in range(header.count()) if column != never}
    least = {column: min(width, LEAST_NAME) if column == names else width for column, width in wanted.items()}
    for column in spare:
        if sum(least.values()) > room:
            del wanted[column], least[column]
    for column in range(header.count()):
        table.setColumnHidden(column, column not in wanted)
        if column in wanted and header.sectionResizeMode(column) is not QHeaderView.ResizeMode.Stretch:
            table.setColumnWidth(column, wanted[column])
    return sum(wanted.values())


def _width_of(table: FigureTable, column: int) -> int:
    model, measure = table.model(), ruler(table.pixels)
    head = model.headerData(column, Qt.Orientation.Horizontal)
    texts = [head, *(model.index(line, column).data() for line in range(model.rowCount()))]
    return min(ceil(max(map(measure.horizontalAdvance, texts))) + PADDING, WIDEST)
