"""What of a tree shows in a window."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from workbench.views.tree.camera import Detail

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PySide6.QtCore import QRectF

    from workbench.views.tree.camera import Camera
    from workbench.views.tree.scene import TreeScene

REACH, FAR_REACH = 90.0, 20.0  # pixels beyond the window in which a box may still show, and a mark


def visible(scene: TreeScene, camera: Camera, window: QRectF) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the nodes that show in `window`, and those whose edge does."""
    left, right, first, last = _span(scene, camera, window)
    return visible_nodes(scene, camera, window), scene.layout.edges_within(left, right, first, last + 1)


def visible_nodes(scene: TreeScene, camera: Camera, window: QRectF) -> NDArray[np.int64]:
    """Return the nodes that show in `window`."""
    return scene.layout.nodes_within(*_span(scene, camera, window))


def is_in_view(scene: TreeScene, camera: Camera, window: QRectF) -> bool:
    """Whether any node shows in `window`, and be it a corner of its box."""
    ends = window.topLeft(), window.bottomRight()
    (left, top), (right, bottom) = (camera.place(end.x(), end.y()) for end in ends)
    if len(scene.layout.nodes_within(left, right, math.ceil(top), math.floor(bottom))):
        return True
    boxes = scene.places.rects(visible_nodes(scene, camera, window), camera)
    return any(map(window.intersects, boxes))


def _span(scene: TreeScene, camera: Camera, window: QRectF) -> tuple[float, float, int, int]:
    """Places across, and levels, that `window` shows, and a little more."""
    reach = FAR_REACH if camera.detail is Detail.FAR else REACH * camera.scale
    wide = window.adjusted(-reach, -reach, reach, reach)
    if scene.arrangement.is_sideways:
        wide = window.adjusted(-2 * reach, -reach, reach, reach)
    corners = [camera.place(x, y) for x, y in ((wide.left(), wide.top()), (wide.right(), wide.bottom()))]
    (left, top), (right, bottom) = corners
    levels = math.floor(top), math.ceil(bottom)
    if scene.arrangement.is_cells:
        levels = max(math.floor(camera.place(0, window.top())[1]), 0), math.floor(bottom)
    return left, right, *levels
