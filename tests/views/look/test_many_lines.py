"""Many lines in one call."""

import numpy as np
from PySide6.QtCore import QLineF, Qt
from PySide6.QtGui import QImage, QPainter, QPen

from workbench.views.look.many_lines import draw_lines


def painted(draw):
    image = QImage(60, 60, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    with QPainter(image) as painter:
        painter.setPen(QPen(Qt.GlobalColor.black, 1.25))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw(painter)
    return image


def test_all_lines_are_painted_as_one_by_one(qapp):
    ends = np.random.default_rng(0).uniform(0, 60, size=(4, 20)).T  # not contiguous
    one_by_one = painted(lambda painter: [painter.drawLine(QLineF(*end)) for end in ends.tolist()])
    assert painted(lambda painter: draw_lines(painter, ends)) == one_by_one
    assert painted(lambda painter: draw_lines(painter, ends[:0])) == painted(lambda _: None)
