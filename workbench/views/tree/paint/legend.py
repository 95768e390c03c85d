"""The legend of the tree, at the top of its canvas."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QLinearGradient, QPainter, QPen

from workbench.explain.node_text import SHARE
from workbench.number_text import counted, short
from workbench.views.look.fonts import AXIS, ui_font
from workbench.views.look.icons import icon_pixmap
from workbench.views.look.scale import px
from workbench.views.look.theme import theme
from workbench.views.tree.camera import Detail, fitting
from workbench.views.tree.colouring import OTHER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.views.tree.camera import Camera
    from workbench.views.tree.scene import TreeScene

LEFT, TOP, LINE = 16.0, 12.0, 17.0
SWATCH, ICON = 12.0, 13
HIGHEST, BESIDE_ROOT = 0.3, 100.0  # of a window, below each other; pixels from its middle, beside
LEFT_PART = 0.35  # of the tree's width; a root in it would stand under a legend at the left
PALEST = 0.84  # of the ground behind the words, where the tree lies under them
MOST_FEATURES = 6
CLEAR = 8.0  # pixels between the legend and a node
LONGEST_NAME = 150.0  # pixels

Entry = tuple[str, str]  # mark and words


def paint_legend(
    painter: QPainter, scene: TreeScene, camera: Camera, size: QSizeF | None = None
) -> None:
    """Say what bars, colours, widths and marks mean; in a low window of this size beside each other."""
    metrics = QFontMetricsF(ui_font(AXIS))
    painter.setFont(ui_font(AXIS))
    for (mark, words), box in zip(_lines(scene, camera), legend_boxes(scene, camera, size), strict=True):
        painter.fillRect(box, theme().color("data", PALEST))  # no wider than the words
        x, middle = box.left() + 6, box.top() + 2 + px(LINE) / 2
        _paint_mark(painter, mark, QRectF(x, middle - 3, SWATCH, 6))
        painter.setPen(theme().color("text2"))
        painter.drawText(QPointF(x + SWATCH + 7, middle + metrics.capHeight() / 2), words)


def legend_boxes(scene: TreeScene, camera: Camera, size: QSizeF | None = None) -> list[QRectF]:
    """Where the entries stand: at the top left or right, or at both sides of the root."""
    metrics = QFontMetricsF(ui_font(AXIS))
    widths = [metrics.horizontalAdvance(words) + SWATCH + 20 for _, words in _lines(scene, camera)]
    boxes = _boxes(widths, scene, size)
    if size is None or not boxes:
        return boxes
    if _root_is_left(scene):
        return _at_right(boxes, size)
    beside = _rows(widths, size.width() / 2 - px(BESIDE_ROOT))
    ways = (boxes, beside, _at_right(boxes, size), _at_both_sides(widths, size))
    return min(ways, key=lambda way: _covered(way, scene, size))  # the first of equals


def _at_right(boxes: list[QRectF], size: QSizeF) -> list[QRectF]:
    step = size.width() - LEFT - max(box.right() for box in boxes)
    return [box.translated(max(step, 0.0), 0.0) for box in boxes]


def _at_both_sides(widths: Sequence[float], size: QSizeF) -> list[QRectF]:
    half = (len(widths) + 1) // 2
    right = _rows(widths[half:], 0.0)
    return [*_rows(widths[:half], 0.0), *(_at_right(right, size) if right else ())]


def _covered(boxes: list[QRectF], scene: TreeScene, size: QSizeF) -> int:
    """How many nodes stand under the legend while the whole tree is in the window; seen from afar none."""
    camera = fitting(scene.layout, size.width(), size.height(), scene.arrangement)
    if scene.arrangement.is_cells or camera.detail is Detail.FAR:
        return 0
    layout, lowest = scene.layout, max(box.bottom() for box in boxes)
    is_sideways = scene.arrangement.is_sideways
    deepest = layout.depth if is_sideways else min(int(camera.place(0, lowest)[1]), layout.depth)
    near = layout.nodes_within(layout.left, layout.right, 0, max(deepest, 0))
    rects = [rect.adjusted(-CLEAR, -CLEAR, CLEAR, CLEAR) for rect in scene.places.rects(near, camera)]
    return sum(any(rect.intersects(box) for box in boxes) for rect in rects)


def _lines(scene: TreeScene, camera: Camera) -> list[Entry]:
    entries = scene.looks.entries() or legend_entries(scene, camera)
    metrics, right = QFontMetricsF(ui_font(AXIS)), Qt.TextElideMode.ElideRight
    return [(mark, metrics.elidedText(words, right, 2 * LONGEST_NAME)) for mark, words in entries]


def _root_is_left(scene: TreeScene) -> bool:
    layout, arrangement = scene.layout, scene.arrangement
    if arrangement.is_cells or arrangement.is_sideways:
        return False
    return bool(layout.x[0] - layout.left < LEFT_PART * (layout.right - layout.left))


def _boxes(widths: Sequence[float], scene: TreeScene, size: QSizeF | None) -> list[QRectF]:
    """Boxes below each other, or in rows where these would reach far into the tree."""
    room = 0.0
    if scene.arrangement.is_cells:
        room = size.width() - 2 * LEFT if size is not None else math.inf
    elif size is not None and len(widths) * px(LINE) > HIGHEST * size.height():
        room = size.width() / 2 - px(BESIDE_ROOT)
    return _rows(widths, room)


def _rows(widths: Sequence[float], room: float) -> list[QRectF]:
    boxes: list[QRectF] = []
    x, top = LEFT - 6, TOP - 2
    for width in widths:
        if boxes and x + width > LEFT + room:
            x, top = LEFT - 6, top + px(LINE)
        boxes.append(QRectF(x, top, width, px(LINE)))
        x += width
    return boxes


def legend_entries(scene: TreeScene, camera: Camera) -> list[Entry]:
    """What is to be said of the tree as it is stored, at this level of detail."""
    gains = scene.palette.holdout_of(scene.tree)
    cells, near = scene.arrangement.is_cells, camera.detail is Detail.NEAR
    boxes = not cells and camera.detail is not Detail.FAR
    entries = []
    if boxes and near and not scene.palette.colouring.symbol:
        entries.append(("train", "gain on training rows"))
        if gains is not None:
            entries.append(("validation", f"gain on hold-out rows, scaled ×{short(round(gains.scale, 1))}"))
    if (boxes or math.isfinite(camera.least_room)) and gains is not None:
        entries.append(("warning", "fits noise: no help on hold-out rows"))
    entries += _colours(scene, boxes=boxes)
    if not cells and camera.detail is not Detail.FAR:
        entries.append(("line2", "width: share of rows"))
        if scene.missing is not None and scene.missing[scene.facts.asked].any():
            entries.append(("?", "missing values go here"))
    elif cells:
        entries.append(("line2", "width: share of rows; levels downwards"))
    return entries


def _colours(scene: TreeScene, *, boxes: bool) -> list[Entry]:
    colouring = scene.palette.colouring
    word = colouring.label[0].lower() + colouring.label[1:]
    where = {"leaves": "leaf: ", "splits": "split: ", "all": ""}[colouring.of]
    entries = [] if boxes or colouring.of != "leaves" else [("gain", "split: gain")]
    if colouring.ramp == "category":
        return [*entries, *_features(scene)]
    if colouring.ramp == "holdout":
        return [*entries, ("gain", f"{where}{word}"), ("validation", f"{where}no help on hold-out rows")]
    from_zero = scene.facts.unit == SHARE and colouring.name == "weight" and not scene.palette.weights.middle
    return [*entries, ("upper weight" if from_zero else colouring.ramp, f"{where}{word}{_ends(scene)}")]


def _ends(scene: TreeScene) -> str:
    """What the ends of the weight ramp are."""
    palette = scene.palette
    if palette.colouring.ramp != "weight":
        return ""
    if palette.colouring.name == "weight" and scene.facts.unit == SHARE:
        return ", 0 to 1" if not palette.weights.middle else ", 0, ½ to 1"
    return ", − to +" if not palette.weights.middle else ", below to above that of all rows"


def _features(scene: TreeScene) -> list[Entry]:
    """The features that the tree asks about, as they are coloured."""
    places, names = scene.palette.features, scene.facts.schema.features
    ranked = sorted(scene.facts.asked.tolist(), key=lambda feature: int(places[feature]))
    own = [feature for feature in ranked if places[feature] < OTHER]
    if len(ranked) > MOST_FEATURES + 1:  # a line that says "1 other" takes as much room as its name
        own = own[:MOST_FEATURES]
    entries = [(f"category {places[feature]}", names[feature].name) for feature in own]
    rest = len(ranked) - len(own)
    return [*entries, (f"category {OTHER}", counted(rest, "other feature"))] if rest else entries


def _paint_mark(painter: QPainter, mark: str, rect: QRectF) -> None:
    kind, _, which = mark.partition(" ")
    if mark == "?":
        painter.setPen(theme().color("text2"))
        painter.drawText(rect.adjusted(0, -6, 0, 6), Qt.AlignmentFlag.AlignCenter, "?")
    elif kind == "warning":
        painter.drawPixmap(QPointF(rect.left() - 0.5, rect.center().y() - ICON / 2),
                           icon_pixmap("warning", "warning", ICON))
    elif kind in ("gain", "weight", "upper"):
        stops = theme().gain_ramp if mark == "gain" else theme().weight_ramp
        stops = stops[len(stops) // 2 :] if kind == "upper" else stops
        ramp = QLinearGradient(rect.topLeft(), rect.topRight())
        for index, stop in enumerate(stops):
            ramp.setColorAt(index / (len(stops) - 1), stop)
        painter.fillRect(rect, ramp)
    elif kind == "category":
        painter.fillRect(rect, theme().category(int(which)))
    elif kind in ("ring", "dashed"):
        style = Qt.PenStyle.SolidLine if kind == "ring" else Qt.PenStyle.DotLine
        painter.setPen(QPen(theme().color(which), 1, style))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect.adjusted(0, -1, 0, 1), 2, 2)
    else:
        painter.fillRect(rect, theme().color(kind))
