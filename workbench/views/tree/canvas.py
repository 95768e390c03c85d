"""The tree, painted by us: drag to move, wheel to zoom, click or arrows to select."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from workbench.views.theme import theme
from workbench.views.tree.legend import paint_legend
from workbench.views.tree.marks import Marks
from workbench.views.tree.minimap import TreeMinimap
from workbench.views.tree.motion import TreeMotion
from workbench.views.tree.picture import paint_tree, save_picture
from workbench.views.tree.walk import WALK_KEYS, neighbour

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.views.tree.camera import Camera
    from workbench.views.tree.scene import TreeScene

EMPTY = "No trees yet. Choose the target, then Train."
KEYS = "Arrow keys walk the tree, Enter zooms, [ and ] change the round."


class TreeCanvas(QWidget):
    """Shows one scene; says which node is pointed at or picked, and when another round is wanted."""

    pointed = Signal(object)  # node or None
    picked = Signal(object)  # node or None
    turned = Signal(int)  # rounds forward

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scene: TreeScene | None = None
        self.marks = Marks()
        self.motion = TreeMotion(self)
        self.minimap = TreeMinimap(self)
        self.motion.moved.connect(self._moved)
        self.minimap.wanted.connect(self._centre_on)
        self._pressed: QPointF | None = None
        self._dragged = False
        self._keyboard = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Tree")
        self.setAccessibleDescription(EMPTY)

    # --- what is shown ----------------------------------------------------------------------

    def show_scene(
        self, scene: TreeScene | None, marks: Marks, name: str = "Tree", *, anew: bool = False
    ) -> None:
        """Show another tree; the view is fitted anew, where there was none, or where nobody moved it."""
        before, self.scene, self.marks = self.scene, scene, marks
        if scene is not None and (anew or before is None):
            self.motion.fit(scene, QSizeF(self.size()), at_once=True)
        elif scene is not None and before is not None and scene.tree is not before.tree:
            self.motion.follow(scene, QSizeF(self.size()))
        self.minimap.show_view(scene, self.camera)
        self.setAccessibleName(name)
        self.setAccessibleDescription(self._description())
        self.update()

    def show_marks(self, marks: Marks) -> None:
        """Emphasise other nodes."""
        if marks != self.marks:
            self.marks = marks
            self.setAccessibleDescription(self._description())
            self.update()

    def save_picture(self, path: Path) -> None:
        """Write the whole tree as PNG or SVG, on the data ground."""
        if self.scene is not None:
            save_picture(path, self.scene, self.accessibleName())

    def sizeHint(self) -> QSize:
        return QSize(800, 420)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 120)

    def _description(self) -> str:
        if self.scene is None:
            return EMPTY
        tree, node = self.scene.tree, self.marks.selected
        if node is None:
            return f"{tree.n_leaves} leaves, depth {tree.depth}. {KEYS}"
        return self.scene.sentence(node)

    # --- moving -----------------------------------------------------------------------------

    @property
    def camera(self) -> Camera:
        """Where the tree stands now."""
        return self.motion.camera

    def fit(self) -> None:
        """Show the whole tree."""
        if self.scene is not None:
            self.motion.fit(self.scene, QSizeF(self.size()))

    def zoom(self, factor: float) -> None:
        """Zoom at the middle."""
        self.motion.zoom(factor, QRectF(self.rect()).center())

    def zoom_to(self, node: int) -> None:
        """Bring a node to the middle, near enough to be read."""
        if self.scene is not None:
            self.motion.zoom_to(self.scene, node, QSizeF(self.size()))

    def _moved(self) -> None:
        self.minimap.show_view(self.scene, self.camera)
        self.update()

    def _centre_on(self, point: QPointF) -> None:
        self.motion.pan(QRectF(self.rect()).center() - point)

    # --- painting ---------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("data"))
        if self.scene is None:
            painter.setPen(theme().color("text2"))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, EMPTY)
        else:
            paint_tree(painter, self.scene, self.camera, QRectF(self.rect()), self.marks)
            paint_legend(painter, self.scene, self.camera)
        if self._keyboard and self.hasFocus() and self.marks.selected is None:
            painter.setPen(QPen(theme().color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))

    # --- hands ------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._dragged = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            node = self._node_at(event.position())
            hand = Qt.CursorShape.ArrowCursor if node is None else Qt.CursorShape.PointingHandCursor
            self.setCursor(hand)
            self.pointed.emit(node)
            return
        step = event.position() - self._pressed
        if self._dragged or step.manhattanLength() >= QApplication.startDragDistance():
            self._dragged = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.motion.pan(step)
            self._pressed = event.position()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None and not self._dragged:
            self.picked.emit(self._node_at(event.position()))
        self._pressed = None
        self.unsetCursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        node = self._node_at(event.position())
        if node is not None:
            self.zoom_to(node)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.motion.zoom(1.2 ** (event.angleDelta().y() / 120), event.position())
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.scene is None or not self._take_key(event.key(), event.text()):
            super().keyPressEvent(event)

    def _take_key(self, key: int, text: str) -> bool:
        actions = {"f": self.fit, "+": lambda: self.zoom(1.25), "-": lambda: self.zoom(0.8),
                   "[": lambda: self.turned.emit(-1), "]": lambda: self.turned.emit(1)}
        node = self.marks.selected
        if key in WALK_KEYS and self.scene is not None:
            self._keyboard = True
            other = neighbour(self.scene.tree, node, key)
            self.picked.emit(other)
            self.motion.reveal(self.scene, other, QSizeF(self.size()))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and node is not None:
            self.zoom_to(node)
        elif key == Qt.Key.Key_Escape and (self.motion.is_near or node is not None):
            self._step_back()
        elif text.lower() in actions and text:
            actions[text.lower()]()
        else:
            return False
        return True

    def _step_back(self) -> None:
        """From a node that was zoomed to back to the whole tree, from a selection to none."""
        if self.motion.is_near:
            self.fit()
        else:
            self.picked.emit(None)

    def _node_at(self, point: QPointF) -> int | None:
        return self.scene.node_at(point, self.camera) if self.scene is not None else None

    # --- Qt ---------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            node = self._node_at(QPointF(event.pos()))
            words = self.scene.sentence(node) if self.scene is not None and node is not None else ""
            QToolTip.showText(event.globalPos(), words, self)
            return True
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.motion.resize(self.scene, QSizeF(event.oldSize()), QSizeF(event.size()))
        self.minimap.show_view(self.scene, self.camera)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._keyboard = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()

