"""What lies over the lines: titles, the best round, parameter changes, the playhead, the cursor."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from workbench.number_text import count, figure
from workbench.views.curves.ink import DIAMOND, paint_diamond, paint_tag, width, write
from workbench.views.look.fonts import BODY, NOTE
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.views.curves.content import Line, RoundMarks
    from workbench.views.curves.pane import Pane
    from workbench.views.ruler.round_axis import RoundAxis

TITLE_ABOVE = 12
CHANGE_ROWS = (8, 22, 36, -8, -22)  # pixels from top or bottom: of texts, where changes lie close


def paint_titles(painter: QPainter, panes: list[Pane], axis: RoundAxis) -> None:
    """Write title and phrase above each plot."""
    for pane in panes:
        y = pane.rect.top() - TITLE_ABOVE
        x = axis.left + 8
        x += write(painter, pane.content.title, axis.left, y, pixels=NOTE, token="text2", bold=True)
        write(painter, pane.content.phrase, x, y, most=axis.right + 130 - x)


def paint_round_marks(
    painter: QPainter, panes: list[Pane], axis: RoundAxis, marks: RoundMarks, hovered: int
) -> None:
    """Paint what stands at certain rounds."""
    top = panes[0]
    _paint_changes(painter, panes, axis, marks)
    if marks.ahead:
        _paint_ahead(painter, top, axis, marks)
    for line in top.content.lines:
        if line.text and len(line.values) <= axis.high:
            _dot(painter, top, axis, line, len(line.values), hollow=False)
    if marks.best and axis.low <= marks.best <= axis.high:
        _paint_best(painter, panes, axis, marks, labelled=not hovered)
    if marks.pinned and not hovered:
        _paint_cursor(painter, panes, axis, marks.pinned, theme().color("text2"))
    if hovered:
        _paint_cursor(painter, panes, axis, hovered, theme().color("text1"))
        for pane in panes:
            _paint_readings(painter, pane, axis, hovered)


def paint_sentences(painter: QPainter, pane: Pane, marks: RoundMarks) -> None:
    """Write what to do while there is nothing, and what is missing."""
    centre = pane.rect.center()
    if marks.sentence:
        write(painter, marks.sentence, centre.x(), centre.y(), pixels=BODY, token="text2", align="centre",
              halo="data", most=pane.rect.width())
    elif marks.note:
        write(painter, marks.note, pane.rect.right() - 8, pane.rect.top() + 12, pixels=NOTE, token="text2",
              align="right", halo="data", most=pane.rect.width() - 16)


def _paint_ahead(painter: QPainter, pane: Pane, axis: RoundAxis, marks: RoundMarks) -> None:
    """Say how many rounds are to come, where no line's end is in the way."""
    left = axis.x(marks.newest) + 16
    if axis.right - left < width(marks.ahead) + 16:
        return
    ends = [pane.height_of(line, float(line.values[-1])) for line in pane.content.lines if len(line.values)]
    heights = (pane.rect.bottom() - 14 - 20 * step for step in range(8))
    y = next((y for y in heights if all(abs(y - end) > 12 for end in ends)), pane.rect.bottom() - 14)
    write(painter, marks.ahead, max(axis.right - 80, left + width(marks.ahead)), y, align="right")


def _paint_changes(painter: QPainter, panes: list[Pane], axis: RoundAxis, marks: RoundMarks) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pane = panes[0]
    ends = dict.fromkeys(CHANGE_ROWS, axis.left - 1.0)
    for number, text in marks.changes:
        if not axis.low <= number <= axis.high:
            continue
        x = axis.x(number)
        pen = QPen(theme().color("accent"), 1.5)
        pen.setDashPattern([1.4, 2.0])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        _paint_through(painter, panes, x, pen)
        free = [row for row, end in ends.items() if end < x]
        if free:
            row = min(free, key=lambda row: _crossed(pane, axis, _change_box(pane, x, row, text)))
            taken = write(painter, text, x + 6, _change_box(pane, x, row, text).center().y(), pixels=NOTE,
                          token="accent", bold=True, halo="data", most=pane.rect.right() - x + 60)
            ends[row] = x + taken + 12


def _change_box(pane: Pane, x: float, row: int, text: str) -> QRectF:
    """Room of the words of a change in a row from the top, or from the bottom."""
    middle = (pane.rect.top() if row > 0 else pane.rect.bottom()) + row
    return QRectF(x + 6, middle - 6, width(text, NOTE, True), 12)


def _crossed(pane: Pane, axis: RoundAxis, box: QRectF) -> int:
    """How many lines run through a box, but for pale ones."""
    return sum(_crosses(pane, axis, line, box) for line in pane.content.lines if line.alpha == 1.0)


def _paint_best(
    painter: QPainter, panes: list[Pane], axis: RoundAxis, marks: RoundMarks, *, labelled: bool
) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    x, pane = axis.x(marks.best), panes[0]
    y = min(max(pane.height_of(pane.content.lines[0], marks.best_value), pane.rect.top()), pane.rect.bottom())
    pen = QPen(theme().color("validation"), 1, Qt.PenStyle.DotLine)
    painter.setPen(pen)
    painter.drawLine(QLineF(x, y + DIAMOND, x, pane.rect.bottom()))
    _paint_through(painter, panes[1:], x, pen)
    paint_diamond(painter, x, y)
    if labelled:
        box = _free_box(pane, axis, x, y, width(marks.best_text, NOTE, True))
        write(painter, marks.best_text, box.left(), box.center().y(), pixels=NOTE, token="validation",
              bold=True, halo="data")


def _free_box(pane: Pane, axis: RoundAxis, x: float, y: float, wide: float) -> QRectF:
    """Room for words beside a point: below or above, left or right, where no line runs."""
    lefts, tops = (x - 8 - wide, x + 8), (y + 9, y - 25, y - 42, y + 26, y - 59, y - 76)
    boxes = [QRectF(left, top, wide, 16) for top in tops for left in lefts]
    within = [box for box in boxes if pane.rect.contains(box)] or boxes
    return _emptiest(pane, axis, within)


def _emptiest(pane: Pane, axis: RoundAxis, boxes: Sequence[QRectF]) -> QRectF:
    """The first box through which the fewest lines run; none is looked at beyond one that is free."""
    found, fewest = boxes[0], math.inf
    for box in boxes:
        crossed = _crossed(pane, axis, box)
        if crossed < fewest:
            found, fewest = box, crossed
        if not crossed:
            break
    return found


def _crosses(pane: Pane, axis: RoundAxis, line: Line, box: QRectF) -> bool:
    first, last = max(axis.round_at(box.left()), 1), min(axis.round_at(box.right()), len(line.values))
    if first > last:
        return False
    heights = pane.heights_of(line, line.values[first - 1 : last : max(1, (last - first) // 20)])
    return bool(((heights >= box.top() - 2) & (heights <= box.bottom() + 2)).any())


def _paint_cursor(painter: QPainter, panes: list[Pane], axis: RoundAxis, number: int, color: QColor) -> None:
    if axis.low <= number <= axis.high:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        _paint_through(painter, panes, round(axis.x(number)), QPen(color, 1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_tag(painter, axis.x(number), panes[-1].rect.bottom() + 3, count(number))


def _paint_readings(painter: QPainter, pane: Pane, axis: RoundAxis, number: int) -> None:
    taken: list[float] = []
    for line in pane.content.lines:
        if not line.reading or number > len(line.values) or math.isnan(line.values[number - 1]):
            continue
        y = _dot(painter, pane, axis, line, number, hollow=True)
        if pane.content.readings and pane.rect.contains(QPointF(pane.rect.center().x(), y)):
            text = figure(float(line.values[number - 1]))
            fits = axis.x(number) + 16 + width(text, NOTE, True) < axis.right
            place = y - 14 if all(abs(y - 14 - other) > 13 for other in taken) else y + 16
            taken.append(place)
            write(painter, text, axis.x(number) + (9 if fits else -9), place, pixels=NOTE, token=line.token,
                  bold=True, align="left" if fits else "right", halo="data")


def _dot(painter: QPainter, pane: Pane, axis: RoundAxis, line: Line, number: int, *, hollow: bool) -> float:
    y = pane.height_of(line, float(line.values[number - 1]))
    if pane.rect.top() - 1 <= y <= pane.rect.bottom() + 1:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = theme().color(line.token)
        painter.setPen(QPen(color, 2) if hollow else Qt.PenStyle.NoPen)
        painter.setBrush(theme().color("data") if hollow else color)
        radius = 4 if hollow else 3
        painter.drawEllipse(QPointF(axis.x(number), y), radius, radius)
    return y


def _paint_through(painter: QPainter, panes: list[Pane], x: float, pen: QPen) -> None:
    """Paint a vertical line through the plots, never through their titles."""
    painter.setPen(pen)
    for pane in panes:
        painter.drawLine(QLineF(x, pane.rect.top(), x, pane.rect.bottom()))
