"""Cells that ask questions: where there is little room, names lose letters and thresholds stay."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate

from workbench.errors import one_line
from workbench.views.elision import elided_name
from workbench.views.tree.paint.fitted_question import fitted

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStyleOptionViewItem

    from workbench.explain.node_figures import Test, Way
    from workbench.views.look.text_width import Ruler

WAY_ROLE = Qt.ItemDataRole.UserRole + 40  # the questions of a cell with their answers, a `Way`
JOINT = " › "
NAME_ROOMS = (120, 90, 64, 44, 28)  # pixels of a name, tried one after the other


_one_line = lru_cache(maxsize=1024)(one_line)


class QuestionDelegate(QStyledItemDelegate):
    """Fits what stands under `WAY_ROLE`; every cell is one line."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        way = index.data(WAY_ROLE)
        if way and option.rect.width() > 0:
            option.text = fitted_way(way, QFontMetricsF(option.font), _text_room(option))
        text = option.text
        line = _one_line(text)
        if line != text:
            option.text = line


def _text_room(option: QStyleOptionViewItem) -> float:
    style = option.widget.style() if option.widget is not None else QApplication.style()
    place = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, option.widget)
    margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, option, option.widget) + 1
    return float(place.width() - 2 * margin)


def way_text(way: Way) -> str:
    """Questions and answers in one line: "age < 54.5 › yes"; a question without an answer stands alone."""
    return _joined([(test.text, answer) for test, answer in way])


def fitted_way(way: Way, metrics: QFontMetricsF | Ruler, room: float) -> str:
    """The same in `room` pixels: the longest names lose letters, all of them alike."""
    text = way_text(way)
    if len(way) == 1:
        ((test, answer),) = way
        rest = metrics.horizontalAdvance(JOINT + answer) if answer else 0.0
        return _joined([(fitted(test, metrics, room - rest), answer)])
    for name_room in NAME_ROOMS:
        if metrics.horizontalAdvance(text) <= room:
            break
        text = _joined([(_shortened(test, metrics, name_room), answer) for test, answer in way])
    return text


def _shortened(test: Test, metrics: QFontMetricsF | Ruler, name_room: float) -> str:
    name = elided_name(test.feature, metrics, name_room)
    value = test.values()
    if test.relation != "<":
        whole = metrics.elidedText(value, Qt.TextElideMode.ElideRight, name_room)
        value = value if whole == value else test.values(1) if test.labels else whole
    return f"{name} {test.relation} {value}"


def _joined(words: list[tuple[str, str]]) -> str:
    return JOINT.join(word for pair in words for word in pair if word)
