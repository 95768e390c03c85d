"""Direct labels in the right margin, pushed apart so that none covers another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, Qt
from PySide6.QtGui import QPainter, QPen

from workbench.views.curves.ink import width, write
from workbench.views.look.fonts import NOTE
from workbench.views.look.scale import px
from workbench.views.look.theme import theme
from workbench.views.ruler.round_axis import RIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.views.curves.content import Line
    from workbench.views.curves.pane import Pane
    from workbench.views.ruler.round_axis import RoundAxis

ROW = 15
INDENT = 14  # from the last round to the text


def room() -> float:
    """Pixels of a label."""
    return px(RIGHT) - INDENT - 6


@dataclass(frozen=True)
class MarginLabel:
    """A block of the margin, one to three rows, that wants its first row at height `wish`."""

    wish: float
    rows: tuple[tuple[tuple[str, str, bool], ...], ...]  # of (text, token, bold)
    line: Line | None = None


def spread(wishes: list[float], sizes: list[int], top: float, bottom: float) -> list[float]:
    """Return first rows near `wishes` (ascending), blocks of `sizes` rows apart and within both ends."""
    places: list[float] = []
    floor = top
    for wish, size in zip(wishes, sizes, strict=True):
        places.append(max(wish, floor))
        floor = places[-1] + size * px(ROW)
    ceiling = bottom
    for index in range(len(places) - 1, -1, -1):
        places[index] = min(places[index], ceiling - (sizes[index] - 1) * px(ROW))
        ceiling = places[index] - px(ROW)
    return places


def paint_margin(painter: QPainter, pane: Pane, axis: RoundAxis) -> None:
    """Paint the labels of one plot's lines, each at its line's end, and its facts."""
    labels = sorted(within_height(_labels(pane), pane.rect.height()), key=lambda label: label.wish)
    sizes = [len(label.rows) for label in labels]
    places = spread([label.wish for label in labels], sizes, pane.rect.top() + 4, pane.rect.bottom() + 4)
    for label, place in zip(labels, places, strict=True):
        if pane.content.readings and label.line is not None:
            _paint_leader(painter, pane, axis, label, place)
        elif label.line is not None and label.line.swatch:
            painter.setPen(QPen(theme().color(label.line.token), label.line.width))
            painter.drawLine(QLineF(axis.right + 3, place, axis.right + INDENT - 4, place))
        for index, row in enumerate(label.rows):
            x = axis.right + INDENT
            for piece, (text, token, bold) in enumerate(row):
                after = sum(width(more, NOTE, heavy) for more, _, heavy in row[piece + 1 :])
                left = axis.right + INDENT + room() - x - after
                x += write(painter, text, x, place + index * px(ROW), pixels=NOTE, token=token, bold=bold,
                           most=left, is_name=bold)


def noted_lines(lines: Sequence[Line], height: float) -> list[Line]:
    """Return the lines whose notes stand in the margin whole; none where they would push out a label."""
    told = [line for line in lines if line.text and len(line.values)]
    noted = [line for line in told if line.note and width(line.note, NOTE, False) <= room()]
    return noted if 2 * len(told) + len(noted) <= int(height / px(ROW)) + 1 else []


def _labels(pane: Pane) -> list[MarginLabel]:
    labels = []
    noted = noted_lines(pane.content.lines, pane.rect.height())
    for line in pane.content.lines:
        if not line.text or not len(line.values):
            continue
        end = pane.height_of(line, float(line.values[-1]))
        name = (line.name, line.tone or line.token, line.dash != "dotted")
        if pane.content.readings:
            figure = (line.text, "text1", False)
            note = (((line.note, "text2", False),),) if line in noted else ()
            labels.append(MarginLabel(_within(pane, end) - px(ROW) / 2, ((name,), (figure,), *note), line))
        else:
            labels.append(MarginLabel(_within(pane, end), ((name, (" " + line.text, "text1", False)),), line))
    if pane.content.facts:
        rows = tuple(((fitting(text, room(), bold), "text1" if bold or not index else "text2", bold),)
                     for index, (text, bold) in enumerate(pane.content.facts))
        labels.append(MarginLabel(pane.rect.bottom() - (len(rows) - 1) * px(ROW), rows))
    return labels


def within_height(labels: list[MarginLabel], height: float) -> list[MarginLabel]:
    """Return as many labels as stand below each other; those of the first lines come first."""
    most = max(int(height / px(ROW)) + 1, 1)
    kept = [label for label in labels if label.line is None]
    rows = sum(len(label.rows) for label in kept)
    for label in labels:
        if label.line is not None and rows + len(label.rows) <= most:
            kept.append(label)
            rows += len(label.rows)
    return kept


def fitting(text: str, room: float, bold: bool) -> str:
    """Return as many parts of a text, between commas, as stand in `room` pixels; the first in any case."""
    while ", " in text and width(text, NOTE, bold) > room:
        text = text.rpartition(", ")[0]
    return text


def _within(pane: Pane, y: float) -> float:
    return min(max(y, pane.rect.top()), pane.rect.bottom()) if y == y else pane.rect.bottom()


def _paint_leader(painter: QPainter, pane: Pane, axis: RoundAxis, label: MarginLabel, place: float) -> None:
    """Paint the dotted way from a line's end to its label."""
    line = label.line
    if line is None or len(line.values) > axis.high:
        return
    end = _within(pane, pane.height_of(line, float(line.values[-1])))
    painter.setPen(QPen(theme().color(line.token), 1, Qt.PenStyle.DotLine))
    painter.drawLine(QLineF(axis.x(len(line.values)) + 6, end, axis.right, end))
    painter.drawLine(QLineF(axis.right, end, axis.right + INDENT - 4, place + px(ROW) / 2))
