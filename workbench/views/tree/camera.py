"""From places in a layout to pixels: pan, zoom and fit of the tree."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.trees.layout import Layout

SLOT, PITCH = 138.0, 109.0  # pixels between leaves and between levels at zoom 1
NODE_WIDTH = 152.0
NEAR_PITCH, MIDDLE_PITCH, LEGIBLE_PITCH = 66.0, 38.0, 80.0
MARGIN = 26.0
LEGEND_ROOM = 20.0  # above the root
MOST_ZOOM, LEAST_ZOOM = 2.5, 1e-5
EASED_AFTER = 1.5  # times the fitted zoom


class Detail(IntEnum):
    """How much of a node is shown."""

    FAR, MIDDLE, NEAR = range(3)


@dataclass(frozen=True)
class Camera:
    """Where the root stands, and how large everything is.

    Across, a leaf's place is SLOT·zoom. Down, levels keep more of their distance when zoomed out, so
    that a wide tree that fits is not flat: the pitch goes with zoom^`bend`. In a low window levels are
    nearer by `squeeze` at the zoom that was `fitted`, and gain their full distance when zoomed in.
    """

    x: float = 0.0
    y: float = MARGIN
    zoom: float = 1.0
    bend: float = 1.0
    squeeze: float = 1.0
    fitted: float = 1.0

    @property
    def slot(self) -> float:
        """Pixels between leaves."""
        return SLOT * self.zoom

    @property
    def pitch(self) -> float:
        """Pixels between levels."""
        eased = min(max(1 - math.log(self.zoom / self.fitted) / math.log(EASED_AFTER), 0.0), 1.0)
        return float(PITCH * self.squeeze**eased * self.zoom ** (self.bend if self.zoom < 1 else 1.0))

    @property
    def scale(self) -> float:
        """Size of boxes and text: they grow when zoomed in, and never shrink below their size."""
        return max(1.0, min(self.zoom, self.pitch / LEGIBLE_PITCH))

    def legible(self) -> Camera:
        """Return the camera zoomed in until nodes show all they have to say."""
        near = replace(self, zoom=max(self.zoom, 1.0))
        while near.pitch < LEGIBLE_PITCH and near.zoom < MOST_ZOOM:
            near = replace(near, zoom=near.zoom * 1.05)
        return near

    @property
    def detail(self) -> Detail:
        """Level of detail, from the width of a node and the room between levels."""
        if NODE_WIDTH * self.zoom > 110 and self.pitch > NEAR_PITCH:
            return Detail.NEAR
        return Detail.MIDDLE if NODE_WIDTH * self.zoom > 40 and self.pitch > MIDDLE_PITCH else Detail.FAR

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Pixel of a place in the layout; the middle of a node's upper edge."""
        return self.x + x * self.slot, self.y + y * self.pitch

    def moved(self, dx: float, dy: float) -> Camera:
        """Return the camera after a pan."""
        return replace(self, x=self.x + dx, y=self.y + dy)

    def zoomed(self, factor: float, x: float, y: float) -> Camera:
        """Return the camera after a zoom that keeps what is at pixel (x, y)."""
        zoom = min(max(self.zoom * factor, LEAST_ZOOM), MOST_ZOOM)
        near = replace(self, zoom=zoom)
        return replace(near, x=x - (x - self.x) * near.slot / self.slot,
                       y=y - (y - self.y) * near.pitch / self.pitch)

    def between(self, other: Camera, share: float) -> Camera:
        """Return a camera on the way to `other`."""
        def mix(a: float, b: float) -> float:
            return a + (b - a) * share

        return Camera(mix(self.x, other.x), mix(self.y, other.y),
                      math.exp(mix(math.log(self.zoom), math.log(other.zoom))),
                      mix(self.bend, other.bend), mix(self.squeeze, other.squeeze),
                      mix(self.fitted, other.fitted))


def fitting(layout: Layout, width: float, height: float) -> Camera:
    """Return the camera that shows the whole tree in a window of this size, no larger than 1."""
    room = max(width - 2 * MARGIN - 2, 40.0)
    zoom = min(1.0, room / (SLOT * (layout.right - layout.left + 1)))
    box, pitch = _low_or_high(height - 2 * MARGIN, max(layout.depth, 1))
    bend, squeeze = (1.0, pitch / PITCH / zoom)
    if zoom < 0.7:
        bend = min(max(math.log(pitch / PITCH) / math.log(zoom), 0.05), 3.0)
        squeeze = 1.0
    middle = (layout.left + layout.right) / 2
    used = box + pitch * layout.depth
    top = MARGIN + max(0.0, min((height - 2 * MARGIN - used) / 2, LEGEND_ROOM * 2))
    return Camera(width / 2 - middle * SLOT * zoom, top, zoom, bend, squeeze, zoom)


def _low_or_high(room: float, depth: int) -> tuple[float, float]:
    """Height of the lowest box and distance of levels: high boxes where they have room, else low ones."""
    for box, least in ((50.0, NEAR_PITCH), (28.0, 0.0)):
        pitch = min(PITCH, max(room - box, 30.0) / depth)
        if pitch > least:
            break
    return box, pitch
