"""The edges of a tree: as wide as the share of rows that takes them, and what answer they stand for."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from workbench.views.look.fonts import AXIS, plain_font
from workbench.views.look.text_width import plain_ruler
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.views.tree.camera import Camera
    from workbench.views.tree.scene import TreeScene

WIDEST, THINNEST = 22.0, 1.2
MOST_OF_GAP = 0.45  # of the room between levels
ROW_LINE = 2.0
LEAST_GAP = 15.0  # between levels, for a word
APART = 3.0  # pixels between a word and what is beside it
LETTERS = 9.0  # pixels from the foot of a word to its top


def paint_edges(
    painter: QPainter, scene: TreeScene, camera: Camera, nodes: NDArray[np.int64],
    path: frozenset[int], row: frozenset[int],
) -> None:
    """Paint the edges that lead to `nodes`; those on `path` in accent, the row's way as a line on them."""
    plain, chosen = theme().on_data("line2", 0.8), theme().color("accent", 0.55)
    dashed, solid, flat = Qt.PenStyle.DashLine, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap
    edges = list(zip(nodes.tolist(), edge_widths(scene, camera, nodes).tolist(),
                     edge_paths(scene, camera, nodes), strict=True))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    last = None
    for node, width, way in sorted(edges, key=lambda edge: (edge[0] in path, edge[1])):
        is_ghost = scene.looks.is_ghost_edge(node)
        kind = (is_ghost, node in path, THINNEST if is_ghost else width)
        if kind != last:
            last = kind
            color = chosen if node in path and not is_ghost else plain
            painter.setPen(QPen(color, kind[2], dashed if is_ghost else solid, flat))
        painter.drawPath(way)
    painter.setPen(QPen(theme().color("accent"), ROW_LINE * camera.scale))
    for node, _, way in edges:
        if node in row:
            painter.drawPath(way)


def edge_widths(scene: TreeScene, camera: Camera, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Pixels across: 22 for all rows, thinner with the zoom and where levels are near, at least 1.2."""
    width, height = scene.places.size(False, camera)
    gap = camera.pitch - (width if scene.arrangement.is_sideways else height)
    widest = min(WIDEST * min(camera.zoom, 1.0) * camera.scale, MOST_OF_GAP * gap)
    return np.maximum(THINNEST, widest * scene.facts.shares[nodes])


def edge_paths(scene: TreeScene, camera: Camera, nodes: NDArray[np.int64]) -> list[QPainterPath]:
    """The cubics from the parents' far edges to the children's near edges, along the levels at both ends."""
    upper = scene.layout.parent[nodes]
    start_x, start_y = scene.places.points(upper, camera)
    end_x, end_y = scene.places.points(nodes, camera)
    sides = np.array(camera.boxes)[scene.places.leaf_boxes[upper].astype(int)]
    sideways = scene.arrangement.is_sideways
    start_x, start_y = (start_x + sides[:, 0], start_y) if sideways else (start_x, start_y + sides[:, 1])
    paths = []
    for x, y, to_x, to_y in zip(
        start_x.tolist(), start_y.tolist(), end_x.tolist(), end_y.tolist(), strict=True
    ):
        path = QPainterPath()
        path.moveTo(x, y)
        if sideways:
            middle = (x + to_x) / 2
            path.cubicTo(middle, y, middle, to_y, to_x, to_y)
        else:
            middle = (y + to_y) / 2
            path.cubicTo(x, middle, to_x, middle, to_x, to_y)
        paths.append(path)
    return paths


class EdgeAnswer(NamedTuple):
    """What stands beside the end of an edge: where, and what it and its edge take of the level."""

    text: str
    is_chosen: bool
    at: QPointF
    level: float
    word: tuple[float, float]
    edge: tuple[float, float]

    @property
    def rank(self) -> tuple[bool, bool, bool]:
        """Which of two is dropped rather: the one that says less."""
        return self.is_chosen, "?" in self.text, self.text.startswith("yes")


def paint_answers(
    painter: QPainter, scene: TreeScene, camera: Camera, nodes: NDArray[np.int64], path: frozenset[int]
) -> None:
    """Write "yes" or "no" beside the children, and "?" where missing values go; if there is room."""
    width, height = scene.places.size(False, camera)
    sideways = scene.arrangement.is_sideways
    needed = 3 * LEAST_GAP + width if sideways else LEAST_GAP * camera.scale + height
    if camera.pitch < needed:
        return
    shown = shown_answers(scene, camera, nodes, path)
    for is_chosen, token in ((False, "text3"), (True, "accent")):
        painter.setFont(plain_font(round(AXIS * camera.scale), bold=is_chosen))
        painter.setPen(theme().color(token))
        for answer in shown:
            if answer.is_chosen == is_chosen:
                painter.drawText(answer.at, answer.text)


def shown_answers(
    scene: TreeScene, camera: Camera, nodes: NDArray[np.int64], path: frozenset[int]
) -> list[EdgeAnswer]:
    """Those that lie neither on the next edge of their level nor on its word."""
    answers, dropped = _answers(scene, camera, nodes, path), set()
    for place, (one, other) in enumerate(pairwise(answers)):
        if one.level != other.level:
            continue
        if one.word[1] + APART > other.edge[0]:
            dropped.add(place)
        if other.word[0] - APART < one.edge[1]:
            dropped.add(place + 1)
        if not dropped & {place, place + 1} and one.word[1] + APART > other.word[0]:
            dropped.add(place if one.rank < other.rank else place + 1)
    return [answer for place, answer in enumerate(answers) if place not in dropped]


def _answers(
    scene: TreeScene, camera: Camera, nodes: NDArray[np.int64], path: frozenset[int]
) -> list[EdgeAnswer]:
    """All of them, from left to right in each level."""
    sideways, scale = scene.arrangement.is_sideways, camera.scale
    rulers = [plain_ruler(round(AXIS * scale), bold=bold) for bold in (False, True)]
    answers = []
    x, y = scene.places.points(nodes, camera)
    for node, left, top, level, half in zip(
        nodes.tolist(), x.tolist(), y.tolist(), scene.layout.y[nodes].tolist(),
        (edge_widths(scene, camera, nodes) / 2).tolist(), strict=True,
    ):
        text, is_chosen = scene.facts.edge_words(node), node in path
        room, advance = half + 5 * scale, rulers[is_chosen].horizontalAdvance(text)
        middle, length = (top, LETTERS * scale) if sideways else (left, advance)
        is_yes = text.startswith("yes")
        word = (middle - room - length, middle - room) if is_yes else (middle + room, middle + room + length)
        at = QPointF(left - advance - 8, word[1] if is_yes else word[1] - scale) if sideways else (
            QPointF(word[0], top - 6 * scale))
        answers.append(EdgeAnswer(text, is_chosen, at, level, word, (middle - half, middle + half)))
    return answers
