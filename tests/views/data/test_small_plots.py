"""Names below the small plots, and the classes beside them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtGui import QFontMetrics, QPainter, QPixmap

from workbench.views.data.axes import BOTTOM, SmallPlot
from workbench.views.data.legend import LONGEST, ClassLegend
from workbench.views.data.target import TargetClasses
from workbench.views.look.fonts import AXIS, load_fonts, ui_font

TREES = ["cedar", "fir", "maple", "larch", "beech", "aspen", "alder", "birch"]


class Named(SmallPlot):
    """Notes what it writes below itself, and where."""

    def __init__(self, names, wide):
        super().__init__(130)
        self.resize(wide, 130)
        self.set_x_names(names)

    def written(self, monkeypatch):
        texts = []
        real = QPainter.drawText

        def draw(painter, box, flags, text):
            texts.append((text, box))
            return real(painter, box, flags, text)

        with monkeypatch.context() as patched:
            patched.setattr(QPainter, "drawText", draw)
            picture = QPixmap(self.size())
            painter = QPainter(picture)
            self.paint_axes(painter)
            painter.end()
        return texts


@pytest.fixture
def plot_of(qtbot):
    load_fonts()

    def make(names, wide):
        plot = Named(names, wide)
        qtbot.addWidget(plot)
        return plot
    return make


def test_names_that_would_be_cut_stand_in_two_lines(plot_of, monkeypatch):
    plot = plot_of(TREES, 236)
    texts = plot.written(monkeypatch)
    assert [text for text, _ in texts] == TREES
    assert len({box.top() for _, box in texts}) == 2
    assert max(box.bottom() for _, box in texts) <= plot.height()
    assert plot.plot_rect.bottom() < plot.height() - BOTTOM


def test_names_with_room_stand_in_one_line(plot_of, monkeypatch):
    plot = plot_of(TREES[:4], 236)
    assert len({box.top() for _, box in plot.written(monkeypatch)}) == 1
    assert plot.plot_rect.bottom() == plot.height() - BOTTOM


@pytest.mark.parametrize("number", [8, 12, 40, 300])
def test_no_name_lies_on_another(plot_of, monkeypatch, number):
    texts = plot_of([f"code-{n}" for n in range(number)], 236).written(monkeypatch)
    assert texts
    for line in {box.top() for _, box in texts}:
        boxes = sorted((box for _, box in texts if box.top() == line), key=lambda box: box.left())
        assert all(left.right() <= right.left() + 1 for left, right in pairwise(boxes))


def test_of_a_long_target_the_legend_names_the_classes_alone(qtbot):
    legend = ClassLegend()
    qtbot.addWidget(legend)
    legend.resize(230, 40)
    names = {
        "left": ["no", "yes"],
        "Does the customer leave within twelve months?": ["The customer leaves", "The customer stays"],
    }
    shown = []
    for column, labels in names.items():
        legend.show_classes(TargetClasses(column, tuple(labels), np.zeros(1, np.int64)))
        shown.append([text for _, text, _, _ in legend._entries()])
    assert shown == [["left yes", "no"], ["The customer stays", "The customer leaves"]]
    metrics = QFontMetrics(ui_font(AXIS))
    assert all(metrics.horizontalAdvance(text) <= LONGEST for texts in shown for text in texts)
