from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from workbench.views.curves.content import Content, Line, RoundMarks
from workbench.views.curves.overlay import paint_round_marks
from workbench.views.curves.pane import Pane
from workbench.views.curves.vertical_scales import Linear
from workbench.views.look.theme import theme
from workbench.views.ruler.round_axis import RoundAxis

CHANGE = 50


def ink_of_change(level, height=82):
    """Rows of pixels, from the top of a low plot, in which the words of a change stand; and the line's."""
    axis = RoundAxis.over(760, 100)
    line = Line("base", "ctl", np.full(100, level))
    ends = Line("row", "train", np.linspace(0.0, -1.5, 100))
    pane = Pane()
    pane.place(QRectF(axis.left, 0, axis.right - axis.left, height))
    pane.show(Content("", "", Linear(), (line, ends)), (axis.low, axis.high))
    image = QImage(760, height, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    painter = QPainter(image)
    marks = RoundMarks(rounds=100, newest=100, changes=((CHANGE, "λ 1 → 5"),))
    paint_round_marks(painter, [pane], axis, marks, 0)
    painter.end()
    x, accent = round(axis.x(CHANGE)) + 4, theme().color("accent").rgb()
    rows = [y for y in range(height) if any(image.pixel(i, y) == accent for i in range(x, x + 60))]
    return rows, pane.height_of(line, level)


@pytest.mark.parametrize("level", [-0.17, -0.4, -0.02, -1.3])
def test_the_words_of_a_change_lie_on_no_line(qapp, level):
    rows, line = ink_of_change(level)
    assert rows
    assert line < rows[0] - 1 or line > rows[-1] + 1


def test_they_stand_at_the_top_where_it_is_free(qapp):
    rows, _ = ink_of_change(-1.3)
    assert rows[-1] < 16
