"""A question in little room: names and labels lose letters, lists their end, a number never a digit.

Of a time the day remains, so that the name does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from workbench.errors import one_line
from workbench.isolation import isolated
from workbench.views.elision import elided_name

if TYPE_CHECKING:
    from PySide6.QtGui import QFontMetricsF

    from workbench.explain.node_figures import Test
    from workbench.views.look.text_width import Ruler

NAME_PART = 0.6  # of the room, at most, where the label is long too
LEAST_PART = 0.4  # of the room, where labels are many
MOST_LABELS = 30  # that are tried


def fitted(test: Test, metrics: QFontMetricsF | Ruler, room: float) -> str:
    """The question in one line of `room` pixels; of many categories the first, if any, and how many more."""
    return one_line(_fitted(test, metrics, room))


def _fitted(test: Test, metrics: QFontMetricsF | Ruler, room: float) -> str:
    if metrics.horizontalAdvance(test.text) <= room:
        return test.text
    right, tail = Qt.TextElideMode.ElideRight, f" {test.relation} {test.values()}"
    if test.relation == "<":
        name = elided_name(test.feature, metrics, max(room - metrics.horizontalAdvance(tail), 0.0))
        if len(name) > 1:
            return name + tail
        day, _, hour = test.value.partition(" ")
        short = f"{isolated(test.feature)} {test.relation} {day}…"
        fits = hour and metrics.horizontalAdvance(short) <= room
        return short if fits else metrics.elidedText(tail.strip(), right, room)
    if not test.labels:
        beside = room - metrics.horizontalAdvance(tail)
        name = elided_name(test.feature, metrics, max(room * NAME_PART, beside))
        return metrics.elidedText(name + tail, right, room)
    return _with_fewer(test, metrics, room)


def _with_fewer(test: Test, metrics: QFontMetricsF | Ruler, room: float) -> str:
    """The question with as many of its categories as leave the name room, if any."""
    least = min(metrics.horizontalAdvance(test.feature), room * LEAST_PART)
    for shown in range(min(len(test.labels), MOST_LABELS), -1, -1):
        tail = f" {test.relation} {test.values(shown)}"
        left = room - metrics.horizontalAdvance(tail)
        if left >= least:
            break
    if not shown:
        shortest = _with_shortest(test, metrics, room - least)
        tail, left = shortest or tail, room - metrics.horizontalAdvance(shortest or tail)
    return elided_name(test.feature, metrics, max(left, 0.0)) + tail


def _with_shortest(test: Test, metrics: QFontMetricsF | Ruler, room: float) -> str:
    """The list with its shortest label alone, where the first are too long; "" where that is, too."""
    label = min(test.labels, key=len)
    tail = f" {test.relation} {{{isolated(label)}, … +{len(test.labels) - 1}}}"
    return tail if metrics.horizontalAdvance(tail) <= room else ""
