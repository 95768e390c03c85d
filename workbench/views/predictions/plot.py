"""What all plots of predictions share: title, axes, a sentence in place of nothing, and the brush."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy

from workbench.views.curves.ink import width, write
from workbench.views.data.axes import SmallPlot
from workbench.views.look.fonts import NOTE
from workbench.views.look.scale import px
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent

TITLE_Y, TOP, RIGHT, LEFT = 16, 38, 18, 16
CAPTION = 16  # pixels of the words below the horizontal axis
CLICK = 4  # pixels that a click may slip
LEAST = (190, 150)
NO_ROWS = "No row has an answer and a weight above 0. Choose other rows."

Cells = list[tuple[Any, ...]]


class PredictionPlot(SmallPlot):
    """A subclass paints what is in it, and says what its brush means.

    A drag selects rows; a click, where it means something, sets the threshold. `hint` tells it.
    """

    brushed = Signal(float, float, float, float)  # left, right, low, high, in the values of the axes
    clicked = Signal(float, float)
    renewed = Signal()  # its ground is to be painted anew

    title = ""
    brush = ""  # "x" for a part of the horizontal axis, "xy" for a rectangle, "" for none
    hint = ""

    def __init__(self) -> None:
        super().__init__(LEAST[1])
        self.setMinimumSize(*LEAST)
        self.setMaximumHeight(16_777_215)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(self.title)
        set_tip(self, self.hint)
        self.phrase = ""  # unit and direction, after the title
        self.reading = ""  # of the place under the cursor, or of the threshold
        self.sentence = ""  # in place of a picture
        self.caption = ""  # what the horizontal axis is
        self.remark = ""  # that these are not all rows
        self._ground: QPixmap | None = None  # what stays while threshold, cursor and brush move
        self._ground_of: tuple[Any, ...] = ()  # size and density; empty where it shows what was before
        self._pressed: QPointF | None = None
        self._dragged: QPointF | None = None
        self._cursor: QPointF | None = None

    def sizeHint(self) -> QSize:
        return QSize(320, 240)

    def minimumSizeHint(self) -> QSize:
        return QSize(*LEAST)

    @property
    def plot_rect(self) -> QRectF:
        left, foot = self._left, self._bottom + px(CAPTION)
        wide, high = self.width() - left - RIGHT, self.height() - px(TOP) - foot
        return QRectF(left, px(TOP), max(1.0, wide), max(1.0, high))

    @property
    def left_needed(self) -> int:
        return super().left_needed + LEFT // 2

    def value_at(self, place: QPointF) -> tuple[float, float]:
        """The values of a pixel, within the plot."""
        plot, (left, right), (low, high) = self.plot_rect, self._x_range, self._y_range
        across = min(max((place.x() - plot.left()) / plot.width(), 0.0), 1.0)
        up = min(max((plot.bottom() - place.y()) / plot.height(), 0.0), 1.0)
        x, y = left + across * (right - left), low + up * (high - low)
        return (right if across == 1.0 else x), (high if up == 1.0 else y)  # ends are hit, not rounded

    def points(self, x: NDArray[Any], y: NDArray[Any]) -> list[QPointF]:
        """The pixels of values."""
        across, up = self.pixels(x, y)
        return [QPointF(*place) for place in zip(across.tolist(), up.tolist(), strict=True)]

    def fit_left(self) -> None:
        """Leave as much room at the left as the texts of the vertical axis need."""
        self.set_left(self.left_needed)

    def say(self, sentence: str) -> None:
        """Show a sentence in place of a picture; "" where there is one."""
        self.sentence, self._ground_of = sentence, ()
        self.read()
        self.setAccessibleDescription(sentence or f"{self.phrase}. {self.reading}".strip(" ."))
        self.renewed.emit()

    def values(self) -> Cells:
        """The figures as a table, its heads first."""
        return []

    # --- the hand ---------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        inside = self.plot_rect.adjusted(-6, -6, 6, 6).contains(event.position())
        if event.button() == Qt.MouseButton.LeftButton and inside and not self.sentence:
            self._pressed = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        self._cursor = place if self.plot_rect.contains(place) and not self.sentence else None
        if self._pressed is not None and self.brush:
            far = (place - self._pressed).manhattanLength() > CLICK
            self._dragged = place if far or self._dragged is not None else None
        self.read()
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        begun, ended = self._pressed, self._dragged
        self._pressed = self._dragged = None
        if begun is None:
            return
        x, y = self.value_at(begun)
        if ended is None:
            self.clicked.emit(x, y)
        else:
            across, up = self.value_at(ended)
            self.brushed.emit(min(x, across), max(x, across), min(y, up), max(y, up))
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._pressed is not None:
            self._pressed = self._dragged = None
            self.update()
        else:
            super().keyPressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._cursor = None
        self.point(None)
        self.update()

    def restyle(self) -> None:
        """Take other colours."""
        self._ground_of = ()
        self.update()

    def read(self) -> None:
        """Read out what is under the cursor now; nothing where there is a sentence."""
        if self.sentence:
            self._cursor, self.reading = None, ""
        else:
            self.point(None if self._cursor is None else self.value_at(self._cursor))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.read()

    def point(self, place: tuple[float, float] | None) -> None:
        """Read out the values of a place; None where the cursor is elsewhere."""

    # --- the picture ------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self.sentence:
            self.paint(painter)
        else:
            self._paint_known(painter)
        painter.end()

    def paint(self, painter: QPainter) -> None:
        """Paint everything; also for a picture file."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.sentence:
            self._paint_title(painter)
            self.paint_sentence(painter)
            return
        self.paint_content(painter)
        self._paint_moving(painter)

    def _paint_known(self, painter: QPainter) -> None:
        """Paint what stays as it was the last time, and what moves over it; ask for another ground."""
        if self._ground_of != (self.size(), self.devicePixelRatioF()):
            self.renewed.emit()
        if self._ground is None:
            self._paint_title(painter)
        else:
            painter.drawPixmap(0, 0, self._ground)
            self._paint_moving(painter)

    def paint_ground(self) -> None:
        """Paint what stays, once for each size and density of the screen; nothing where a sentence stands."""
        if self.sentence:
            return
        ratio = self.devicePixelRatioF()
        made = QPixmap(self.size() * ratio)
        made.setDevicePixelRatio(ratio)
        made.fill(theme().color("data"))
        painter = QPainter(made)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_content(painter)
        painter.end()
        self._ground, self._ground_of = made, (self.size(), ratio)

    def _paint_moving(self, painter: QPainter) -> None:
        """Paint title, marks and brush over what stays."""
        self._paint_title(painter)
        painter.save()
        painter.setClipRect(self.plot_rect.adjusted(-7, -7, 7, 7))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_marks(painter)
        painter.restore()
        self._paint_brush(painter)

    def paint_content(self, painter: QPainter) -> None:
        """Paint axes and what lies over them, save what moves."""
        raise NotImplementedError

    def paint_marks(self, painter: QPainter) -> None:
        """Paint what the threshold and the cursor move."""

    def paint_framed(self, painter: QPainter, paint: Callable[[QPainter], None]) -> None:
        """Paint axes and the caption, and what `paint` paints within the plot."""
        self.paint_axes(painter)
        plot = self.plot_rect
        painter.setPen(QPen(theme().color("line2"), 1))
        foot = round(plot.bottom()) + 0.5
        painter.drawLine(QLineF(plot.left(), foot, plot.right(), foot))
        if self.caption:
            write(painter, self.caption, plot.right(), self.height() - px(CAPTION) / 2 - 2, align="right",
                  most=plot.width())
        painter.save()
        painter.setClipRect(plot.adjusted(-7, -7, 7, 7))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint(painter)
        painter.restore()

    def paint_sentence(self, painter: QPainter) -> None:
        """Paint the sentence in the middle, in as many lines as it needs."""
        room = QRectF(LEFT + 8, px(TOP), self.width() - 2 * LEFT - 16, self.height() - px(TOP) - 8)
        painter.setFont(self.font())
        painter.setPen(theme().color("text2"))
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(room, int(flags), self.sentence)

    def _paint_title(self, painter: QPainter) -> None:
        y, room = px(TITLE_Y), self.width() - LEFT - RIGHT
        taken = write(painter, self.title, LEFT, y, pixels=NOTE, token="text1", bold=True, most=room)
        left = room - taken - 8
        told = self.reading
        if told and width(told) + 12 < left:
            left -= write(painter, told, self.width() - RIGHT, y, token="text2", align="right") + 12
        if left > 40:
            words = ", ".join(filter(None, (self.phrase, self.remark)))
            if width(words) > left and self.remark:
                words = self.remark
            write(painter, words, LEFT + taken + 8, y, most=left)

    def _paint_brush(self, painter: QPainter) -> None:
        if self._pressed is None or self._dragged is None:
            return
        plot = self.plot_rect
        box = QRectF(self._pressed, self._dragged).normalized().intersected(plot)
        if self.brush == "x":
            box = QRectF(box.left(), plot.top(), box.width(), plot.height())
        painter.setPen(QPen(theme().color("accent"), 1))
        painter.setBrush(theme().color("accent", 0.14))
        painter.drawRect(box)


def paint_dashed(painter: QPainter, begin: QPointF, end: QPointF, token: str, pixels: float = 1.0) -> None:
    """Paint a line that promises, or that compares."""
    painter.setPen(QPen(theme().color(token), pixels, Qt.PenStyle.DashLine))
    painter.drawLine(QLineF(begin, end))


def paint_mark(painter: QPainter, place: QPointF, token: str = "accent", *, hollow: bool = False) -> None:
    """Paint the point that the threshold stands at; a hollow one is a proposal."""
    painter.setPen(QPen(theme().color(token if hollow else "data"), 1.75))
    painter.setBrush(theme().color("data" if hollow else token))
    painter.drawEllipse(place, 5.0, 5.0)
