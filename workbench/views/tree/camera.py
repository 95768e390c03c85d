"""From places in a layout to pixels: pan, zoom and fit of the tree."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from workbench.views.look.scale import scale
from workbench.views.tree.arrangement import TOP_DOWN, Arrangement

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.drawing.layout import Layout

MARGIN = 26.0
LEGEND_ROOM = 20.0  # above the root
LEAST_ZOOM = 1e-6
EASED_AFTER = 1.5  # times the fitted zoom
STEEPEST = 3.0  # of the powers of the zoom that levels may follow
WIDE_CELL = 260.0  # pixels of a cell that was zoomed to
FAR_SIZE = 10.0


class Detail(IntEnum):
    """How much of a node is shown."""

    FAR, MIDDLE, NEAR = range(3)


FAR_BOX = (96.0, 64.0, 24.0)  # pixels of a question and of a weight across, and down
BESIDE = 8.0  # pixels between boxes of a level
BELOW = 12.0  # pixels between boxes of two levels, for an edge
EDGE_LENGTH, FAR_EDGE = 60.0, 28.0  # of edges between wide boxes from left to right; of bare ones from afar
BOXES = {Detail.NEAR: (152.0, 126.0, 50.0, 50.0), Detail.MIDDLE: (96.0, 64.0, 28.0, 24.0)}


def far_box() -> tuple[float, float, float]:
    """Of a tree seen from afar in the present scale: a question and a weight across, and down."""
    question, weight, tall = (scale() * side for side in FAR_BOX)
    return question, weight, tall


@dataclass(frozen=True)
class Camera:
    """Where the root stands, and how large everything is.

    Across, a leaf's place is slot·zoom. Along, levels keep more of their distance when zoomed out, so
    that a wide tree that fits is not flat: the pitch goes with zoom^`bend`. In a low window levels are
    nearer by `squeeze` at the zoom that was `fitted`, and gain their full distance when zoomed in.
    Cells grow across alone, once they are as high as they are meant to be.
    """

    x: float = 0.0
    y: float = MARGIN
    zoom: float = 1.0
    bend: float = 1.0
    squeeze: float = 1.0
    fitted: float = 1.0
    arrangement: Arrangement = TOP_DOWN

    @cached_property
    def slot(self) -> float:
        """Pixels between leaves."""
        return self.arrangement.slot * self.zoom

    @cached_property
    def pitch(self) -> float:
        """Pixels between levels."""
        whole = self.arrangement.pitch
        if self.arrangement.is_cells:
            return float(whole * min(1.0, self.squeeze * max(self.zoom / self.fitted, 0.5)))
        eased = min(max(1 - math.log(self.zoom / self.fitted) / math.log(EASED_AFTER), 0.0), 1.0)
        return float(whole * self.squeeze**eased * self.zoom ** (self.bend if self.zoom < 1 else 1.0))

    @cached_property
    def scale(self) -> float:
        """Size of boxes and text: they grow when zoomed in, and never shrink below their size."""
        if self.arrangement.is_cells:
            return 1.0
        return max(scale(), min(self.zoom, self.pitch / self.arrangement.legible))

    @cached_property
    def detail(self) -> Detail:
        """Level of detail, from the room between leaves and between levels."""
        for detail, (slot, pitch) in ((Detail.NEAR, self.arrangement.near),
                                      (Detail.MIDDLE, self.arrangement.middle)):
            if self.slot > slot * scale() and self.pitch > pitch * scale():
                return detail
        return Detail.FAR

    @cached_property
    def boxes(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Width and height of a split's box and of a leaf's; narrower than nominal where slots are narrow."""
        if self.detail is Detail.FAR:
            return (FAR_SIZE, FAR_SIZE), (FAR_SIZE, FAR_SIZE)
        split_width, leaf_width, split_height, leaf_height = (
            side * self.scale for side in BOXES[self.detail])
        near = self.detail is Detail.NEAR
        if self.arrangement.is_sideways:
            room = min(self.pitch - EDGE_LENGTH, BOXES[Detail.NEAR][0] * self.scale)
            split_width = split_width if near else max(split_width, room)
        else:
            leaf_width = min(leaf_width, self.slot - (12 if near else 6))
            if not near:  # levels may be near each other where there is much room across
                split_width = max(split_width, min(self.slot * 1.9, BOXES[Detail.NEAR][0] * scale()))
            split_width = min(split_width, 2 * self.slot - 8, 3 * self.slot - leaf_width - 8)
        return (split_width, split_height), (leaf_width, leaf_height)

    @cached_property
    def least_room(self) -> float:
        """Room across, in leaves' places, from which a node has words although the tree is seen from afar."""
        question, _, height = far_box()
        across, along = (height, question) if self.arrangement.is_sideways else (question, height)
        if self.arrangement.is_cells or self.detail is not Detail.FAR or self.pitch < along + BELOW:
            return math.inf
        return (across + BESIDE) / self.slot

    def widths(self, room: NDArray[np.float64]) -> NDArray[np.float64]:
        """Width of splits with so much room across: as much as there is, where they would be narrow."""
        split = self.boxes[0][0]
        if self.arrangement.is_sideways and self.detail is Detail.FAR:
            wide = min(max(self.pitch - FAR_EDGE, far_box()[0]), BOXES[Detail.NEAR][0] * scale())
            return np.full(len(room), wide)
        if self.arrangement.is_sideways or self.detail is Detail.NEAR:
            return np.full(len(room), split)
        return np.clip(room * self.slot - BESIDE, split, max(split, BOXES[Detail.NEAR][0] * self.scale))

    @cached_property
    def frame(self) -> tuple[float, float, float, float, float, float]:
        """Pixel of the root, and the steps in pixels (x, y) across and down a level."""
        if self.arrangement.is_sideways:
            return self.x, self.y, 0.0, self.slot, self.pitch, 0.0
        return self.x, self.y, self.slot, 0.0, 0.0, self.pitch

    def at(self, across: float, level: float) -> tuple[float, float]:
        """Pixel of a place in the layout; the middle of a node's edge towards its parent."""
        x, y, ux, uy, vx, vy = self.frame
        return x + across * ux + level * vx, y + across * uy + level * vy

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Place in the layout, across and level, of a pixel."""
        dx, dy = x - self.x, y - self.y
        across, along = (dy, dx) if self.arrangement.is_sideways else (dx, dy)
        return across / self.slot, along / self.pitch

    def legible(self, room: float = 0.0) -> Camera:
        """Return the camera zoomed in until nodes, or a cell with this room, show all they have to say."""
        if self.arrangement.is_cells:
            wanted = WIDE_CELL / (self.arrangement.slot * max(room, 1e-9))
            return replace(self, zoom=min(max(self.zoom, wanted), self.arrangement.most_zoom))
        near = replace(self, zoom=max(self.zoom, 1.0))
        while near.pitch < self.arrangement.legible and near.zoom < self.arrangement.most_zoom:
            near = replace(near, zoom=near.zoom * 1.05)
        return near

    def moved(self, dx: float, dy: float) -> Camera:
        """Return the camera after a pan."""
        return replace(self, x=self.x + dx, y=self.y + dy)

    def zoomed(self, factor: float, x: float, y: float) -> Camera:
        """Return the camera after a zoom that keeps what is at pixel (x, y)."""
        zoom = min(max(self.zoom * factor, LEAST_ZOOM), self.arrangement.most_zoom)
        return replace(self, zoom=zoom).with_place(*self.place(x, y), x, y)

    def with_place(self, across: float, level: float, x: float, y: float) -> Camera:
        """Return the camera moved so that a place of the layout is at pixel (x, y)."""
        now_x, now_y = self.at(across, level)
        return self.moved(x - now_x, y - now_y)

    def between(self, other: Camera, share: float) -> Camera:
        """Return a camera on the way to `other`."""
        def mix(a: float, b: float) -> float:
            return a + (b - a) * share

        return replace(
            other, x=mix(self.x, other.x), y=mix(self.y, other.y),
            zoom=math.exp(mix(math.log(self.zoom), math.log(other.zoom))),
            bend=mix(self.bend, other.bend), squeeze=mix(self.squeeze, other.squeeze),
            fitted=mix(self.fitted, other.fitted))


def fitting(layout: Layout, width: float, height: float, arrangement: Arrangement = TOP_DOWN) -> Camera:
    """Return the camera that shows the whole tree in a window of this size, no larger than 1."""
    if arrangement.is_cells:
        return _fitting_cells(layout, width, height, arrangement)
    across, along = (height, width) if arrangement.is_sideways else (width, height)
    room = max(across - 2 * MARGIN - 2, 40.0)
    edges = 2 if layout.folded.any() and not arrangement.is_sideways else 1  # boxes of splits are wider
    zoom = min(1.0, room / (arrangement.slot * (layout.right - layout.left + edges)))
    box, pitch = _low_or_high(along - 2 * MARGIN, max(layout.depth, 1), arrangement)
    share = pitch / arrangement.pitch
    if share < arrangement.middle[1] / arrangement.pitch:  # no room for words: nearer across, too
        zoom = min(zoom, share ** (1 / STEEPEST))
    bend, squeeze = 1.0, share / zoom
    if zoom < 0.7:
        bend, squeeze = min(max(math.log(share) / math.log(zoom), 0.05), STEEPEST), 1.0
    middle = (layout.left + layout.right) / 2 * arrangement.slot * zoom
    free = along - 2 * MARGIN - box - pitch * layout.depth
    if arrangement.is_sideways:
        return Camera(MARGIN, height / 2 - middle, zoom, bend, squeeze, zoom, arrangement)
    top = MARGIN + max(0.0, min(free / 2, LEGEND_ROOM * 2))
    return Camera(width / 2 - middle, top, zoom, bend, squeeze, zoom, arrangement)


def _fitting_cells(layout: Layout, width: float, height: float, arrangement: Arrangement) -> Camera:
    zoom = max(width - 2 * MARGIN, 40.0) / (arrangement.slot * float(layout.room[0]))
    top = MARGIN + LEGEND_ROOM
    squeeze = min((height - top - MARGIN) / (layout.depth + 1) / arrangement.pitch, 1.0)
    return Camera(width / 2, top, zoom, 1.0, max(squeeze, 1e-5), zoom, arrangement)


def _low_or_high(room: float, depth: int, arrangement: Arrangement) -> tuple[float, float]:
    """Length of the last box and distance of levels: large boxes where they have room, else small ones."""
    boxes = (126.0, 64.0) if arrangement.is_sideways else (50.0, 28.0)
    for box, least in zip(boxes, (arrangement.near[1], 0.0), strict=True):
        pitch = min(arrangement.pitch, max(room - box, 30.0) / depth)
        if pitch > least:
            break
    return box, pitch
