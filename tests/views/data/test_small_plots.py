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
from workbench.views.look.theme import theme

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


def test_of_many_names_a_few_are_written_so_that_they_can_be_read(plot_of, monkeypatch):
    occupations = [f"Retired practice manager {n}" for n in range(100)]
    texts = [text for text, _ in plot_of(occupations, 380).written(monkeypatch)]
    assert len(texts) > 5
    assert min(map(len, texts)) > 5
    assert len(plot_of([str(n) for n in range(40)], 560).written(monkeypatch)) == 40


@pytest.mark.parametrize(("low", "high", "has_base"), [
    (0.0, 0.45, True), (-0.45, 0.45, False), (0.0, 4.5e-13, True), (3e9, 3e9 + 1, True),
])
def test_only_a_line_that_the_plot_stands_on_is_its_base(plot_of, low, high, has_base):
    plot = plot_of(TREES, 236)
    plot.set_y_span(low, high, 5)
    picture = QPixmap(plot.size())
    picture.fill(theme().color("data"))
    with QPainter(picture) as painter:
        plot.paint_axes(painter)
    image, x = picture.toImage(), plot.left + 3
    inks = {image.pixel(x, y) for y in range(plot.height())}
    assert (theme().color("line2").rgb() in inks) is has_base
    assert theme().color("grid").rgb() in inks


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
