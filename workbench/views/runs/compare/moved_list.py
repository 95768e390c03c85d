"""The rows whose prediction moved most, and the path of the chosen one in both runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from workbench.number_text import counted, figure, fixed, signed
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.line_list import LineList
from workbench.views.curves.ink import width, write
from workbench.views.look.fonts import BODY, NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.theme import theme
from workbench.views.rows_model import RowsModel

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from workbench.data.dataset import Dataset
    from workbench.session.comparison.moved_rows import MovedRows
    from workbench.session.run import Run
    from workbench.views.rows_model import Index

ROW, HEAD, MARGIN, BAR = 24, 30, 16, 8
TRUTH_LEFT = 0.13  # of the width


class NumberEnds(NamedTuple):
    """Where numbers end, as shares of the width, and where the bar begins."""

    first: float
    second: float
    move: float
    bar: float


OF_ONE, OF_CLASSES = NumberEnds(0.40, 0.57, 0.77, 0.80), NumberEnds(0.56, 0.71, 0.87, 0.89)


class MovedModel(RowsModel):
    """Rows of the dataset with both predictions."""

    def __init__(self) -> None:
        super().__init__()
        self.moved: MovedRows | None = None
        self.dataset: Dataset | None = None
        self.names: tuple[str, ...] = ()  # of several outputs

    def show(self, moved: MovedRows | None, dataset: Dataset | None, names: tuple[str, ...]) -> None:
        """Show other rows."""
        self.moved, self.dataset, self.names = moved, dataset, names
        self.show_rows(0 if moved is None else len(moved.rows))

    def table_row(self, row: int) -> int:
        """The table's row of a line, from 0."""
        if self.moved is None or self.dataset is None:
            return 0
        return int(self.dataset.table_rows[self.moved.rows[row]])

    def truth(self, row: int) -> str:
        """What the target says, or the label."""
        if self.moved is None or self.dataset is None:
            return ""
        value, labels = float(self.dataset.target[self.moved.rows[row]]), self.dataset.schema.class_labels
        return str(labels[int(value)]) if labels else figure(value)

    def output(self, row: int) -> str:
        """Whose probability is shown, of several classes; "" of one output."""
        return self.names[int(self.moved.outputs[row])] if self.names and self.moved is not None else ""

    @property
    def ends(self) -> NumberEnds:
        """Where its cells end: names of classes need room."""
        return OF_CLASSES if self.names else OF_ONE

    def cells(self, row: int) -> tuple[str, str, str, str, str]:
        """What a line says."""
        if self.moved is None:
            return ("",) * 5
        first, second = float(self.moved.first[row]), float(self.moved.second[row])
        large = max(abs(first), abs(second)) >= 100
        texts = [figure(value) if large else fixed(value) for value in (first, second)]
        move = signed(second - first, 1 if large else 3)
        output = self.output(row)
        truth = f"{self.truth(row)} ({output})" if output else self.truth(row)
        return str(self.table_row(row) + 1), truth, texts[0], texts[1], move

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            row, _, first, second, move = self.cells(index.row())
            output, truth = self.output(index.row()), self.truth(index.row())
            return f"Row {row}, {truth}{output and f', p of {output}'}: {first}, {second}, moved {move}"
        return None


class MovedDelegate(QStyledItemDelegate):
    """Paints a line: numbers, and a bar to the side that the prediction moved to."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model: Any = index.model()
        rect, row = QRectF(option.rect), index.row()
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme().color("tint"))
        painter.fillRect(QRectF(rect.left() + MARGIN, rect.bottom(), rect.width() - 2 * MARGIN, 1),
                         theme().color("line"))
        number, truth, first, second, move = model.cells(row)
        y, ends = rect.center().y(), (0.0, *model.ends)
        x = [rect.left() + MARGIN + (rect.width() - 2 * MARGIN) * end for end in ends]
        start = rect.left() + MARGIN + (rect.width() - 2 * MARGIN) * TRUTH_LEFT
        write(painter, number, x[0], y, pixels=BODY, token="text1", most=start - x[0] - 4)
        write(painter, truth, start, y, pixels=BODY, token="text1", most=x[1] - start - 44)
        for text, end in ((first, x[1]), (second, x[2])):
            write(painter, text, end, y, pixels=BODY, token="text1", align="right")
        write(painter, move, x[3], y, pixels=BODY, token="text1", bold=True, align="right")
        room = QRectF(x[4], rect.top(), rect.right() - MARGIN - x[4], rect.height())
        self._paint_bar(painter, room, model, row)
        painter.restore()

    def _paint_bar(self, painter: QPainter, rect: QRectF, model: MovedModel, row: int) -> None:
        moved, half = model.moved, rect.width() / 2
        if moved is None:
            return
        widest = abs(float(moved.second[0] - moved.first[0])) or 1.0
        move = float(moved.second[row] - moved.first[row])
        long = half * min(abs(move) / widest, 1.0)
        bar = QRectF(rect.center().x() - (long if move < 0 else 0), rect.center().y() - BAR / 2, long, BAR)
        painter.fillRect(bar, theme().weight(0.75 if move > 0 else -0.75))


class MovedHead(QWidget):
    """The names over the numbers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.names: tuple[str, str] = ("", "")
        self.ends, self.truth = OF_ONE, "Truth"
        self.setFixedHeight(px(HEAD))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, wide, y = QPainter(self), self.width() - 2 * MARGIN, HEAD / 2
        x = [MARGIN + wide * end for end in (0.0, *self.ends)]
        write(painter, "Row", x[0], y, pixels=NOTE, token="text2")
        write(painter, self.truth, MARGIN + wide * TRUTH_LEFT, y, pixels=NOTE, token="text2")
        starts = (MARGIN + wide * TRUTH_LEFT + width(self.truth, NOTE), x[1], x[2])
        for name, start, end in zip((*self.names, "Moved"), starts, x[1:4], strict=True):
            write(painter, name, end, y, pixels=NOTE, token="text2", align="right", most=end - start - 8)
        painter.end()


class MovedList(QWidget):
    """Head, rows, a note, and two lines for the paths of the chosen row."""

    chosen = Signal(int)  # place in the list

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model, self.head = MovedModel(), MovedHead()
        self.list = LineList(self.model, ROW, "Rows whose prediction moved most")
        self.note, self.paths = ElidedLabel(), (ElidedLabel(), ElidedLabel())
        self.list.setItemDelegate(MovedDelegate(self.list))
        self.list.clicked.connect(lambda index: self.chosen.emit(index.row()))
        self.list.activated.connect(lambda index: self.chosen.emit(index.row()))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(2)
        for part in (self.head, self.list):
            column.addWidget(part)
        for label in (self.note, *self.paths):
            label.setFont(ui_font(NOTE))
            label.setContentsMargins(MARGIN, 0, MARGIN, 0)
            set_look(label, tone="3" if label is self.note else "2")
            column.addWidget(label)
        self.show_paths(("", ""))

    def show_moved(
        self, moved: MovedRows | None, dataset: Dataset | None, runs: tuple[Run, Run], reason: str
    ) -> None:
        """Show other rows, or why there are none."""
        self.head.names = runs[0].name, runs[1].name
        self.model.show(moved, dataset, runs[0].output_names)
        self.head.ends, self.head.truth = self.model.ends, "Truth (p of)" if self.model.names else "Truth"
        self.head.update()
        self.show_paths(("", ""))
        if moved is None:
            self.note.setText(reason)
        elif not len(moved.rows):
            self.note.setText(f"No {_kind(moved)} row moved.")
        else:
            rows = counted(moved.of, f"{_kind(moved)} row")
            self.note.setText(f"Of {rows}; a click shows a row's path in both.")

    def show_paths(self, paths: tuple[str, str]) -> None:
        """Show the way of the chosen row in both runs."""
        for label, text in zip(self.paths, paths, strict=True):
            label.setText(text)
            label.setVisible(bool(text))


def _kind(moved: MovedRows) -> str:
    return "hold-out" if moved.are_held_out else "training"
