"""The levels of a factor table in words: ranges of numbers, categories, missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.explain.node_figures import threshold_text

if TYPE_CHECKING:
    from workbench.data.schema import Feature
    from workbench.explain.factors.cells import FactorCells

MISSING, OTHER = "missing", "another category"


class Level(NamedTuple):
    """One level: its words, and from where (inclusive) to where (exclusive) it goes; None is no bound."""

    words: str
    begin: float | None = None
    end: float | None = None


def levels_of(cells: FactorCells, feature: Feature) -> list[Level]:
    """Return the levels of a column, in the order of its cells."""
    if cells.is_category:
        apart = (Level(_apart(words, feature.categories)) for words in (OTHER, MISSING))
        return [*map(Level, feature.categories), *apart]
    said = [threshold_text(np.float32(t), feature) for t in cells.thresholds]
    ends = [float(t) for t in cells.thresholds]
    if not said:
        return [Level("any number"), Level(MISSING)]
    ranges = [
        Level(f"{low} to {high}", begin, end)
        for low, high, begin, end in zip(said, said[1:], ends, ends[1:], strict=False)
    ]
    return [
        Level(f"below {said[0]}", None, ends[0]), *ranges, Level(f"{said[-1]} and above", ends[-1], None),
        Level(MISSING),
    ]  # fmt: skip


def _apart(words: str, taken: tuple[str, ...]) -> str:
    """Return words that no category has for a name, in brackets where one has: "(missing)"."""
    return words if words not in taken else _apart(f"({words})", taken)
