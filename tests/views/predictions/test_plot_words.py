"""Words beside the lines of plots under Predictions: what they say, and that they have room."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QPainter, QPixmap

from workbench.explain.predictions.coverage import coverage
from workbench.explain.predictions.score_curve import score_curve
from workbench.views.curves.ink import width
from workbench.views.predictions import coverage_plot, curve_plot
from workbench.views.predictions.coverage_plot import CoveragePlot
from workbench.views.predictions.curve_plot import GainPlot, PrecisionRecallPlot, RocPlot


@pytest.fixture
def written(monkeypatch):
    found = []
    for module in (coverage_plot, curve_plot):
        monkeypatch.setattr(module, "write", lambda _painter, words, x, y, **_: found.append((words, x, y)))
    return found


def paint(plot):
    picture = QPixmap(plot.size())
    with QPainter(picture) as painter:
        plot.paint(painter)


@pytest.mark.parametrize("kind", [RocPlot, PrecisionRecallPlot, GainPlot])
def test_the_best_threshold_is_written_within_the_plot_and_beside_the_mark(qtbot, written, kind):
    rng = np.random.default_rng(0)
    score = rng.random(40)
    is_class, plot = (score + rng.normal(0, 0.3, 40) > 0.5), kind()
    qtbot.addWidget(plot)
    plot.resize(290, 220)
    plot.show_curve(score_curve(score, is_class), "yes", "validation")
    for cut in range(len(plot.curve.taken)):
        plot.set_best(cut, "best 0.5000")
        written.clear()
        paint(plot)
        (words, x, y), room, place = written[-1], plot.plot_rect, plot._place(cut)
        assert words == "best 0.5000"
        assert room.left() <= x <= room.right() - width(words)
        assert room.top() - 14 <= y <= room.bottom()
        assert abs(y - place.y()) == pytest.approx(14)


def test_levels_are_labelled_with_the_share_below_them(qtbot, written):
    plot = CoveragePlot()
    qtbot.addWidget(plot)
    plot.resize(420, 220)
    rng = np.random.default_rng(0)
    target, prediction = rng.normal(size=500), np.tile([-1.0, 0.0, 1.0], (500, 1))
    plot.show_coverage(coverage(target, prediction, (0.16, 0.5, 0.84)))
    paint(plot)
    for level, cut in ((0.16, -1), (0.5, 0), (0.84, 1)):
        share = float((target <= cut).mean())
        (words, x, y), = (one for one in written if one[0].startswith(f"{level}: "))
        assert float(words.split(": ")[1].rstrip(" %")) == pytest.approx(100 * share, abs=0.06)
        assert y == pytest.approx(plot.up(share))
        assert x + width(words) <= plot.width()
