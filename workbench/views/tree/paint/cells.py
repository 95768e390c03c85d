"""What stands in the cells of an icicle that are wide enough for words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt

from workbench.views.look.fonts import AXIS, NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.text_width import ruler
from workbench.views.look.theme import text_on, theme
from workbench.views.tree.camera import Detail
from workbench.views.tree.colouring import qcolor
from workbench.views.tree.paint.fitted_question import fitted
from workbench.views.tree.paint.nodes import fitted_weight

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray
    from PySide6.QtGui import QPainter

    from workbench.views.look.text_width import Ruler
    from workbench.views.tree.camera import Camera
    from workbench.views.tree.looks import NodeLook
    from workbench.views.tree.paint.lettering import Lettering
    from workbench.views.tree.scene import TreeScene

NARROWEST, SIDE = 34.0, 5.0  # pixels: of a cell with words, and beside them
LEAST_UPRIGHT, UPRIGHT_HEIGHT = 16.0, 36.0  # pixels of a narrower leaf whose weight stands upright
CENTRE = int(Qt.AlignmentFlag.AlignCenter)


def paint_words(
    painter: QPainter, scene: TreeScene, camera: Camera, nodes: NDArray[np.int64], window: QRectF,
    lettering: Lettering,
) -> None:
    """Write questions, gains and weights where they fit, in the part of each cell that the window shows."""
    if camera.detail is Detail.FAR:
        return
    wide = nodes[scene.layout.room[nodes] * camera.slot >= NARROWEST]
    rulers = ruler(NOTE, bold=True), ruler(AXIS)
    sizes = (px(NOTE), px(AXIS)) if camera.detail is Detail.NEAR else (px(NOTE),)
    wordless = []
    for node, cell, look, color in zip(
        wide.tolist(), scene.places.rects(wide, camera), scene.looks_of(wide.tolist()),
        scene.far_look.colors[wide].tolist(), strict=True,
    ):
        left, right = max(cell.left(), window.left()) + SIDE, min(cell.right(), window.right()) - SIDE
        width = right - left
        if width < NARROWEST - 2 * SIDE:
            continue
        lines = cell_lines(look, rulers, int(width))
        if not lines[0]:
            wordless.append(node)
            continue
        top, bottom = max(cell.top(), window.top()) + 2, min(cell.bottom(), window.bottom()) - 2
        height, ink = (bottom - top) / len(sizes), text_on(qcolor(color))
        for place, size in enumerate(sizes):
            line = QRectF(left, top + place * height, width, height)
            lettering.add(line, lines[place], size, ink, bold=not place)
    lettering.write(painter)
    if camera.pitch >= UPRIGHT_HEIGHT:
        widths = scene.layout.room[nodes] * camera.slot
        narrow = nodes[(widths < NARROWEST) & (widths >= LEAST_UPRIGHT)]
        _paint_upright(painter, scene, camera, np.append(narrow, np.array(wordless, np.int64)), window)


def _paint_upright(
    painter: QPainter, scene: TreeScene, camera: Camera, nodes: NDArray[np.int64], window: QRectF
) -> None:
    """Write the weights of leaves upwards that are too narrow for words."""
    narrow = nodes[scene.places.leaf_boxes[nodes]]
    painter.save()
    painter.rotate(-90)
    painter.setFont(ui_font(AXIS))
    for cell, look, color in zip(
        scene.places.rects(narrow, camera), scene.looks_of(narrow.tolist()),
        scene.far_look.colors[narrow].tolist(), strict=True,
    ):
        words = fitted_weight(look.weight, px(AXIS), int(cell.height()) - 4, look.unit)
        if words and window.contains(cell):
            painter.setPen(text_on(qcolor(color)))
            painter.drawText(QRectF(-cell.bottom(), cell.left(), cell.height(), cell.width()), CENTRE, words)
    painter.restore()


def mark_cells(
    painter: QPainter, scene: TreeScene, camera: Camera, nodes: Collection[int], token: str, width: float
) -> None:
    """Outline cells, side by side: Qt takes far longer for a pen around one."""
    color, out = theme().color(token), 1 - width / 2
    for cell in scene.places.rects(np.fromiter(nodes, np.int64, len(nodes)), camera):
        rect = cell.adjusted(out, out, -out, -out)
        left, top, high, wide = rect.left(), rect.top(), rect.height(), rect.width()
        painter.fillRect(QRectF(left, top, wide, width), color)
        painter.fillRect(QRectF(left, rect.bottom() - width, wide, width), color)
        painter.fillRect(QRectF(left, top + width, width, high - 2 * width), color)
        painter.fillRect(QRectF(rect.right() - width, top + width, width, high - 2 * width), color)


def cell_lines(look: NodeLook, rulers: tuple[Ruler, Ruler], room: float) -> tuple[str, str]:
    """Question and gain, or weight and rows; nothing where the first finds no room."""
    if look.test is not None:
        head = fitted(look.test, rulers[0], room)
    else:
        head = fitted_weight(look.weight, px(NOTE), int(room), look.unit)
    second = (f"{look.figure} {look.hidden}".strip(), look.figure) if look.test is not None else look.notes
    if not head or rulers[0].horizontalAdvance(head) > room:
        return "", ""
    return head, next((words for words in second if rulers[1].horizontalAdvance(words) <= room), "")
