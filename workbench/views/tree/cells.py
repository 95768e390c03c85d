"""What stands in the cells of an icicle that are wide enough for words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from workbench.explain.node_text import weight_text
from workbench.views.fonts import AXIS, NOTE, ui_font
from workbench.views.ruler import ruler
from workbench.views.theme import text_on, theme
from workbench.views.tree.camera import Detail
from workbench.views.tree.colouring import qcolor
from workbench.views.tree.fitted_question import fitted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from workbench.views.ruler import Ruler
    from workbench.views.tree.camera import Camera
    from workbench.views.tree.scene import TreeScene

NARROWEST, SIDE = 34.0, 5.0  # pixels: of a cell with words, and beside them


def paint_words(
    painter: QPainter, scene: TreeScene, camera: Camera, nodes: NDArray[np.int64], window: QRectF
) -> None:
    """Write questions, gains and weights where they fit, in the part of each cell that the window shows."""
    if camera.detail is Detail.FAR:
        return
    wide = nodes[scene.layout.room[nodes] * camera.slot >= NARROWEST]
    fonts = ui_font(NOTE, bold=True), ui_font(AXIS)
    rulers = ruler(NOTE, bold=True), ruler(AXIS)
    for node in wide.tolist():
        cell = scene.rect(node, camera).intersected(window).adjusted(SIDE, 2, -SIDE, -2)
        if cell.width() < NARROWEST - 2 * SIDE:
            continue
        painter.setPen(text_on(qcolor(scene.far_look.colors[node])))
        lines = _lines(scene, node, rulers, cell.width())[: 2 if camera.detail is Detail.NEAR else 1]
        for place, (words, font) in enumerate(zip(lines, fonts, strict=False)):
            line = QRectF(cell.left(), cell.top() + place * cell.height() / len(lines), cell.width(),
                          cell.height() / len(lines))
            painter.setFont(font)
            painter.drawText(line, int(Qt.AlignmentFlag.AlignCenter), words)


def mark_cell(
    painter: QPainter, scene: TreeScene, camera: Camera, node: int, token: str, width: float
) -> None:
    """Outline a cell."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme().color(token), width))
    painter.drawRect(scene.rect(node, camera).adjusted(1, 1, -1, -1))


def _lines(scene: TreeScene, node: int, rulers: tuple[Ruler, Ruler], room: float) -> tuple[str, str]:
    look = scene.look(node)
    head = fitted(look.test, rulers[0], room) if look.test is not None else weight_text(look.weight)
    second = (f"{look.figure} {look.hidden}".strip(), look.figure) if look.test is not None else look.notes
    fits = [words for words in second if rulers[1].horizontalAdvance(words) <= room]
    return head if rulers[0].horizontalAdvance(head) <= room else "", next(iter(fits), "")
