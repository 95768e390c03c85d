"""What stands in the cells of an icicle that are wide enough for words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from workbench.views.fonts import AXIS, NOTE, ui_font
from workbench.views.ruler import ruler
from workbench.views.theme import text_on, theme
from workbench.views.tree.camera import Detail
from workbench.views.tree.colouring import qcolor
from workbench.views.tree.fitted_question import fitted
from workbench.views.tree.nodes import fitted_weight

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.views.ruler import Ruler
    from workbench.views.tree.camera import Camera
    from workbench.views.tree.looks import NodeLook
    from workbench.views.tree.scene import TreeScene

NARROWEST, SIDE = 34.0, 5.0  # pixels: of a cell with words, and beside them
LEAST_UPRIGHT, UPRIGHT_HEIGHT = 16.0, 36.0  # pixels of a narrower leaf whose weight stands upright
CENTRE = int(Qt.AlignmentFlag.AlignCenter)


def paint_words(
    painter: QPainter, scene: TreeScene, camera: Camera, nodes: NDArray[np.int64], window: QRectF
) -> None:
    """Write questions, gains and weights where they fit, in the part of each cell that the window shows."""
    if camera.detail is Detail.FAR:
        return
    wide = nodes[scene.layout.room[nodes] * camera.slot >= NARROWEST]
    rulers = ruler(NOTE, bold=True), ruler(AXIS)
    rows = 2 if camera.detail is Detail.NEAR else 1
    written: dict[tuple[int, int], list[tuple[QRectF, str]]] = {}
    wordless = []
    for node, rect, look, color in zip(
        wide.tolist(), scene.rects(wide, camera), scene.looks_of(wide.tolist()),
        scene.far_look.colors[wide].tolist(), strict=True,
    ):
        cell = rect.intersected(window).adjusted(SIDE, 2, -SIDE, -2)
        if cell.width() < NARROWEST - 2 * SIDE:
            continue
        height, ink = cell.height() / rows, text_on(qcolor(color)).rgb()
        lines = cell_lines(look, rulers, int(cell.width()))
        if not lines[0]:
            wordless.append(node)
        for place, words in enumerate(lines[:rows]):
            line = QRectF(cell.left(), cell.top() + place * height, cell.width(), height)
            if words:
                written.setdefault((place, ink), []).append((line, words))
    fonts = ui_font(NOTE, bold=True), ui_font(AXIS)
    for (place, ink), placed in written.items():
        painter.setFont(fonts[place])
        painter.setPen(QColor(ink))
        for line, words in placed:
            painter.drawText(line, CENTRE, words)
    if camera.pitch >= UPRIGHT_HEIGHT:
        widths = scene.layout.room[nodes] * camera.slot
        narrow = nodes[(widths < NARROWEST) & (widths >= LEAST_UPRIGHT)]
        _paint_upright(painter, scene, camera, np.append(narrow, np.array(wordless, np.int64)), window)


def _paint_upright(
    painter: QPainter, scene: TreeScene, camera: Camera, nodes: NDArray[np.int64], window: QRectF
) -> None:
    """Write the weights of leaves upwards that are too narrow for words."""
    narrow = nodes[scene.leaf_boxes[nodes]]
    painter.save()
    painter.rotate(-90)
    painter.setFont(ui_font(AXIS))
    for cell, look, color in zip(
        scene.rects(narrow, camera), scene.looks_of(narrow.tolist()),
        scene.far_look.colors[narrow].tolist(), strict=True,
    ):
        words = fitted_weight(look.weight, AXIS, int(cell.height()) - 4)
        if words and window.contains(cell):
            painter.setPen(text_on(qcolor(color)))
            painter.drawText(QRectF(-cell.bottom(), cell.left(), cell.height(), cell.width()), CENTRE, words)
    painter.restore()


def mark_cell(
    painter: QPainter, scene: TreeScene, camera: Camera, node: int, token: str, width: float
) -> None:
    """Outline a cell."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme().color(token), width))
    painter.drawRect(scene.rect(node, camera).adjusted(1, 1, -1, -1))


def cell_lines(look: NodeLook, rulers: tuple[Ruler, Ruler], room: float) -> tuple[str, str]:
    """Question and gain, or weight and rows; nothing where the first finds no room."""
    if look.test is not None:
        head = fitted(look.test, rulers[0], room)
    else:
        head = fitted_weight(look.weight, NOTE, int(room))
    second = (f"{look.figure} {look.hidden}".strip(), look.figure) if look.test is not None else look.notes
    if not head or rulers[0].horizontalAdvance(head) > room:
        return "", ""
    return head, next((words for words in second if rulers[1].horizontalAdvance(words) <= room), "")
