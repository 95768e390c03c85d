"""A large tree seen from afar, or as an icicle, as a picture of pixels that is moved with the hand."""

from __future__ import annotations

import ctypes
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QImage

from workbench.drawing.layout import FINE
from workbench.views.look.theme import theme
from workbench.views.tree.camera import Camera
from workbench.views.tree.far.far import CELL_GAP, to_middle
from workbench.views.tree.far.visible import visible, visible_nodes
from workbench.views.tree.looks import LEAF_SIZE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from workbench.views.tree.scene import TreeScene


class LitPath(NamedTuple):
    """Nodes on the way down the tree, the colour of the line through them, 0xffRRGGBB, and its pixels."""

    nodes: frozenset[int]
    color: int
    width: float


class ShownPicture(NamedTuple):
    """All that a picture depends on but for where it stands."""

    scene: TreeScene
    camera: Camera  # with the root at the first pixel
    size: QSize  # pixels of the screen
    density: float
    theme: str
    ground: str
    ways: tuple[LitPath, ...]


class FarImage:
    """The picture that was shown last, in memory that is used again.

    Where the tree was only moved, and by whole pixels, what is still in the window is moved in the memory,
    and the rest is painted beside it: the same as if all were painted anew, as the kernels see to.
    """

    def __init__(self) -> None:
        self._image = QImage()
        self._shown: ShownPicture | None = None
        self._frame = np.zeros(6)  # of the kernels, for pixels of the image
        self._camera = Camera()

    def paint(
        self, scene: TreeScene, camera: Camera, window: QSize, density: float, ways: Iterable[LitPath] = (),
        ground: str = "data",
    ) -> QImage:
        """Return the picture that fills a window; the one before is gone."""
        size = QSize(round(window.width() * density), round(window.height() * density))
        unmoved = replace(camera, x=0.0, y=0.0)
        shown = ShownPicture(scene, unmoved, size, density, theme().name, ground, tuple(ways))
        step = self._step(shown, camera)
        if step is None:
            self._begin(shown, camera)
            self._paint_part(QRect(0, 0, size.width(), size.height()))
        elif any(step):
            self._camera = camera
            self._move(*step)
        return self._image

    def _step(self, shown: ShownPicture, camera: Camera) -> tuple[int, int] | None:
        """By how many pixels the tree was moved; None where it must be painted anew."""
        if shown != self._shown:
            return None
        x, y = self._first_pixel(shown, camera) - self._frame[:2]
        across, down = round(x), round(y)
        is_within = abs(across) < shown.size.width() and abs(down) < shown.size.height()
        return (across, down) if is_within and (across, down) == (x, y) else None

    @staticmethod
    def _first_pixel(shown: ShownPicture, camera: Camera) -> NDArray[np.float64]:
        """Where the middle of the root's mark stands."""
        middle = (0.0, 0.0) if shown.scene.arrangement.is_cells else to_middle(shown.scene)
        pixel: NDArray[np.float64] = (np.array(camera.frame[:2]) + middle) * shown.density
        return np.rint(pixel * FINE) / FINE

    def _begin(self, shown: ShownPicture, camera: Camera) -> None:
        if self._image.size() != shown.size:  # fresh memory takes longer than what is painted on it
            self._image = QImage(shown.size, QImage.Format.Format_RGB32)
        self._image.setDevicePixelRatio(shown.density)
        self._shown, self._camera = shown, camera
        self._frame = np.array(camera.frame) * shown.density
        self._frame[:2] = self._first_pixel(shown, camera)

    def _pixels(self) -> NDArray[np.uint32]:
        """The image's own memory, row by row."""
        return np.frombuffer(self._image.bits(), np.uint32).reshape(self._image.height(), -1)

    def _move(self, across: int, down: int) -> None:
        """Move what is painted, and paint what comes into the window: rows above or below, columns beside."""
        self._frame[:2] += across, down
        pixels = self._pixels()
        height, width = pixels.shape
        past, address = down * width + across, pixels.ctypes.data
        target, source = (address + 4 * past, address) if past > 0 else (address, address - 4 * past)
        ctypes.memmove(target, source, 4 * (pixels.size - abs(past)))
        top, bottom = max(down, 0), height + min(down, 0)
        if down:
            self._paint_part(QRect(0, 0, width, top) if down > 0 else QRect(0, bottom, width, -down))
        if across:
            self._paint_part(QRect(0 if across > 0 else width + across, top, abs(across), bottom - top))

    def _paint_part(self, part: QRect) -> None:
        """Paint some of the pixels; the kernels want them beside each other in memory."""
        rows = self._pixels()[part.top() : part.top() + part.height()]
        if part.width() == rows.shape[1]:
            self._draw(rows, part)
        else:
            columns = np.empty((part.height(), part.width()), np.uint32)
            self._draw(columns, part)
            rows[:, part.left() : part.left() + part.width()] = columns

    def _draw(self, pixels: NDArray[np.uint32], part: QRect) -> None:
        from workbench.drawing.raster import Marks, draw_cells, draw_edges, draw_marks, draw_way

        shown, camera = self._shown, self._camera
        if shown is None:
            return
        scene, density = shown.scene, shown.density
        layout, look, ground = scene.layout, scene.far_look, theme().color(shown.ground).rgb()
        corner = part.left() / density, part.top() / density
        window = QRectF(*corner, part.width() / density, part.height() / density)
        frame = self._frame.copy()
        frame[:2] -= part.left(), part.top()
        if scene.arrangement.is_cells:
            draw_cells(pixels, visible_nodes(scene, camera, window), layout.x, layout.y, layout.room, frame,
                       look.colors, CELL_GAP * density, ground)
            return
        nodes, edges = visible(scene, camera, window)
        pixels.fill(ground)
        draw_edges(pixels, edges, layout.parent, layout.x, layout.y, layout.spacing, frame,
                   theme().color("line2").rgb())
        for way in shown.ways:
            nodes_of_way = scene.places.way(way.nodes)
            draw_way(pixels, nodes_of_way, layout.x, layout.y, frame, way.color, way.width * density)
        marks = Marks(look.colors, look.sizes * density, layout.room, look.is_round)
        draw_marks(pixels, nodes, layout.x, layout.y, layout.spacing, frame, marks, LEAF_SIZE * density)
