"""The tree, painted by us: drag to move, wheel to zoom, click or arrows to select."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
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
from PySide6.QtWidgets import QApplication, QWidget

from workbench.number_text import counted
from workbench.session.no_trees import NO_TREES
from workbench.views.look.focus_ring import by_keyboard
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import show_tip
from workbench.views.tree.camera import Detail
from workbench.views.tree.emphasis import Emphasis
from workbench.views.tree.far.visible import is_in_view
from workbench.views.tree.minimap import TreeMinimap
from workbench.views.tree.motion import TreeMotion
from workbench.views.tree.paint.legend import legend_boxes, paint_legend
from workbench.views.tree.paint.nodes import fold_tag
from workbench.views.tree.paint.picture import TreePicture
from workbench.views.tree.walk import WALK_KEYS, neighbour

if TYPE_CHECKING:
    from workbench.views.tree.camera import Camera
    from workbench.views.tree.scene import TreeScene

OUT_OF_VIEW = "The tree is elsewhere. Press F, or double-click here, to see all of it."
KEYS = "Arrow keys walk the tree, Enter zooms, C folds, [ and ] change the round."
TAG_REACH = 14  # pixels of a tag that stand outside its box
HANDS = {Qt.MouseButton.BackButton: -1, Qt.MouseButton.ForwardButton: 1}


class TreeCanvas(QWidget):
    """Shows one scene; says which node is pointed at or picked, and when another round is wanted."""

    keeps_arrows = True
    pointed = Signal(object)  # node or None
    picked = Signal(object)  # node or None
    turned = Signal(int)  # rounds forward
    folded = Signal(int)  # node below which nothing, or everything again, is to be drawn
    jumped = Signal()  # the view is about to go elsewhere at once
    retraced = Signal(int)  # −1: back to where one was, 1: forward again
    menu_wanted = Signal(QPoint)  # at a point of the screen

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scene: TreeScene | None = None
        self.words = NO_TREES  # in place of a scene
        self.marks = Emphasis()
        self.motion = TreeMotion(self)
        self.minimap = TreeMinimap(self)
        self._picture = TreePicture()
        self.motion.moved.connect(self._moved)
        self.minimap.wanted.connect(self._centre_on)
        self._pressed: QPointF | None = None
        self._dragged = False
        self._keyboard = False
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Tree")
        self.setAccessibleDescription(NO_TREES)

    # --- what is shown ----------------------------------------------------------------------

    def show_scene(
        self, scene: TreeScene | None, marks: Emphasis, name: str = "Tree", *, anew: bool = False,
        hold: int | None = 0,
    ) -> None:
        """Show another tree; the view is fitted anew, where there was none, or where nobody moved it.

        Where the same tree is folded differently, the node to `hold` stays in its place; without one what is
        left is fitted where nobody moved the view, and else what is selected stays.
        """
        before, self.scene, self.marks, self.words = self.scene, scene, marks, NO_TREES
        if scene is not None:
            self._aim(before, scene, anew=anew, hold=hold)
        self.minimap.show_view(scene, self.camera)
        self.setAccessibleName(name)
        self.setAccessibleDescription(self._description())
        self.update()

    def say(self, words: str) -> None:
        """Say something else where there is no scene."""
        self.words = words
        self.setAccessibleDescription(self._description())
        self.update()

    def _aim(self, before: TreeScene | None, scene: TreeScene, *, anew: bool, hold: int | None) -> None:
        size = QSizeF(self.size())
        if anew or before is None or scene.arrangement is not before.arrangement:
            self.motion.fit(scene, size, at_once=True)
        elif scene.tree is not before.tree:
            self.motion.follow(scene, size)
        elif scene.layout is not before.layout:
            self._rearrange(before, scene, size, hold)

    def _rearrange(self, before: TreeScene, scene: TreeScene, size: QSizeF, hold: int | None) -> None:
        if hold is None and self.motion.is_untouched:
            self.motion.fit(scene, size)
            return
        node = (self.marks.selected or 0) if hold is None else hold
        self.motion.hold(before, scene, scene.places.standing(before.places.standing(node)))

    def show_marks(self, marks: Emphasis) -> None:
        """Emphasise other nodes."""
        if marks != self.marks:
            self.marks = marks
            self.setAccessibleDescription(self._description())
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(800, 420)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 120)

    def _description(self) -> str:
        if self.scene is None:
            return self.words
        tree, node = self.scene.tree, self.marks.selected
        if node is None:
            return f"{counted(tree.n_leaves, 'leaf', 'leaves')}, depth {tree.depth}. {KEYS}"
        return self.scene.facts.sentence(node)

    # --- moving -----------------------------------------------------------------------------

    @property
    def camera(self) -> Camera:
        """Where the tree stands now."""
        return self.motion.camera

    def fit(self) -> None:
        """Show the whole tree."""
        if self.scene is not None:
            self.jumped.emit()
            self.motion.fit(self.scene, QSizeF(self.size()))

    def rescale(self) -> None:
        """Take over the present scale of boxes and letters."""
        self.motion.rescale(self.scene, QSizeF(self.size()))

    def zoom(self, factor: float) -> None:
        """Zoom at the middle."""
        self.motion.zoom(factor, QRectF(self.rect()).center())

    def zoom_to(self, node: int) -> None:
        """Bring a node to the middle, near enough to be read."""
        if self.scene is not None:
            self.jumped.emit()
            self.motion.zoom_to(self.scene, self.scene.places.standing(node), QSizeF(self.size()))

    def reveal(self, node: int) -> None:
        """Move just so far that a node is in the window, under neither the legend nor the small map."""
        if self.scene is not None:
            size = QSizeF(self.size())
            covered = legend_boxes(self.scene, self.camera, size)
            if self.minimap.isVisible():
                covered.append(QRectF(self.minimap.geometry()))
            self.motion.reveal(self.scene, self.scene.places.standing(node), size, covered)

    def _moved(self) -> None:
        self.minimap.show_view(self.scene, self.camera)
        self.update()

    def _centre_on(self, point: QPointF) -> None:
        step = QRectF(self.rect()).center() - point
        self.motion.pan(QPointF(step.toPoint()))  # what is moved by whole pixels need not be painted again

    # --- painting ---------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self.scene is None or not self._picture.fills(self.scene, self.camera):
            painter.fillRect(self.rect(), theme().color("data"))
        if self.scene is None:
            painter.setPen(theme().color("text2"))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.words)
        else:
            self._picture.paint(painter, self.scene, self.camera, QRectF(self.rect()), self.marks)
            paint_legend(painter, self.scene, self.camera, QSizeF(self.size()))
            self._tell_if_empty(painter)
        if self._keyboard and self.hasFocus() and self.marks.selected is None:
            painter.setPen(QPen(theme().color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))

    @property
    def is_empty(self) -> bool:
        """Whether the window shows a place where the tree is not."""
        return self.scene is not None and not is_in_view(self.scene, self.camera, QRectF(self.rect()))

    def _tell_if_empty(self, painter: QPainter) -> None:
        if self.is_empty:
            painter.setFont(self.font())
            painter.setPen(theme().color("text2"))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, OUT_OF_VIEW)

    # --- hands ------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._dragged = event.position(), False
        elif event.button() in HANDS:
            self.retraced.emit(HANDS[event.button()])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            tag, node = self._tag_at(event.position()), self._node_at(event.position())
            node = node if tag is None else tag
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
            tag = self._tag_at(event.position())
            if tag is None:
                self.picked.emit(self._node_at(event.position()))
            else:
                self.folded.emit(tag)
        self._pressed = None
        self.unsetCursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        node = self._node_at(event.position())
        if node is not None and self._tag_at(event.position()) is None:
            self.zoom_to(node)
        elif self.is_empty:
            self.fit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        node = self.marks.selected
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            self.picked.emit(self._node_at(QPointF(event.pos())))
            self.menu_wanted.emit(event.globalPos())
        elif self.scene is not None:
            places = self.scene.places
            middle = places.rect(places.standing(node or 0), self.camera).center()
            self.menu_wanted.emit(self.mapToGlobal(middle.toPoint()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.motion.zoom(1.2 ** (event.angleDelta().y() / 120), event.position())
        self.pointed.emit(self._node_at(event.position()))
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if alt and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.retraced.emit(-1 if event.key() == Qt.Key.Key_Left else 1)
        elif self.scene is not None and self._take_key(event.key(), event.text()):
            self.pointed.emit(None)  # what the cursor rests on is not what the keys are about
        else:
            super().keyPressEvent(event)

    def _take_key(self, key: int, text: str) -> bool:
        actions = {"f": self.fit, "+": lambda: self.zoom(1.25), "-": lambda: self.zoom(0.8),
                   "[": lambda: self.turned.emit(-1), "]": lambda: self.turned.emit(1)}
        node = self.marks.selected
        if key in WALK_KEYS and self.scene is not None:
            self._keyboard = True
            other = neighbour(self.scene, node, key)
            self.picked.emit(other)
            self.reveal(other)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and node is not None:
            self.zoom_to(node)
        elif text.lower() == "c" and node is not None:
            self.folded.emit(node)
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
        return self.scene.places.node_at(point, self.camera) if self.scene is not None else None

    def _tag_at(self, point: QPointF) -> int | None:
        """The split whose tag for folding is under a point."""
        scene, camera = self.scene, self.camera
        if scene is None or scene.arrangement.is_cells or camera.detail is Detail.FAR:
            return None
        above = point - (QPointF(TAG_REACH, 0) if scene.arrangement.is_sideways else QPointF(0, TAG_REACH))
        tagged = {node for node in (self.marks.pointed, self.marks.selected) if node is not None}
        tagged |= {node for node in (self._node_at(point), self._node_at(above))
                   if node is not None and scene.layout.folded[node]}
        hits = [node for node in tagged if scene.places.is_shown(node) and not scene.places.leaf_boxes[node]
                and fold_tag(scene, camera, node)[0].contains(point)]
        return hits[0] if hits else None

    # --- Qt ---------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            node = self._node_at(QPointF(event.pos()))
            words = self.scene.facts.sentence(node) if self.scene is not None and node is not None else ""
            show_tip(event.globalPos(), words, self)
            return True
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.motion.resize(self.scene, QSizeF(event.oldSize()), QSizeF(event.size()))
        self.minimap.show_view(self.scene, self.camera)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._keyboard = by_keyboard(self, event.reason())
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()

