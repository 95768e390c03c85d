"""A tree seen from afar as shapes: marks and lines in a few batches; as pixels where they are many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from workbench.views.look.many_lines import draw_lines
from workbench.views.look.theme import theme
from workbench.views.tree.colouring import qcolor
from workbench.views.tree.looks import LEAF_SIZE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.views.tree.camera import Camera
    from workbench.views.tree.scene import TreeScene

MANY = 500  # nodes from which kernels paint what is seen from afar
FAR_MIDDLE = 5.0  # pixels from the place of a node to the middle of its mark
LEAST_HALF, LEAST_DISC = 0.3, 1.5  # pixels of half a mark, however little room it has; of half a disc
CELL_GAP = 1.0
RING = 7.0  # pixels from the middle of a mark


def paint_lines(painter: QPainter, scene: TreeScene, camera: Camera, edges: NDArray[np.int64]) -> None:
    """Paint the edges that lead to `edges` as lines of the painter."""
    x, y = _places(scene, camera, slice(None))
    upper = scene.layout.parent[edges]
    painter.setPen(QPen(theme().color("line2"), 1))
    draw_lines(painter, np.stack([x[upper], y[upper], x[edges], y[edges]], axis=1))


def paint_marks(painter: QPainter, scene: TreeScene, camera: Camera, nodes: NDArray[np.int64]) -> None:
    """Paint `nodes` as discs and squares of the painter."""
    x, y = _places(scene, camera, nodes)
    look = scene.far_look
    sizes, room = look.sizes[nodes], scene.layout.room[nodes] * camera.slot
    half = np.maximum(np.minimum(sizes, 0.8 * room) / 2, LEAST_HALF)
    reach = np.minimum(sizes, 0.8 * camera.pitch) / 2
    is_disc = look.is_round[nodes] & (half > LEAST_DISC) & (reach > LEAST_DISC)
    bar = max(min(LEAF_SIZE, 0.8 * camera.pitch) / 2, LEAST_HALF)
    half, reach = np.where(is_disc, np.minimum(half, reach), (half, np.full_like(half, bar)))
    if scene.arrangement.is_sideways:
        half, reach = reach, half
    painter.setPen(Qt.PenStyle.NoPen)
    for middle_x, middle_y, wide, high, color, disc in zip(
        x.tolist(), y.tolist(), half.tolist(), reach.tolist(), look.colors[nodes].tolist(), is_disc.tolist(),
        strict=True,
    ):
        mark = QRectF(middle_x - wide, middle_y - high, 2 * wide, 2 * high)
        if disc:
            painter.setBrush(qcolor(color))
            painter.drawEllipse(mark)
        else:
            painter.fillRect(mark, qcolor(color))


def paint_cells(painter: QPainter, scene: TreeScene, camera: Camera, nodes: NDArray[np.int64]) -> None:
    """Paint the cells of `nodes` by the painter."""
    colors = scene.far_look.colors[nodes].tolist()
    for cell, color in zip(scene.places.rects(nodes, camera), colors, strict=True):
        gap = min(CELL_GAP, cell.width() / 4) / 2
        painter.fillRect(cell.adjusted(gap, 0, -gap, 0), qcolor(color))


def paint_way(
    painter: QPainter, scene: TreeScene, camera: Camera, way: NDArray[np.int64], window: QRectF, pen: QPen
) -> None:
    """Paint a way down the tree, of which the window shows a part.

    Line by line: Qt takes ten times as long for one line with many bends.
    """
    x, y = (np.clip(places, -1e6, 1e6) for places in _places(scene, camera, way))
    turns = np.ones(len(way), np.bool_)
    turns[1:] = (np.diff(np.rint(x)) != 0) | (np.diff(np.rint(y)) != 0)
    inside = (x > window.left() - 20) & (x < window.right() + 20)
    inside &= (y > window.top() - 20) & (y < window.bottom() + 20)
    near = inside.copy()
    near[:-1] |= inside[1:]
    near[1:] |= inside[:-1]
    kept = turns & near
    points = np.stack([x[kept], y[kept]], axis=1)
    painter.setPen(pen)
    draw_lines(painter, np.hstack([points[:-1], points[1:]]))


def paint_rings(
    painter: QPainter, scene: TreeScene, camera: Camera, nodes: NDArray[np.int64], pen: QPen
) -> None:
    """Ring marks; where rings would cover each other, one for all."""
    x, y = _places(scene, camera, nodes)
    cells = np.rint(np.column_stack([x, y]) / RING)
    _, first = np.unique(cells, axis=0, return_index=True)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for across, down in zip(x[first].tolist(), y[first].tolist(), strict=True):
        painter.drawEllipse(QPointF(across, down), RING, RING)


def _places(
    scene: TreeScene, camera: Camera, nodes: NDArray[np.int64] | slice
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Pixels of the middles of marks."""
    dx, dy = to_middle(scene)
    x, y = scene.places.points(nodes, camera)
    return x + dx, y + dy


def to_middle(scene: TreeScene) -> tuple[float, float]:
    """From the place of a node to the middle of its mark, in pixels."""
    return (FAR_MIDDLE, 0.0) if scene.arrangement.is_sideways else (0.0, FAR_MIDDLE)
