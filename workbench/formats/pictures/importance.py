"""The columns that matter most, as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.formats.pictures.picture import BLUE, FAINT, Picture, box, cut, of_columns, words
from workbench.number_text import figure

if TYPE_CHECKING:
    from workbench.formats.model_like import ModelLike

ROW, WIDTH = 22.0, 560.0


def importance_picture(model: ModelLike, kind: str = "total_gain", most: int = 20, **given: Any) -> Picture:
    """Draw the importance of columns, the greatest first."""
    found = model.importance(kind, **given)
    every = list(found)
    values = np.array([found[name] for name in every], np.float64)
    order = [place for place in np.argsort(-values, kind="stable")[:most] if values[place] > 0]
    names = [every[place] for place in order]
    left, top = of_columns(names), 40.0
    room = WIDTH - left - 80
    parts = [words(12, 22, f"Importance by {kind.replace('_', ' ')}", bold=True)]
    for row, place in enumerate(order):
        y, length = top + ROW * row, room * values[place] / values[order[0]]
        parts += [words(left - 8, y + 14, cut(names[row], left - 16), "right"),
                  box(left, y + 3, length, 14, BLUE),
                  words(left + length + 6, y + 14, figure(float(values[place])), ink=FAINT)]  # fmt: skip
    if not order:
        parts.append(words(12, top + 14, "No tree asks for a column.", ink=FAINT))
    return Picture(f"Importance by {kind}", WIDTH, top + ROW * max(len(order), 1) + 12, parts)
