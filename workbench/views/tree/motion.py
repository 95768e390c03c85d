"""Moving the camera over a tree: at once under the hand, in 120 ms for fit and selection."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEasingCurve, QObject, QPointF, QRectF, QSizeF, QVariantAnimation, Signal
from PySide6.QtGui import QGuiApplication

from workbench.views.tree.camera import Camera, fitting

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.views.tree.scene import TreeScene

MOTION_MS = 120
SMALL = 1.3  # times it could be larger
EDGE = 12.0  # kept free beside a node that is revealed


class TreeMotion(QObject):
    """Holds the camera; a view that nobody moved follows the size of its window."""

    moved = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.camera = Camera()
        self.is_untouched = True  # neither panned nor zoomed since the last fit
        self.is_near = False  # zoomed to a node since the last fit
        self._from = self._to = self.camera
        self._animation = QVariantAnimation(self)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.valueChanged.connect(self._advance)

    @property
    def is_still(self) -> bool:
        """Whether the camera is where it was sent."""
        return self._animation.state() != QVariantAnimation.State.Running

    def fit(self, scene: TreeScene, size: QSizeF, *, at_once: bool = False) -> None:
        """Show the whole tree."""
        self._go(self._fitting(scene, size), at_once=at_once)
        self.is_untouched = True
        self.is_near = False

    def follow(self, scene: TreeScene, size: QSizeF) -> None:
        """Fit another tree that is too large or much too small as it is, while nobody moved the view."""
        fitted = self._fitting(scene, size)
        within = QRectF(QPointF(), size).contains(scene.places.bounds(self.camera))
        if self.is_untouched and not (within and fitted.zoom < SMALL * self.camera.zoom):
            self.fit(scene, size, at_once=True)

    def hold(self, before: TreeScene, scene: TreeScene, node: int) -> None:
        """Keep a node where it is while the nodes about it are placed anew."""
        x, y = self.camera.at(float(before.layout.x[node]), float(before.layout.y[node]))
        place = float(scene.layout.x[node]), float(scene.layout.y[node])
        untouched = self.is_untouched
        self._go(self.camera.with_place(*place, x, y), at_once=True)
        self.is_untouched = untouched

    def rescale(self, scene: TreeScene | None, size: QSizeF) -> None:
        """Take over the present scale: a view that nobody moved is fitted, another one stays."""
        self.camera = replace(self.camera)  # which forgets what it knew of the scale before
        if scene is not None and self.is_untouched:
            self.fit(scene, size, at_once=True)

    def go_back_to(self, camera: Camera) -> None:
        """Look as somebody looked before."""
        self._go(camera)

    def pan(self, step: QPointF) -> None:
        """Move with the hand."""
        self._go(self.camera.moved(step.x(), step.y()), at_once=True)

    def zoom(self, factor: float, at: QPointF) -> None:
        """Zoom, keeping what is at a pixel."""
        self._go(self.camera.zoomed(factor, at.x(), at.y()), at_once=True)

    def zoom_to(self, scene: TreeScene, node: int, size: QSizeF, *, at_once: bool = False) -> None:
        """Bring a node to the middle, near enough to be read."""
        near = self.camera.legible(float(scene.layout.room[node]))
        middle = scene.places.rect(node, near).center()
        step = size.width() / 2 - middle.x(), size.height() / 2 - middle.y()
        self._go(near.moved(*step), at_once=at_once)
        self.is_near = True

    def reveal(self, scene: TreeScene, node: int, size: QSizeF, covered: Iterable[QRectF] = ()) -> None:
        """Move just so far that a node is in the window, above or below what is `covered`."""
        box = scene.places.rect(node, self.camera)
        room = QRectF(QPointF(), size).adjusted(EDGE, EDGE, -EDGE, -EDGE)
        dx = max(room.left() - box.left(), 0.0) + min(room.right() - box.right(), 0.0)
        dy = max(room.top() - box.top(), 0.0) + min(room.bottom() - box.bottom(), 0.0)
        for cover in covered:
            if cover.intersects(box.translated(dx, dy)):
                is_high = cover.center().y() < size.height() / 2
                dy = cover.bottom() + EDGE - box.top() if is_high else cover.top() - EDGE - box.bottom()
        if dx or dy:
            self._go(self.camera.moved(dx, dy))

    def resize(self, scene: TreeScene | None, before: QSizeF, now: QSizeF) -> None:
        """Fit again while nobody moved the view; else keep what is in the middle there."""
        if scene is not None and self.is_untouched:
            self.fit(scene, now, at_once=True)
        elif before.isValid():
            self.camera = self.camera.moved((now.width() - before.width()) / 2, 0)

    @staticmethod
    def _fitting(scene: TreeScene, size: QSizeF) -> Camera:
        return fitting(scene.layout, size.width(), size.height(), scene.arrangement)

    def _go(self, camera: Camera, *, at_once: bool = False) -> None:
        self.is_untouched = False
        self._animation.stop()
        self._from, self._to = self.camera, camera
        duration = 0 if at_once else _motion_ms()
        if duration:
            self._animation.setDuration(duration)
            self._animation.start()
        else:
            self._advance(1.0)

    def _advance(self, share: float) -> None:
        self.camera = self._to if share >= 1 else self._from.between(self._to, share)
        self.moved.emit()


def _motion_ms() -> int:
    """Length of a movement; none where the system asks for less motion (new versions of Qt know)."""
    hints: Any = QGuiApplication.styleHints()
    if not hasattr(hints, "accessibility") or not hasattr(hints.accessibility(), "motionPreference"):
        return MOTION_MS
    return 0 if "Reduce" in str(hints.accessibility().motionPreference()) else MOTION_MS
