"""A tree seen from afar: thousands of marks and lines in a few batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QPainter, QPen

from workbench.views.theme import theme
from workbench.views.tree.scene import FAR_SIZE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.views.tree.camera import Camera
    from workbench.views.tree.scene import TreeScene

STEPS = 12  # of either ramp
SIZES = (2.0, 4.0, 6.0, 8.0, 10.0)
LEAF_SIZE = 6.0


def paint_far(
    painter: QPainter, scene: TreeScene, camera: Camera, nodes: NDArray[np.intp],
    path: frozenset[int], row: frozenset[int],
) -> None:
    """Paint `nodes` and the edges that lead to them: lines of 1 px, circles by gain, squares by weight."""
    x = camera.x + scene.layout.x * camera.slot
    y = camera.y + scene.layout.y * camera.pitch + FAR_SIZE / 2
    below = nodes[nodes > 0]
    _lines(painter, scene, x, y, below, QPen(theme().color("line2"), 1))
    chosen_pen, row_pen = QPen(theme().color("accent", 0.55), 3), QPen(theme().color("accent"), 2)
    for chosen, pen in ((path, chosen_pen), (row, row_pen)):
        _lines(painter, scene, x, y, np.array(sorted(chosen), np.intp), pen)
    leaf = scene.tree.is_leaf[nodes]
    _squares(painter, scene, camera, x, y, nodes[leaf])
    _circles(painter, scene, camera, x, y, nodes[~leaf])


def _lines(
    painter: QPainter, scene: TreeScene, x: NDArray[np.float64], y: NDArray[np.float64],
    nodes: NDArray[np.intp], pen: QPen,
) -> None:
    upper = scene.layout.parent[nodes]
    ends = zip(x[upper].tolist(), y[upper].tolist(), x[nodes].tolist(), y[nodes].tolist(), strict=True)
    painter.setPen(pen)
    painter.drawLines([QLineF(*end) for end in ends])


def _circles(
    painter: QPainter, scene: TreeScene, camera: Camera, x: NDArray[np.float64], y: NDArray[np.float64],
    nodes: NDArray[np.intp],
) -> None:
    gains = scene.tree.nodes["gain"]
    share = np.clip(np.nan_to_num(gains[nodes]) / max(scene.largest_gain, 1e-300), 0, 1)
    room = np.minimum(scene.layout.leaves[nodes] * camera.slot * 0.8, camera.pitch * 0.8)
    size = np.minimum(6 + 4 * share, room)
    for step, width, chosen in _batches(share, size):
        pen = QPen(theme().gain_mark(step), width)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        _points(painter, pen, x[nodes[chosen]], y[nodes[chosen]])


def _squares(
    painter: QPainter, scene: TreeScene, camera: Camera, x: NDArray[np.float64], y: NDArray[np.float64],
    nodes: NDArray[np.intp],
) -> None:
    share = np.clip(np.nan_to_num(scene.tree.nodes["weight"][nodes]) / scene.weight_limit, -1, 1)
    size = np.full(len(nodes), min(LEAF_SIZE, camera.slot * 0.8))
    for step, width, chosen in _batches((share + 1) / 2, size):
        pen = QPen(theme().weight(2 * step - 1), width)
        pen.setCapStyle(Qt.PenCapStyle.SquareCap)
        _points(painter, pen, x[nodes[chosen]], y[nodes[chosen]])


def _points(painter: QPainter, pen: QPen, x: NDArray[np.float64], y: NDArray[np.float64]) -> None:
    painter.setPen(pen)
    painter.drawPoints([QPointF(*point) for point in zip(x.tolist(), y.tolist(), strict=True)])


def _batches(
    share: NDArray[np.float64], size: NDArray[np.float64]
) -> list[tuple[float, float, NDArray[np.intp]]]:
    """Group marks by colour step and size; the strongest are painted last."""
    colour = np.rint(share * STEPS).astype(int)
    width = np.searchsorted(np.array(SIZES[1:]) - 1e-9, size)
    key = colour * len(SIZES) + width
    return [
        (k // len(SIZES) / STEPS, SIZES[k % len(SIZES)], np.flatnonzero(key == k))
        for k in np.unique(key).tolist()
    ]
