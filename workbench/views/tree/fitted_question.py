"""A question in little room: names and labels lose letters, lists their end, never a threshold a digit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from PySide6.QtGui import QFontMetricsF

    from workbench.explain.node_figures import Test

NAME_PART = 0.6  # of the room, at most, where labels are long too
MOST_LABELS = 30  # that are tried


def fitted(test: Test, metrics: QFontMetricsF, room: float) -> str:
    """The question in `room` pixels; of many categories the first, and how many more there are."""
    if metrics.horizontalAdvance(test.text) <= room:
        return test.text
    right, tail = Qt.TextElideMode.ElideRight, f" {test.relation} {test.value}"
    if test.relation == "<":
        name = metrics.elidedText(test.feature, right, max(room - metrics.horizontalAdvance(tail), 0.0))
        return name + tail if len(name) > 1 else tail.strip()
    for name in (test.feature, metrics.elidedText(test.feature, right, room * NAME_PART)):
        for shown in range(min(len(test.labels) - 1, MOST_LABELS), 0, -1):
            text = f"{name} {test.relation} {test.values(shown)}"
            if metrics.horizontalAdvance(text) <= room:
                return text
    return _with_short_label(test, name, metrics, room)


def _with_short_label(test: Test, name: str, metrics: QFontMetricsF, room: float) -> str:
    """The question with a part of its first category."""
    right, head = Qt.TextElideMode.ElideRight, f"{name} {test.relation} "
    if not test.labels:
        return metrics.elidedText(head + test.value, right, room)
    end = f" +{len(test.labels) - 1}}}"
    left = room - metrics.horizontalAdvance(head + end)
    label = metrics.elidedText(f"{{{test.labels[0]}, …", right, max(left, 0.0))
    return head + label + end if len(label) > 2 else metrics.elidedText(head + test.value, right, room)
