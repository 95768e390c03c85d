"""Runs as lanes over rounds: where each leaves another, what differs there, and its best round."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QScrollArea, QWidget

from workbench.session.comparison.differences import label_of, steering
from workbench.session.run_parts.parameter_change import as_marked
from workbench.views.curves.ink import paint_diamond, width, write
from workbench.views.look.fonts import AXIS, NOTE
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.theme import theme
from workbench.views.ruler.round_axis import RIGHT, RoundAxis
from workbench.views.runs.strokes import pen_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from workbench.session.run import Run
    from workbench.session.session import Session

LANE, TOP, BOTTOM = 26, 24, 14  # pixels
MOST_LANES = 6  # that are seen without scrolling
THICK, THIN, BEND, NODE = 3.0, 2.0, 18, 4
ABOVE, LETTER = 11, 8  # from a lane to the words on it; from their middle upwards
PAST = 0.0  # the round before the first


class Lane(NamedTuple):
    """A run's line: its height in lanes, and the lane that it leaves, −1 where that is not drawn."""

    run: Run
    parent: int


def lanes_of(session: Session, runs: Sequence[Run]) -> list[Lane]:
    """Return the lanes of runs, each below what it leaves; what leaves later lies nearer, so none cross."""
    drawn = {run.number for run in runs}
    below: dict[int, list[Run]] = {}
    for run in runs:
        left = run.branch.run if run.branch is not None and run.branch.run in drawn else 0
        below.setdefault(left, []).append(run)
    ordered: list[Run] = []
    waiting = sorted(below.get(0, ()), key=lambda run: -run.number)
    while waiting:
        ordered.append(waiting.pop())
        children = below.get(ordered[-1].number, ())
        waiting += sorted(children, key=lambda run: (run.shared_rounds, -run.number))
    rows = {run.number: row for row, run in enumerate(ordered)}
    return [Lane(run, rows.get(run.branch.run, -1) if run.branch is not None else -1) for run in ordered]


class Lanes(QWidget):
    """Painted lanes; a click shows a run, with Ctrl it is compared."""

    picked = Signal(object, bool)  # the run, and whether it is to be compared

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session: Session | None = None
        self._lanes: list[Lane] = []
        self._axis = RoundAxis.over(600, 1)
        self.setAccessibleName("Branches over rounds")

    def show_lanes(self, session: Session, lanes: list[Lane], axis: RoundAxis) -> None:
        """Draw these lanes on an axis."""
        self._session, self._lanes, self._axis = session, lanes, axis
        self.setMinimumHeight(TOP + LANE * max(len(lanes) - 1, 0) + BOTTOM if lanes else 0)
        told = (f"{lane.run.name}: {label_of(lane.run) or 'from the start'}" for lane in lanes[:20])
        self.setAccessibleDescription("; ".join(told))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_lanes(painter, event.rect().top(), event.rect().bottom())
        painter.end()

    def paint_lanes(self, painter: QPainter, top: float = -math.inf, bottom: float = math.inf) -> None:
        """Paint the lanes that are seen between two heights, the thick ones last."""
        if self._session is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pair = (self._session.shown.run, self._session.overlay.partner)
        seen = [
            row for row, lane in enumerate(self._lanes)
            if self._y(row) + LANE > top and self._y(lane.parent if lane.parent >= 0 else row) - LANE < bottom
        ]
        for row in sorted(seen, key=lambda row: self._lanes[row].run in pair):
            lane = self._lanes[row]
            self._paint_line(painter, row, THICK if lane.run in pair else THIN)
        for row in seen:
            self._paint_fork(painter, row)
        for row in seen:
            if top - LANE < self._y(row) < bottom + LANE:
                self._paint_marks(painter, row)

    def _y(self, row: int) -> float:
        return TOP + LANE * row

    def _x(self, round: float) -> float:
        return min(self._axis.x(round) + self._axis.slot / 2, self._axis.right)

    def _paint_line(self, painter: QPainter, row: int, thick: float) -> None:
        lane, y = self._lanes[row], self._y(row)
        run, start = lane.run, self._x(lane.run.shared_rounds)
        end = max(self._x(len(run.rounds)), start)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        path = QPainterPath()
        if lane.parent >= 0:
            above = self._y(lane.parent)
            bend = min(BEND, max(self._axis.right - start, 4.0))
            path.moveTo(start, above)
            turns = QPointF(start + bend * 0.6, above), QPointF(start + bend * 0.4, y)
            path.cubicTo(*turns, QPointF(start + bend, y))
            end = max(end, start + bend)
        else:
            path.moveTo(start, y)
            if run.shared_rounds:
                painter.setPen(QPen(theme().color("line2"), 1.5))
                painter.drawLine(QPointF(self._x(PAST), y), QPointF(start, y))
        path.lineTo(end, y)
        painter.setPen(pen_of(run, thick))
        painter.drawPath(path)
        if run.is_live:
            painter.setPen(QPen(theme().color("line2"), 1.5, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(end, y), QPointF(self._x(run.planned_rounds), y))

    def _paint_fork(self, painter: QPainter, row: int) -> None:
        """Paint where a run leaves another."""
        run, parent = self._lanes[row]
        if run.branch is not None:
            painter.setPen(QPen(theme().color(f"category{(run.branch.run - 1) % 10}"), 2))
            painter.setBrush(theme().color("data"))
            y = self._y(parent if parent >= 0 else row)
            painter.drawEllipse(QPointF(self._x(run.shared_rounds), y), NODE, NODE)

    def _paint_marks(self, painter: QPainter, row: int) -> None:
        run, axis, y = self._lanes[row].run, self._axis, self._y(row)
        best = run.known_best
        if best is not None and run.shared_rounds < best[0] <= axis.high:
            paint_diamond(painter, axis.x(best[0]), y)
        self._write_words(painter, row, self._x(run.shared_rounds))
        room = px(RIGHT) - 20
        write(painter, run.name, axis.right + 14, y, pixels=NOTE, token="text1", bold=True, most=room)

    def _write_words(self, painter: QPainter, row: int, start: float) -> None:
        """Write what differs at the branch, and what was steered later, as far as there is room."""
        run, y = self._lanes[row].run, self._y(row) - ABOVE
        told = [(start + BEND + 2, label_of(run))] if run.branch is not None else []
        told += [
            (self._axis.x(number) + 7, ", ".join(change.text for change in changes))
            for number, changes in as_marked(steering(run), int(self._axis.high))
            if run.shared_rounds + 1 < number <= self._axis.high
        ]
        ends = [*(x for x, _ in told), self._axis.right + 10.0][1:]
        for place, ((x, words), end) in enumerate(zip(told, ends, strict=False)):
            if not words or (end - x < 24 and place):
                continue
            if place or run.branch is None:
                write(painter, "▼", x - 12, y, token="accent")
            room, taken = end - x - 14, width(words, AXIS, True)
            turns = room < taken and not place and x - BEND - 14 - taken > self._axis.left
            write(painter, words, x - BEND - 12 if turns else x, y, pixels=AXIS, token="accent", bold=True,
                  align="right" if turns else "left", halo="data", most=taken if turns else room)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = round((event.position().y() - TOP) / LANE)
        if 0 <= row < len(self._lanes) and event.button() == Qt.MouseButton.LeftButton:
            keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
            self.picked.emit(self._lanes[row].run, bool(event.modifiers() & keys))


class LanesArea(QScrollArea):
    """As high as its lanes, up to some; then they scroll."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lanes = Lanes()
        self.setWidget(self.lanes)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        set_look(self, ground="data")
        set_look(self.lanes, ground="data")

    def show_lanes(self, session: Session, lanes: list[Lane], axis: RoundAxis) -> None:
        """Draw these lanes, and be as high as they are."""
        seen = min(len(lanes), MOST_LANES)
        below = BOTTOM if seen == len(lanes) else LANE - ABOVE - LETTER  # none of the words on the next
        self.setFixedHeight(TOP + LANE * max(seen - 1, 0) + below if lanes else 0)
        self.lanes.show_lanes(session, lanes, axis)
        shown = next((row for row, lane in enumerate(lanes) if lane.run is session.shown.run), 0)
        self.ensureVisible(0, TOP + LANE * shown, 0, LANE)
