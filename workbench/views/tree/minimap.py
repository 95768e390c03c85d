"""The whole tree in a corner while it is larger than the window; drag in it to move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from workbench.views.look.scale import px
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import set_tip
from workbench.views.tree.camera import FAR_SIZE, Camera
from workbench.views.tree.far.far import MANY, paint_cells, paint_lines, paint_marks
from workbench.views.tree.far.image import FarImage

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
        self.setFixedSize(px(WIDTH), px(HEIGHT))
        self.setCursor(Qt.CursorShape.CrossCursor)
        set_tip(self, "The whole tree; drag to move")
        self.setAccessibleName("Map of the tree")
        self.hide()

    def show_view(self, scene: TreeScene | None, camera: Camera) -> None:
        """Follow the canvas."""
        self._scene, self._camera = scene, camera
        window = self._window
        roomy = window.width() > 3 * WIDTH and window.height() > 2 * HEIGHT
        inside = QRectF(window).adjusted(-SLACK, -SLACK, SLACK, SLACK)
        self.setVisible(scene is not None and roomy and not inside.contains(scene.places.bounds(camera)))
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
            layout, position = self._scene.layout, event.position()
            across, level = self._small(self._scene).place(position.x(), position.y())
            across = min(max(across, layout.left), layout.right)  # not beyond the tree
            self.wanted.emit(QPointF(*self._camera.at(across, min(max(level, 0.0), float(layout.depth)))))

    def _small(self, scene: TreeScene) -> Camera:
        """The camera of the map: across and along the levels as much as fits."""
        layout, arrangement = scene.layout, scene.arrangement
        one = Camera(arrangement=arrangement)
        sides = (HEIGHT, WIDTH) if arrangement.is_sideways else (WIDTH, HEIGHT)
        across, along = (side - 2 * PADDING for side in sides)
        zoom = across / (one.slot * (layout.right - layout.left + (0 if arrangement.is_cells else 1)))
        levels = layout.depth + 1 if arrangement.is_cells else max(layout.depth, 1)
        pitch = min((along - (0 if arrangement.is_cells else FAR_SIZE)) / levels, 24.0)
        squeeze = pitch / (arrangement.pitch * (1.0 if arrangement.is_cells else zoom))
        small = Camera(0, 0, zoom, 1.0, squeeze, zoom, arrangement)
        middle = (layout.left + layout.right) / 2
        if arrangement.is_sideways:
            return small.moved(PADDING, HEIGHT / 2 - middle * small.slot)
        return small.moved(WIDTH / 2 - middle * small.slot, PADDING)

    def _frame(self, scene: TreeScene) -> QRectF:
        small, window = self._small(scene), self._window
        ends = ((0, 0), (window.width(), window.height()))
        corners = [small.at(*self._camera.place(x, y)) for x, y in ends]
        return QRectF(QPointF(*corners[0]), QPointF(*corners[1]))

    def _drawn(self, scene: TreeScene) -> QPixmap:
        """The picture, drawn once for each tree."""
        if self._picture is None or self._picture[:2] != (scene, theme().name):
            self._picture = (scene, theme().name, self._draw(scene))
        return self._picture[2]

    def _draw(self, scene: TreeScene) -> QPixmap:
        small, nodes = self._small(scene), scene.layout.shown
        if scene.tree.n_nodes > MANY:
            image = FarImage().paint(scene, small, self.size(), DENSITY, ground="panel")
            return QPixmap.fromImage(image)
        pixmap = QPixmap(WIDTH * DENSITY, HEIGHT * DENSITY)
        pixmap.setDevicePixelRatio(DENSITY)
        pixmap.fill(theme().color("panel"))
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if scene.arrangement.is_cells:
            paint_cells(painter, scene, small, nodes)
        else:
            paint_lines(painter, scene, small, nodes[1:])
            paint_marks(painter, scene, small, nodes)
        painter.end()
        return pixmap
