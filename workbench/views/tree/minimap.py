"""The whole tree in a corner while it is larger than the window; drag in it to move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from workbench.views.theme import theme
from workbench.views.tree.camera import Camera
from workbench.views.tree.far import paint_far
from workbench.views.tree.scene import FAR_SIZE

if TYPE_CHECKING:
    from workbench.views.tree.scene import TreeScene

WIDTH, HEIGHT, INSET, PADDING = 160, 100, 12, 8
DENSITY = 2
SLACK = 4.0  # pixels of the tree that may be outside before the map appears


class TreeMinimap(QWidget):
    """A map with a frame round what the window shows; `wanted` is the pixel to bring to its middle."""

    wanted = Signal(QPointF)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._scene: TreeScene | None = None
        self._camera = Camera()
        self._picture: tuple[object, str, QPixmap] | None = None
        self.setFixedSize(WIDTH, HEIGHT)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setToolTip("The whole tree; drag to move")
        self.setAccessibleName("Map of the tree")
        self.hide()

    def show_view(self, scene: TreeScene | None, camera: Camera) -> None:
        """Follow the canvas."""
        self._scene, self._camera = scene, camera
        window = self._window
        roomy = window.width() > 3 * WIDTH and window.height() > 2 * HEIGHT
        inside = QRectF(window).adjusted(-SLACK, -SLACK, SLACK, SLACK)
        self.setVisible(scene is not None and roomy and not inside.contains(scene.bounds(camera)))
        self.move(window.width() - WIDTH - INSET, window.height() - HEIGHT - INSET)
        self.update()

    @property
    def _window(self) -> QRect:
        """The canvas, in its own pixels."""
        canvas = self.parentWidget()
        return canvas.rect() if canvas is not None else self.rect()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("panel"))
        if self._scene is not None:
            painter.drawPixmap(QPointF(), self._drawn(self._scene))
            painter.setPen(QPen(theme().color("text2"), 1))
            painter.setBrush(theme().color("text1", 0.06))
            painter.drawRect(self._frame(self._scene).intersected(QRectF(self.rect()).adjusted(1, 1, -2, -2)))
        painter.setPen(QPen(theme().color("line2"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._scene is not None and event.buttons() & Qt.MouseButton.LeftButton:
            small = self._small(self._scene)
            x = (event.position().x() - small.x) / small.slot
            y = (event.position().y() - small.y) / small.pitch
            self.wanted.emit(QPointF(*self._camera.at(x, y)))

    def _small(self, scene: TreeScene) -> Camera:
        """The camera of the map: across and down as much as fits."""
        layout = scene.layout
        one = Camera()
        zoom = (WIDTH - 2 * PADDING) / (one.slot * (layout.right - layout.left + 1))
        pitch = min((HEIGHT - 2 * PADDING - FAR_SIZE) / max(layout.depth, 1), 24.0)
        middle = (layout.left + layout.right) / 2
        squeeze = pitch / (one.pitch * zoom)
        return Camera(WIDTH / 2 - middle * one.slot * zoom, PADDING, zoom, 1.0, squeeze, zoom)

    def _frame(self, scene: TreeScene) -> QRectF:
        small, window = self._small(scene), self._window
        left, top = -self._camera.x / self._camera.slot, -self._camera.y / self._camera.pitch
        right = left + window.width() / self._camera.slot
        bottom = top + window.height() / self._camera.pitch
        return QRectF(QPointF(*small.at(left, top)), QPointF(*small.at(right, bottom)))

    def _drawn(self, scene: TreeScene) -> QPixmap:
        """The picture, drawn once for each tree."""
        if self._picture is None or self._picture[:2] != (scene.tree, theme().name):
            pixmap = QPixmap(WIDTH * DENSITY, HEIGHT * DENSITY)
            pixmap.setDevicePixelRatio(DENSITY)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            nodes = np.arange(scene.tree.n_nodes)
            paint_far(painter, scene, self._small(scene), nodes, frozenset(), frozenset())
            painter.end()
            self._picture = (scene.tree, theme().name, pixmap)
        return self._picture[2]
