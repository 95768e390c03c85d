"""The strokes of many lines, beside those of one line drawn step by step."""

import numpy as np
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from workbench.views.curves.pane import _dashed
from workbench.views.look.many_lines import draw_lines, line_ends, stair_ends


def stairs(lefts, rights, heights):
    """The strokes of one line: a new one where the height is another, and one up or down to it."""
    strokes, begin = [], 0
    for step in range(1, len(heights) + 1):
        if step == len(heights) or heights[step] != heights[begin]:
            strokes.append((lefts[begin], heights[begin], rights[step - 1], heights[begin]))
            if step < len(heights):
                strokes.append((lefts[step], heights[begin], lefts[step], heights[step]))
            begin = step
    return strokes


def test_stairs_have_a_stroke_a_stretch_and_one_between_two():
    edges = np.array([0.0, 1.0, 3.0, 4.0, 6.0])
    heights = np.random.default_rng(3).integers(0, 2, size=(20, 4)).astype(float)
    wanted = [stroke for line in heights for stroke in stairs(edges[:-1], edges[1:], line)]
    assert sorted(map(tuple, stair_ends(edges[:-1], edges[1:], heights))) == sorted(wanted)


def test_steps_that_are_not_joined_stand_alone():
    ends = stair_ends(np.array([0.0, 5.0]), np.array([2.0, 7.0]), np.array([[1.0, 1.0]]), joined=False)
    assert ends.tolist() == [[0, 1, 2, 1], [5, 1, 7, 1]]


def test_lines_go_from_point_to_point():
    ends = line_ends(np.array([0.0, 1.0, 2.0]), np.array([[5.0, 6.0, 7.0], [1.0, 2.0, 3.0]]))
    assert ends.tolist() == [[0, 5, 1, 6], [1, 6, 2, 7], [0, 1, 1, 2], [1, 2, 2, 3]]


def test_many_lines_are_drawn_where_they_end(qapp):
    image = QImage(40, 10, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    with QPainter(image) as painter:
        painter.setPen(QPen(QColor("black"), 1))
        draw_lines(painter, np.empty((0, 4)))
        draw_lines(painter, np.array([[2, 3, 9, 3], [20, 1, 20, 6]]))
    inked = {(x, y) for x in range(40) for y in range(10) if image.pixelColor(x, y).lightness() < 50}
    assert inked == {(x, 3) for x in range(2, 10)} | {(20, y) for y in range(1, 7)}


def test_dashes_are_one_stroke_with_gaps_that_stay_as_the_line_grows():
    x, y = np.array([1.0, 50.0, 90.0]), np.array([0.0, 49.0, 9.0])
    for last in (2, 3):
        places, heights = _dashed(x[:last], y[:last], 0.5, 4, 4)
        on = np.isfinite(heights)
        np.testing.assert_allclose(heights[on], np.interp(places[on], x, y))
        steps = np.rint(places / 0.5).astype(int) % 8
        assert set(steps[on & (places > 1) & (places < x[last - 1])]) <= {0, 1, 2, 3, 4}
        assert 0.3 < on.mean() < 0.8
        assert (np.diff(places) >= 0).all()
