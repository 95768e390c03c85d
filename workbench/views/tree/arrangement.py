"""The ways a tree can be arranged, declared once."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.drawing.layout import BOXES, EVEN, Gaps


@dataclass(frozen=True)
class Arrangement:
    """Which way levels follow each other, and how far nodes stand apart.

    Attributes
    ----------
    slot, pitch : float
        Pixels between leaves beside each other and between levels, at zoom 1.
    middle, near : (float, float)
        Pixels between leaves and between levels from which there is room for a question, and for all.
    legible : float
        Pixels between levels at which boxes have the size they are meant to have.
    is_sideways : bool
        The root at the left, levels to the right.
    is_cells : bool
        Cells side by side, as wide as their rows.
    """

    name: str
    label: str
    slot: float
    pitch: float
    middle: tuple[float, float]
    near: tuple[float, float]
    legible: float
    gaps: Gaps = BOXES
    most_zoom: float = 2.5
    is_sideways: bool = False
    is_cells: bool = False


TOP_DOWN = Arrangement("top-down", "Top-down", 138.0, 109.0, (36.3, 38.0), (99.9, 66.0), 80.0)
LEFT_RIGHT = Arrangement("left-right", "Left-right", 62.0, 216.0, (31.0, 118.0), (56.0, 180.0), 186.0, EVEN,
                         is_sideways=True)
ICICLE = Arrangement("icicle", "Icicle, area = rows", 138.0, 52.0, (0.0, 19.0), (0.0, 36.0), 52.0,
                     most_zoom=1e9, is_cells=True)
ARRANGEMENTS = {arrangement.name: arrangement for arrangement in (TOP_DOWN, LEFT_RIGHT, ICICLE)}
