from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from workbench.views.tree.paint.lettering import LEFT, MIDDLE, RIGHT, Lettering

WHITE = 0xFFFFFFFF


def written(lettering, *, times=1, density=1.0):
    """The pixels of some words, written one or more times over."""
    image = QImage(round(300 * density), round(60 * density), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(density)
    for _ in range(times):
        image.fill(WHITE)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        lines = (LEFT, 0, "age < 54.5"), (MIDDLE, 20, "−0.839 <b>"), (RIGHT, 40, "15 of 33 yes")
        for side, top, text in lines:
            lettering.add(QRectF(10, top, 280, 20), text, 12, QColor("black"), side, bold=not top)
        lettering.write(painter)
        painter.end()
    return np.frombuffer(image.bits(), np.uint32).reshape(image.height(), image.width()).copy()


def ink(pixels):
    """How dark each pixel is, 0 to 1."""
    return 1.0 - (pixels & 255) / 255.0


@pytest.mark.parametrize("density", [1.0, 2.0])
def test_words_that_are_kept_stand_where_qt_writes_them(qapp, density):
    """Within a pixel: at other densities Qt may place the letters of either by other fractions of one."""
    kept, plain = (ink(written(Lettering(exact=exact), density=density)) for exact in (False, True))
    for lines in np.split(np.arange(len(kept)), 3):
        places = [np.argwhere(ink_of_all[lines] > 0.2) for ink_of_all in (kept, plain)]
        assert min(map(len, places)) > 100
        assert abs(places[0].min(axis=0) - places[1].min(axis=0)).max() <= 1
        assert abs(places[0].max(axis=0) - places[1].max(axis=0)).max() <= 1
    assert kept.sum() == pytest.approx(plain.sum(), rel=0.05)


def test_what_was_written_is_not_written_again(qapp):
    lettering = Lettering()
    assert (written(lettering, times=3) == written(Lettering())).all()
    image = QImage(300, 60, QImage.Format.Format_RGB32)
    image.fill(WHITE)
    painter = QPainter(image)
    lettering.write(painter)
    painter.end()
    assert (np.frombuffer(image.bits(), np.uint32) == 0xFFFFFFFF).all()
