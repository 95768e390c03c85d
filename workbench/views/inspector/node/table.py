"""The table under the formula: a node and its children by their figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.views.look.fonts import BODY, HERO, NOTE, plain_font, plain_maths_font
from workbench.views.look.scale import px, scale
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.views.formula.digits import ShownFigures

HEADER, ROW = 22.0, 24.0
DENSE_HEADER, DENSE_ROW = 19.0, 20.0  # where the window is low
GAP = 16.0
SWATCH = 9.0
HEADS = ("Rows", "G", "H", "score", "w*", "η·w*")
WEIGHT = HEADS.index("w*")
LETTERS = (*HEADS[1:], "n", "i")
SPLIT_NAMES, LEAF_NAMES = ("This node", "Left, yes", "Right, no"), ("This leaf",)


class NodeTable(QWidget):
    """Three rows for a split, one for a leaf; a swatch shows each weight's colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._heads: tuple[str, ...] = HEADS
        self._rows: tuple[tuple[str, ...], ...] = ()
        self._shares: tuple[float, ...] = ()
        self._header, self._row = HEADER, ROW
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Figures of the node and its children")

    def show_rows(self, rows: Sequence[ShownFigures], weight_shares: Sequence[float]) -> None:
        """Show rows, G, H, score, w* and η·w*; `weight_shares` are weights as shares of the ramp's limit."""
        self._show(HEADS, [_cells(row) for row in rows], weight_shares)

    def show_cells(self, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Show other figures, the node's first."""
        self._show(heads, rows, ())

    def _show(
        self, heads: Sequence[str], rows: Sequence[Sequence[str]], weight_shares: Sequence[float]
    ) -> None:
        self._heads, self._rows, self._shares = tuple(heads), tuple(map(tuple, rows)), tuple(weight_shares)
        self.setAccessibleDescription(self.text)
        self.updateGeometry()
        self.update()

    def set_dense(self, dense: bool) -> None:
        """Give the rows less height, or all of it."""
        self._header, self._row = (DENSE_HEADER, DENSE_ROW) if dense else (HEADER, ROW)
        self.updateGeometry()
        self.update()

    @property
    def text(self) -> str:
        """The table as tab-separated lines."""
        lines = ["\t".join(("", *self._heads))]
        lines += ["\t".join((name, *row)) for name, row in zip(self._names, self._rows, strict=True)]
        return "\n".join(lines)

    @property
    def _names(self) -> tuple[str, ...]:
        return SPLIT_NAMES if len(self._rows) == len(SPLIT_NAMES) else LEAF_NAMES[: len(self._rows)]

    def sizeHint(self) -> QSize:
        return QSize(px(sum(self._widths())), px(self._header + self._row * len(self._rows) + 1))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        widths = self._widths()
        shrink = min(scale(), self.width() / max(sum(widths), 1.0))
        painter.scale(shrink, shrink)
        rights = [sum(widths[: place + 1]) for place in range(len(widths))]
        self._paint_header(painter, widths, rights)
        for index, (name, row) in enumerate(zip(self._names, self._rows, strict=True)):
            top = self._header + self._row * index
            self._paint_row(painter, top, (name, *row), widths, rights, not index)
            if self._shares and row[WEIGHT] != "–":
                right = rights[WEIGHT + 1]
                self._paint_swatch(painter, top + self._row / 2, right, row[WEIGHT], self._shares[index])

    def _paint_header(self, painter: QPainter, widths: Sequence[float], rights: Sequence[float]) -> None:
        for place, head in enumerate(self._heads, start=1):
            painter.setFont(_head_font(head))
            painter.setPen(theme().color("text3"))
            _right(painter, QRectF(rights[place] - widths[place], 0, widths[place], self._header - 2), head)
        painter.setPen(QPen(theme().color("line2"), 1))
        painter.drawLine(QPointF(0, self._header - 0.5), QPointF(rights[-1], self._header - 0.5))

    def _paint_row(
        self, painter: QPainter, top: float, cells: Sequence[str], widths: Sequence[float],
        rights: Sequence[float], first: bool,
    ) -> None:
        painter.setFont(plain_font(BODY, bold=first))
        painter.setPen(theme().color("text1"))
        painter.drawText(QRectF(0, top, widths[0], self._row), int(Qt.AlignmentFlag.AlignVCenter), cells[0])
        painter.setFont(plain_font(BODY))
        for place, cell in enumerate(cells[1:], start=1):
            _right(painter, QRectF(rights[place] - widths[place], top, widths[place], self._row), cell)
        painter.setPen(QPen(theme().color("line"), 1))
        painter.drawLine(QPointF(0, top + self._row - 0.5), QPointF(rights[-1], top + self._row - 0.5))

    def _paint_swatch(self, painter: QPainter, middle: float, right: float, text: str, share: float) -> None:
        left = right - QFontMetricsF(plain_font(BODY)).horizontalAdvance(text) - SWATCH - 5
        painter.setPen(QPen(theme().color("ctl"), 1))
        painter.setBrush(theme().weight(share))
        painter.drawRect(QRectF(left, middle - SWATCH / 2, SWATCH, SWATCH))

    def _widths(self) -> list[float]:
        """Room of each column: as much as its longest text needs."""
        plain, bold = QFontMetricsF(plain_font(BODY)), QFontMetricsF(plain_font(BODY, bold=True))
        widths = [max((bold.horizontalAdvance(name) for name in SPLIT_NAMES), default=0.0) + 4]
        for place, head in enumerate(self._heads):
            cells = [plain.horizontalAdvance(row[place]) for row in self._rows]
            widths.append(max([QFontMetricsF(_head_font(head)).horizontalAdvance(head), 40.0, *cells]) + GAP)
        if self._shares:
            widths[WEIGHT + 1] += SWATCH + 5
        return widths


def _cells(row: ShownFigures) -> tuple[str, ...]:
    return row.rows, row.g, row.h, row.score, row.weight, row.step


def _head_font(head: str) -> QFont:
    return plain_maths_font(HERO) if head in LETTERS else plain_font(NOTE)


def _right(painter: QPainter, rect: QRectF, text: str) -> None:
    painter.drawText(rect, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), text)
