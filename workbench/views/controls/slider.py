"""A painted slider, linear or with a tick per decade."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QWidget

from workbench.views.look.focus_ring import by_keyboard
from workbench.views.look.scale import px
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from workbench.views.controls.slider_scale import SliderScale

MARGIN = 9.0  # of the groove: half a handle and the focus ring
HANDLE = 12.0
NOTCH = 120  # of a wheel, in Qt's eighths of a degree
_UNITS = 10_000  # steps of the position that assistive technology hears
_ARROWS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1}
_PAGES = {Qt.Key.Key_PageUp: 1, Qt.Key.Key_PageDown: -1}


class Slider(QAbstractSlider):
    """`current` is a float; `valueChanged` is emitted by the person's hand only, not by `set_current`.

    It stands on QAbstractSlider for its accessible role; the inherited whole number is the position.
    """

    valueChanged = Signal(float)

    def __init__(self, scale: SliderScale, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scale = scale
        self._current = scale.lower
        self._is_chosen = True
        self._default: float | None = None
        self._ring = False
        self.keeps_arrows = True  # not where it was clicked: → is the window's then
        self._turned = 0  # of the wheel, since the last notch
        self.setRange(0, _UNITS)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    @property
    def current(self) -> float:
        """The value shown."""
        return self._current

    @property
    def is_changed(self) -> bool:
        """Whether a value was chosen that is not the default."""
        return self._is_chosen and self._current != self._default

    def set_scale(self, scale: SliderScale) -> None:
        """Go from one value to another; what is shown stays."""
        self._scale, is_chosen = scale, self._is_chosen
        self.set_current(self._current)
        self._is_chosen = is_chosen

    def rest(self, value: float) -> None:
        """Stand at a value that nobody chose: one of several, say. To choose it is a change, too."""
        self.set_current(value)
        self._is_chosen = False

    def set_current(self, value: float) -> None:
        """Show `value`, also one beyond the ends."""
        self._current, self._is_chosen = value, True
        self.setSliderPosition(round(self._scale.position(value) * _UNITS))
        self.update()

    def set_default(self, value: float | None) -> None:
        """Mark `value` as the default: others show in the accent, and where it is None all chosen ones."""
        self._default = value
        self.update()

    def step(self, direction: int, modifiers: Qt.KeyboardModifier) -> None:
        """Move one step, as an arrow key does; Shift is fine, Control a decade."""
        fine = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        coarse = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        self._offer(self._scale.step(self._current, direction, fine=fine, coarse=coarse))

    def sizeHint(self) -> QSize:
        return QSize(84, px(28))

    def minimumSizeHint(self) -> QSize:
        return QSize(34, px(28))

    # --- the hand ---------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._drag(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._drag(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not self.hasFocus():
            event.ignore()  # so that the panel scrolls
            return
        self._turned += event.angleDelta().y() or event.angleDelta().x()
        while abs(self._turned) >= NOTCH:  # a touch pad turns in small parts
            direction = 1 if self._turned > 0 else -1
            self._turned -= direction * NOTCH
            self.step(direction, event.modifiers())
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _ARROWS:
            self.step(_ARROWS[key], event.modifiers())
        elif key in _PAGES:
            self.step(_PAGES[key], Qt.KeyboardModifier.ControlModifier)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._offer(self._scale.value(0.0 if key == Qt.Key.Key_Home else 1.0))
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = self.keeps_arrows = by_keyboard(self, event.reason())
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ring = False
        self.update()

    def _drag(self, event: QMouseEvent) -> None:
        position = (event.position().x() - MARGIN) / self._length
        fine = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self._offer(self._scale.value(position, fine=fine))

    def _offer(self, value: float) -> None:
        if value != self._current or not self._is_chosen:
            self.set_current(value)
            self.valueChanged.emit(value)

    # --- the picture ------------------------------------------------------------------------

    @property
    def _length(self) -> float:
        return max(1.0, self.width() - 2 * MARGIN)

    def _x(self, value: float) -> float:
        return MARGIN + self._length * self._scale.position(value)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ticks(painter)
        self._paint_groove(painter)
        self._paint_handle(painter)

    def _paint_ticks(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        top = self.height() // 2 + 6
        if self.isEnabled() or not self.is_changed:
            painter.setPen(QPen(theme().color("line2"), 1))
            for value in self._scale.decades:
                painter.drawLine(int(self._x(value)), top, int(self._x(value)), top + 2)
        if self._default is not None and self.is_changed and self.isEnabled():
            painter.setPen(QPen(theme().color("text2"), 1))
            x = int(self._x(self._default))
            painter.drawLine(x, top, x, top + 4)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _paint_groove(self, painter: QPainter) -> None:
        y = self.height() / 2
        painter.fillRect(QRectF(MARGIN, y - 1, self._length, 2), theme().color("line2"))
        filled = QRectF(MARGIN, y - 1, self._x(self._current) - MARGIN, 2)
        painter.fillRect(filled, theme().color(self._token))

    def _paint_handle(self, painter: QPainter) -> None:
        centre = QPointF(self._x(self._current), self.height() / 2)
        painter.setPen(QPen(theme().color(self._token), 1.25))
        painter.setBrush(theme().color("raised" if self.isEnabled() else "panel"))
        painter.drawEllipse(centre, HANDLE / 2 - 0.5, HANDLE / 2 - 0.5)
        if self._ring:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme().color("accent"), 2))
            painter.drawEllipse(centre, HANDLE / 2 + 1, HANDLE / 2 + 1)

    @property
    def _token(self) -> str:
        if not self.isEnabled():
            return "line2"
        return "accent" if self.is_changed else "ctl"
