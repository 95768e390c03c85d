"""The plots over rounds, stacked over one time axis: what the hand does to them, and their picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyqtgraph as pg
from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QPainter

from workbench.views.curves.axes import paint_axes, paint_rounds
from workbench.views.curves.content import RoundMarks, likeness
from workbench.views.curves.margin import paint_margin
from workbench.views.curves.overlay import paint_round_marks, paint_sentences, paint_titles
from workbench.views.curves.pane import FEWEST_ROUNDS, Pane
from workbench.views.look.kept_layer import KeptLayer
from workbench.views.look.scale import px, scale
from workbench.views.look.theme import theme
from workbench.views.ruler.round_axis import LEFT, RIGHT, RoundAxis, whole
from workbench.views.turns.held import painted_in_own_event

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent

    from workbench.views.curves.content import Content

TOP, BOTTOM = 25, 34
GAP, FIRST_GAP = 28, 37  # below a plot, below the uppermost
SMALL, LARGE = 56, 120  # heights of the lower plots
LEAST = 140  # of the uppermost
STRIP = 130  # pixels beside the cursor that its readings may take
STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageUp: 10, Qt.Key.Key_PageDown: -10}


class CurveBoard(pg.GraphicsView):
    """Shows one `Content` a plot; says which round the hand is at, and which it picked."""

    hovered = Signal(int)  # round under the cursor, 0 when it left
    picked = Signal(int)  # round that was clicked, or stepped to by key
    menu_wanted = Signal(object)  # where, on the screen
    keeps_arrows = True

    def __init__(self) -> None:
        super().__init__(background=None)
        self.panes: list[Pane] = []
        self.marks = RoundMarks()
        self.hover_round = 0
        self.zoomed = False
        self._contents: tuple[Content, ...] = ()
        self._drawn: tuple[Any, ...] = ()  # what the panes show, as far as it tells
        self._still = KeptLayer()  # all that depends neither on the hand nor on the shown round
        self._is_still = False  # while that is painted
        self._window = whole(1)
        self._held = False
        self._before = 0  # round that was shown before the last click
        self.setCacheMode(self.CacheModeFlag.CacheNone)  # pyqtgraph keeps the background, which has our ticks
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Curves over rounds")
        self.setMinimumSize(px(LEFT + RIGHT) + 100, TOP + LEAST + BOTTOM)
        self.scene().sigMouseClicked.connect(self._clicked)

    # --- showing ----------------------------------------------------------------------------

    @property
    def axis(self) -> RoundAxis:
        """Where the rounds stand."""
        return RoundAxis(self.width(), *self._window)

    @property
    def shown(self) -> list[Pane]:
        """The plots for which there is room."""
        return self.panes[: len(self._rects())]

    def show_contents(self, contents: Sequence[Content], marks: RoundMarks) -> None:
        """Draw these plots; the window of rounds follows unless the person zoomed."""
        self.marks = marks
        relaid = [content.tall for content in contents] != [content.tall for content in self._contents]
        self._contents = tuple(contents)
        if not self.zoomed:
            self._window = whole(marks.rounds)
        if relaid:
            self._place()
        drawn = (likeness(contents), self._window, marks.rounds, self._paper)
        painted_in_own_event(self)  # to find out what it shows takes long enough
        if relaid or self._held or drawn != self._drawn:
            self._drawn = drawn
            self._redraw()
        else:
            self.viewport().update()

    def reset(self) -> None:
        """Show all rounds again."""
        self.zoomed = False
        self._window = whole(self.marks.rounds)
        self._redraw()

    def zoom(self, low: float, high: float) -> None:
        """Show the rounds from `low` to `high`."""
        self.zoomed = True
        self._window = (low, high)
        self._redraw()

    def paint_picture(self, painter: QPainter, target: QRectF) -> None:
        """Paint everything, with the ground of data, on a picture or a vector page."""
        self.render(painter, target, self.rect())

    def _place(self) -> None:
        rects = self._rects()
        while len(self.panes) < len(self._contents):
            self._add_pane()
        for index, pane in enumerate(self.panes):
            pane.box.setVisible(index < len(rects))
            if index < len(rects):
                pane.place(rects[index])

    def _add_pane(self) -> Pane:
        pane = Pane()
        pane.box.setVisible(False)
        pane.box.moved_by_hand.connect(self._moved)
        self.scene().addItem(pane.box)
        self.panes.append(pane)
        return pane

    def make_panes(self, plots: int, lines: int) -> Iterator[None]:
        """Have so many plots with so many lines each, one a step, before there is anything to draw."""
        while len(self.panes) < plots:
            self._add_pane()
        for pane in self.panes[:plots]:
            yield from pane.make_lines(lines)

    def _rects(self) -> list[QRectF]:
        rects = stack(self.width(), self.height(), len(self._contents))
        return shared(rects) if len(self._contents) > 1 and self._contents[1].tall else rects

    def _redraw(self) -> None:
        low, high = whole(self.marks.rounds)
        for pane, content in zip(self.shown, self._contents, strict=False):
            pane.box.setLimits(xMin=low, xMax=high, minXRange=min(FEWEST_ROUNDS, high - low))
            pane.show(content, self._window, refit=not self._held)
        self._still.forget()
        self.scene().prepareForPaint()  # within a paint it would ask for another
        self.viewport().update()

    def restyle(self) -> None:
        """Take over the colours of the present theme: lines keep those that they were drawn in."""
        if self._drawn and self._drawn[-1] != self._paper:
            self._drawn = (*self._drawn[:-1], self._paper)
            self._redraw()

    # --- painting ---------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what moves with the hand over what stays."""
        with QPainter(self.viewport()) as painter:
            self._still.paint(painter, self.viewport().size(), (), self._paint_still)
            painter.setRenderHints(self.renderHints())
            self._paint_moving(painter)

    def _paint_still(self, painter: QPainter) -> None:
        self._is_still = True
        try:
            self.render(painter, QRectF(self.viewport().rect()), self.viewport().rect())
        finally:
            self._is_still = False

    @property
    def _paper(self) -> tuple[Any, ...]:
        """What the picture depends on beside its contents."""
        size = self.viewport().size()
        return size.width(), size.height(), self.devicePixelRatioF(), theme().name, scale()

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:
        painter.fillRect(rect, theme().color("data"))
        if self.shown:
            paint_axes(painter, self.shown, self.axis)

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:
        if self.shown:
            paint_titles(painter, self.shown, self.axis)
            for pane in self.shown:
                paint_margin(painter, pane, self.axis)
        if not self._is_still:
            self._paint_moving(painter)

    def _paint_moving(self, painter: QPainter) -> None:
        if self.shown:
            paint_rounds(painter, self.shown[-1], self.axis, self.hover_round or self.marks.pinned)
            paint_round_marks(painter, self.shown, self.axis, self.marks, self.hover_round)
            paint_sentences(painter, self.shown[0], self.marks)

    def _hover(self, number: int) -> None:
        if number == self.hover_round:
            return
        before, self.hover_round = self.hover_round, number
        for moved in (before, number):
            x = int(self.axis.x(moved or self.marks.pinned))
            self.viewport().update(QRect(x - STRIP, 0, 2 * STRIP, self.height()))
        if not before or not number:
            self.viewport().update()  # the best round's words come and go
        self.hovered.emit(number)

    # --- the hand ---------------------------------------------------------------------------

    def _round_at(self, x: float, y: float) -> int:
        """Round under a point of the plots, 0 where there is none."""
        axis = self.axis
        inside = axis.left - 4 <= x <= axis.right + 4 and any(
            pane.rect.top() <= y <= pane.rect.bottom() for pane in self.shown)
        return min(max(axis.round_at(x), 1), self.marks.newest) if inside else 0

    def _moved(self) -> None:
        """Take over the window that the hand gave one of the plots."""
        sender = next((p for p in self.shown if tuple(p.box.viewRange()[0]) != self._window), None)
        if sender is None:
            return
        low, high = sender.box.viewRange()[0]
        first, last = whole(self.marks.rounds)
        if low <= first and high >= last:
            self.reset()
        else:
            self.zoom(low, high)

    def _clicked(self, event) -> None:  # type: ignore[no-untyped-def]
        number = self._round_at(event.scenePos().x(), event.scenePos().y())
        if number and event.button() == Qt.MouseButton.LeftButton and not event.double():
            self._before = self.marks.pinned or self.marks.newest
            self.picked.emit(number)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._held = event.button() == Qt.MouseButton.LeftButton
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show all rounds; what the first of the two clicks picked is taken back."""
        super().mouseDoubleClickEvent(event)
        self.reset()
        if self._before:
            self.picked.emit(self._before)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self._held = False
        self._redraw()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hover(self._round_at(event.position().x(), event.position().y()))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(0)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        newest = self.marks.newest
        present = self.marks.pinned or newest
        ends = {Qt.Key.Key_Home: 1, Qt.Key.Key_End: newest}
        key = Qt.Key(event.key())
        if newest and key in STEPS:
            self.picked.emit(min(max(present + STEPS[key], 1), newest))
        elif newest and key in ends:
            self.picked.emit(ends[key])
        else:
            event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "panes"):  # pyqtgraph resizes within its own constructor
            self._place()
            self._redraw()


def stack(width: float, height: float, plots: int) -> list[QRectF]:
    """Return where `plots` plots stand, the uppermost taking what is left; fewer where there is no room."""
    lower, first, tall = max(plots - 1, 0), 0.0, 0.0
    for tall in (min(max(height * 0.105, 72), LARGE), SMALL):
        first = height - TOP - BOTTOM - lower * (tall + GAP) - (FIRST_GAP - GAP if lower else 0)
        if first >= (240 if tall > SMALL else LEAST):
            break
    else:
        if lower:
            return stack(width, height, plots - 1)
    left = px(LEFT)
    wide = max(width - left - px(RIGHT), 1)
    rects = [QRectF(left, TOP, wide, max(round(first), 1))]
    y = rects[0].bottom() + FIRST_GAP
    for _ in range(lower):
        rects.append(QRectF(left, round(y), wide, round(tall)))
        y += tall + GAP
    return rects[:plots]


def shared(rects: list[QRectF]) -> list[QRectF]:
    """Return plots of which the second, where it is there, has as much height as the uppermost."""
    if len(rects) > 1:
        top, bottom = rects[0].top(), rects[1].bottom()
        rects[0].setHeight(round((bottom - top - FIRST_GAP) / 2))
        rects[1].setTop(rects[0].bottom() + FIRST_GAP)
    return rects
