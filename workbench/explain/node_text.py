"""How the figures of a node are written, wherever it is shown."""

from __future__ import annotations

import math

from workbench.isolation import isolated
from workbench.number_text import figure, fixed, percent, signed

SHARE, MEAN = "share", "mean"  # as units: what leaves hold that has no sign
LEAF_NAMES = {SHARE: "share", MEAN: "mean"}
NOTHING, SMALL = 1e-12, 0.001  # gains between them have digits behind three decimals


def gain_text(gain: float) -> str:
    """A gain in a node: three decimals, fewer for large ones, two digits of small ones."""
    if NOTHING < abs(gain) < SMALL:
        return figure(gain, 2)
    return fixed(gain) if abs(gain) < 1000 else figure(gain, 5)


def weight_text(weight: float, decimals: int = 3, unit: str = "") -> str:
    """A leaf's weight with its sign, and what it is counted in: "+12.3 days", with fewer decimals.

    Shares of a class and means have no sign: "0.833".
    """
    if unit in LEAF_NAMES:
        return fixed(weight, decimals) if abs(weight) < 1000 else figure(weight, 5)
    if unit:
        return f"{weight_text(weight, min(decimals, 1) if abs(weight) >= 1 else decimals)} {unit}"
    if abs(weight) < 1000:
        return signed(weight, decimals)
    return ("+" if weight > 0 else "") + figure(weight, 5)


def leaf_words(unit: str, short: bool = False) -> str:
    """What is said before the number of a leaf: "weight", "share", "mean"."""
    return LEAF_NAMES.get(unit, "w*" if short else "weight")


def share_text(share: float) -> str:
    """A share of the rows: "23 %", "0.2 %", "<0.1 %"; "" where it is unknown."""
    if math.isnan(share):
        return ""
    return "<0.1 %" if 0 < share < 0.0005 else percent(share, 0 if share >= 0.01 else 1)


def class_words(label: str) -> str:
    """A class in a sentence: its name, or "class 7" where that has no letter."""
    return isolated(label) if any(letter.isalpha() for letter in label) else f"class {isolated(label)}"
