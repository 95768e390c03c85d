"""What one plot is to show, said without drawing it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.views.curves.vertical_scales import VerticalScale

Dash = Literal["solid", "dashed", "dotted"]


@dataclass(frozen=True, eq=False)
class Line:
    """Figures of rounds 1, 2, … as a line.

    `text` is the newest figure as the margin says it. `own` lines are stretched over the height of
    the plot, on a scale of their own. `reading` lines get a hollow dot under the cursor. `swatch` shows
    the line's colour beside its name in the margin. `note` says there what is special about it, where all
    of it has room.
    """

    name: str
    token: str
    values: NDArray[np.float64]
    text: str = ""
    width: float = 1.5
    dash: Dash = "solid"
    alpha: float = 1.0
    own: bool = False
    reading: bool = True
    tone: str = ""  # of the name in the margin, where it is not the line's
    swatch: bool = False
    note: str = ""

    def without_label(self) -> Line:
        """The same line, with nothing in the margin."""
        return replace(self, text="")


@dataclass(frozen=True, eq=False)
class Shade:
    """A band over rounds 1, 2, …: pale, below all lines; a round where either side is NaN is left out."""

    token: str
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    alpha: float = 0.2


@dataclass(frozen=True, eq=False)
class Content:
    """One plot over rounds.

    `facts` are lines of the margin (text, bold) that belong to no line. `readings` writes the figure
    beside each dot, and name and figure in two rows of the margin. A `tall` second plot shares the height
    of the uppermost one. `places` are words over the base line, each at a round or between two. `shades` lie
    below all lines. A `bare` plot has no levels: a sentence stands there for good.
    """

    title: str
    phrase: str
    scale: VerticalScale
    lines: tuple[Line, ...] = ()
    bars: NDArray[np.float64] | None = None
    facts: tuple[tuple[str, bool], ...] = ()
    zero: bool = False
    readings: bool = False
    tall: bool = False
    places: tuple[tuple[float, str], ...] = ()
    shades: tuple[Shade, ...] = ()
    bare: bool = False


def likeness(contents: Sequence[Content]) -> list[Any]:
    """Return what is equal for contents that look alike."""
    return [
        [_plain(content, scale=(type(content.scale), vars(content.scale)), lines=(), shades=()),
         [_plain(part) for part in (*content.lines, *content.shades)]]
        for content in contents
    ]  # fmt: skip


def _plain(shown: Any, **others: Any) -> list[Any]:
    """What it shows, with numbers of arrays as bytes, which can be compared."""
    told = {**vars(shown), **others}.values()
    return [(value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value for value in told]


@dataclass(frozen=True)
class RoundMarks:
    """What stands at certain rounds in all plots, and sentences in the uppermost one."""

    rounds: int = 1  # planned
    newest: int = 0
    best: int = 0  # 0 for none
    best_value: float = math.nan
    best_text: str = ""
    changes: tuple[tuple[int, str], ...] = ()
    pinned: int = 0
    ahead: str = ""  # "52 rounds to go"
    sentence: str = ""  # what to do while there is nothing
    note: str = ""
