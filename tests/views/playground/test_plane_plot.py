"""The plane keeps a picture of what stays; it must look as if all of it were painted anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QFontMetrics, QImage, QPainter, QRegion

from workbench.views.curves.ink import width
from workbench.views.look.theme import set_theme
from workbench.views.playground.plane_plot import PlanePlot
from workbench.views.playground.plane_scene import PlaneScene

POINT = 4


@pytest.fixture
def scene():
    chance = np.random.default_rng(0)
    x, y = chance.uniform(0.1, 0.9, (2, 40))
    return PlaneScene(
        x=x, y=y, target=chance.integers(0, 2, 40), sizes=chance.random(40), classes=("a", "b"),
        ticks=frozenset({"sizes"}),
    )  # fmt: skip


def plot_of(qtbot, scene, held=-1):
    plot = PlanePlot()
    qtbot.addWidget(plot)
    plot.resize(400, 300)
    plot.show_scene(scene)
    plot.held = held
    return plot


def grabbed(plot):
    return plot.grab().toImage()


def moved(scene, point, x, y):
    return replace(scene, x=np.where(np.arange(40) == point, x, scene.x),
                   y=np.where(np.arange(40) == point, y, scene.y))


def test_a_point_in_hand_leaves_no_trace(qtbot, scene):
    plot = plot_of(qtbot, scene)
    before = grabbed(plot)
    qtbot.mousePress(plot, Qt.MouseButton.LeftButton, pos=plot.place_of(POINT).toPoint())
    for x, y in ((0.3, 0.3), (0.5, 0.6), (0.7, 0.2)):
        there = moved(scene, POINT, x, y)
        plot.show_scene(there)
        assert grabbed(plot) == grabbed(plot_of(qtbot, there, held=POINT))
    qtbot.mouseRelease(plot, Qt.MouseButton.LeftButton, pos=QPoint(9, 9))
    plot.show_scene(scene)
    assert grabbed(plot) == before


def test_a_moved_point_is_painted_anew_where_it_was_and_where_it_is(qtbot, scene):
    plot = plot_of(qtbot, scene)
    plot.show()
    qtbot.waitExposed(plot)
    qtbot.mousePress(plot, Qt.MouseButton.LeftButton, pos=plot.place_of(POINT).toPoint())
    plot.show_scene(scene)
    screen = _Screen(plot)
    qtbot.waitUntil(lambda: screen.shows(plot_of(qtbot, scene, held=POINT)))
    painted = []
    for x, y in ((0.5, 0.6), (0.2, 0.3), (0.8, 0.4)):
        screen.painted, there = QRegion(), moved(scene, POINT, x, y)
        plot.show_scene(there)
        qtbot.waitUntil(lambda there=there: screen.shows(plot_of(qtbot, there, held=POINT)))
        painted.append(sum(part.width() * part.height() for part in screen.painted))
    assert min(painted) < plot.width() * plot.height() / 20  # of a window that comes up all is painted


class _Screen(QObject):
    """Holds what was painted of a plot, part by part, as a screen does."""

    def __init__(self, plot):
        super().__init__(plot)
        self.plot, self.painted = plot, QRegion()
        self.pixels = QImage(plot.size(), QImage.Format.Format_RGB32)
        plot.installEventFilter(self)

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and self.plot.isVisible():
            self.painted |= event.region()
            whole = QImage(self.plot.size(), QImage.Format.Format_RGB32)
            with QPainter(whole) as painter:
                self.plot.paint(painter)
            with QPainter(self.pixels) as painter:
                painter.setClipRegion(event.region())
                painter.drawImage(0, 0, whole)
        return False

    def shows(self, plot):
        whole = QImage(plot.size(), QImage.Format.Format_RGB32)
        with QPainter(whole) as painter:
            plot.paint(painter)
        return self.pixels == whole


def test_other_points_sizes_and_colours_are_painted_anew(qtbot, scene, qapp):
    plot = plot_of(qtbot, scene)
    seen = [grabbed(plot)]
    for other in (moved(scene, 9, 0.5, 0.5), replace(scene, sizes=1 - scene.sizes),
                  replace(scene, target=1 - scene.target), replace(scene, marked=2)):
        plot.show_scene(other)
        seen.append(grabbed(plot))
        assert seen[-1] == grabbed(plot_of(qtbot, other))
    former = qapp.property("theme")
    set_theme(qapp, "dark" if former != "dark" else "light")
    try:
        seen.append(grabbed(plot))
    finally:
        set_theme(qapp, former)
    assert all(one != other for place, one in enumerate(seen) for other in seen[:place])


def test_no_number_stands_under_the_name_of_its_axis(qtbot, scene):
    plot = plot_of(qtbot, replace(scene, names=("a name of some length", "y")))
    metrics, free = QFontMetrics(plot.font()), plot.plot_rect.right() - width("a name of some length")
    marks = plot._x_marks(metrics)
    assert len(marks) > 1
    assert all(plot.across(value) + metrics.horizontalAdvance(text) / 2 < free for value, text in marks)
