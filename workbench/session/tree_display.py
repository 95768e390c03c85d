"""How trees are shown, in every view that shows some."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TreeDisplay:
    """What a person chose.

    Attributes
    ----------
    colour : str
        Name of the quantity that colours nodes: "weight", "gain", "cover", "gradient", "holdout", "feature".
    arrangement : str
        "top-down", "left-right" or "icicle".
    depth : int or None
        Deepest level that is drawn; None for all.
    """

    colour: str = "weight"
    arrangement: str = "top-down"
    depth: int | None = None
