"""Outlines that are filled instead of drawn by a pen stand where a pen would put them."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from tests.made_trees import full_tree
from tests.views.tree.test_frames import scene_of
from workbench.views.look.theme import theme
from workbench.views.tree.camera import Detail, fitting
from workbench.views.tree.paint.cells import mark_cells
from workbench.views.tree.paint.lettering import Lettering
from workbench.views.tree.paint.nodes import RADIUS, NodePainter

WHITE = 0xFFFFFFFF


def painted(paint):
    image = QImage(900, 520, QImage.Format.Format_RGB32)
    image.fill(WHITE)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint(painter)
    painter.end()
    return np.frombuffer(image.bits(), np.uint8).reshape(520, 900, 4)[..., :3].astype(int)


@pytest.mark.parametrize("width", [1, 1.5, 3])
def test_a_cell_is_outlined_as_a_pen_would(qapp, width):
    scene = scene_of(full_tree(3), "icicle")
    camera = fitting(scene.layout, 900, 520, scene.arrangement)
    nodes = [1, 5, 10]

    def by_pen(painter):
        painter.setPen(QPen(theme().color("accent"), width, j=Qt.PenJoinStyle.MiterJoin))
        for node in nodes:
            painter.drawRect(scene.places.rect(node, camera).adjusted(1, 1, -1, -1))

    own = painted(lambda painter: mark_cells(painter, scene, camera, nodes, "accent", width))
    pen = painted(by_pen)
    assert (own != 255).any(axis=2).sum() > 2000
    differ = np.abs(own - pen).max(axis=2)
    assert (differ > 8).sum() <= 4 * 4 * len(nodes)  # pixels of corners


def test_a_box_has_its_outline_and_its_ground(qapp):
    scene = scene_of(full_tree(2), "top-down")
    camera = fitting(scene.layout, 900, 520, scene.arrangement)
    assert camera.detail is Detail.NEAR
    rect = scene.places.rect(0, camera)

    def by_pen(painter):
        painter.setPen(QPen(theme().color("line2"), 1))
        painter.setBrush(QColor(theme().color("raised")))
        painter.drawRoundedRect(rect, RADIUS, RADIUS)

    own = painted(lambda painter: NodePainter(painter, scene, camera, Lettering()).paint(np.array([0])))
    pen, border = painted(by_pen), np.ones((520, 900), bool)
    inside = rect.adjusted(6, 3, -6, -3).toRect()  # where words and bars are
    border[inside.top() : inside.bottom() + 1, inside.left() : inside.right() + 1] = False
    assert (pen[border] != 255).any(axis=1).sum() > 300
    assert np.abs(own - pen)[border].max() < 40
