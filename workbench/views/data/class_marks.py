"""Classes as shape and colour: circle violet and square gold for two, category colours for more."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

from workbench.views.look.theme import theme

TWO_CLASSES = (-0.75, 0.75)  # places on the weight ramp: down is violet, up is gold
_CORNERS = {  # in a square from −1 to 1
    "square": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    "triangle": ((0, -1), (1, 0.8), (-1, 0.8)),
    "diamond": ((0, -1.1), (1.1, 0), (0, 1.1), (-1.1, 0)),
    "wedge": ((-1, -0.8), (1, -0.8), (0, 1)),
}
SHAPES = ("circle", *_CORNERS)


def class_color(index: int, n_classes: int) -> QColor:
    """Colour of a class; of two, the second is the positive one."""
    if n_classes == 2:
        return theme().weight(TWO_CLASSES[index])
    return theme().category(index)


def paint_class_mark(painter: QPainter, centre: QPointF, index: int, n_classes: int, size: float = 8) -> None:
    """Paint the mark of a class, `size` px wide, round `centre`."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(class_color(index, n_classes))
    half = size / 2
    shape = SHAPES[index % len(SHAPES)]
    if shape == "circle":
        painter.drawEllipse(QRectF(centre.x() - half, centre.y() - half, size, size))
    else:
        corners = [QPointF(centre.x() + x * half, centre.y() + y * half) for x, y in _CORNERS[shape]]
        painter.drawPolygon(QPolygonF(corners))
    painter.restore()
