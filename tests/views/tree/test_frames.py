"""Wherever a tree was moved to, it looks as if it had been painted there for the first time."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from tests.made_trees import full_tree, random_tree
from tests.views.made_forest import FEATURES
from workbench.data.schema import DataSchema
from workbench.views.look.theme import DARK, set_theme, theme
from workbench.views.tree.arrangement import ARRANGEMENTS
from workbench.views.tree.camera import Detail, fitting
from workbench.views.tree.canvas import TreeCanvas
from workbench.views.tree.colouring import PLAIN
from workbench.views.tree.emphasis import Emphasis
from workbench.views.tree.far.image import FarImage, LitPath
from workbench.views.tree.scene import TreeScene

pytestmark = pytest.mark.usefixtures("picture_kernels")

LEFT = Qt.MouseButton.LeftButton
TREES = {"127 nodes": full_tree(6), "2,001 nodes": random_tree(np.random.default_rng(1), 1000)}


def scene_of(tree, arrangement):
    schema = DataSchema(FEATURES, "disease", "binary", ("no", "yes"))
    return TreeScene.of(tree, schema, PLAIN, None, ARRANGEMENTS[arrangement])


def made_canvas(qtbot, scene, marks):
    canvas = TreeCanvas()
    canvas.resize(900, 520)
    qtbot.addWidget(canvas)
    canvas.show()
    canvas.show_scene(scene, marks)
    return canvas


def picture(canvas):
    return canvas.grab().toImage()


def anew(qtbot, canvas):
    """The same tree, painted by a canvas that never showed anything."""
    fresh = made_canvas(qtbot, scene_of(canvas.scene.tree, canvas.scene.arrangement.name), canvas.marks)
    fresh.motion.go_back_to(canvas.camera)
    qtbot.waitUntil(lambda: fresh.motion.is_still)
    return picture(fresh)


def drag(qtbot, canvas, start, step):
    qtbot.mousePress(canvas, LEFT, pos=start)
    for share in (0.3, 0.6, 1.0):
        qtbot.mouseMove(canvas, start + step * share)
        picture(canvas)
    qtbot.mouseRelease(canvas, LEFT, pos=start + step)


def turn_wheel(canvas, point, notches):
    for _ in range(abs(notches)):
        turn = QPoint(0, 120 if notches > 0 else -120)
        QApplication.sendEvent(canvas, QWheelEvent(
            QPointF(point), canvas.mapToGlobal(QPointF(point)), QPoint(), turn, Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False))
        picture(canvas)


@pytest.mark.sampled
@pytest.mark.sampled
@pytest.mark.parametrize("size", TREES)
@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_after_any_movement_the_picture_is_that_of_a_fresh_painting(qtbot, arrangement, size):
    tree = TREES[size]
    canvas = made_canvas(qtbot, scene_of(tree, arrangement), Emphasis(selected=tree.n_nodes - 1))
    levels = set()
    for notches in (0, 4, 6, 8, -5):
        turn_wheel(canvas, QPoint(430, 300), notches)
        drag(qtbot, canvas, QPoint(400, 250), QPoint(-60, 30))
        levels.add(canvas.camera.detail)
        assert picture(canvas) == anew(qtbot, canvas)
    canvas.zoom_to(tree.n_nodes // 2)
    qtbot.waitUntil(lambda: canvas.motion.is_still and canvas.camera.detail is Detail.NEAR)
    levels.add(canvas.camera.detail)
    assert picture(canvas) == anew(qtbot, canvas)
    assert len(levels) > 1 or arrangement == "icicle"


@pytest.mark.parametrize("size", TREES)
def test_what_is_emphasised_on_the_way_is_where_the_tree_is(qtbot, size):
    tree = TREES[size]
    canvas = made_canvas(qtbot, scene_of(tree, "top-down"), Emphasis())
    before = picture(canvas)
    drag(qtbot, canvas, QPoint(400, 250), QPoint(40, 20))
    canvas.show_marks(Emphasis(pointed=2, selected=1, matches=frozenset({3})))
    drag(qtbot, canvas, QPoint(400, 250), QPoint(25, 10))

    assert picture(canvas) == anew(qtbot, canvas)
    canvas.show_marks(Emphasis())
    drag(qtbot, canvas, QPoint(400, 250), QPoint(-65, -30))
    assert picture(canvas) == before


@pytest.mark.sampled
@pytest.mark.parametrize("density", [1.5, 2.0])
@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_on_a_dense_screen_what_is_moved_is_as_if_painted_there(arrangement, density):
    scene, window = scene_of(TREES["2,001 nodes"], arrangement), QSize(400, 240)
    camera = fitting(scene.layout, 400, 240, scene.arrangement).zoomed(1.7, 200, 60)
    ways = [LitPath(scene.places.path(scene.tree.n_nodes - 1), theme().color("accent").rgb(), 3.0)]
    image = FarImage()
    before = image.paint(scene, camera, window, density, ways).copy()
    for across, down in ((9, 2), (-4, 30), (-390, 0), (0, -25), (500, 10)):
        camera = camera.moved(across / density, down / density)
        moved = image.paint(scene, camera, window, density, ways).copy()
        assert moved == FarImage().paint(scene, camera, window, density, ways)
        assert moved != before


@pytest.mark.parametrize("size", TREES)
def test_another_theme_is_painted_at_once(qtbot, size):
    canvas = made_canvas(qtbot, scene_of(TREES[size], "top-down"), Emphasis(selected=5))
    canvas.motion.zoom_to(canvas.scene, 5, canvas.size().toSizeF(), at_once=True)
    light = picture(canvas)
    set_theme(QApplication.instance(), "dark")
    try:
        dark, fresh = picture(canvas), anew(qtbot, canvas)
    finally:
        set_theme(QApplication.instance(), None)

    assert dark == fresh != light
    assert dark.pixelColor(899, 4).name().upper() == DARK.tokens["data"]
    assert picture(canvas) == light
