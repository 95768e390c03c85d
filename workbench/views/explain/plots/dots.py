"""Many dots at once: painted into an image, for a painter would take as long as it has dots."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QImage

from workbench.views.look.theme import DARK, LIGHT, theme

if TYPE_CHECKING:
    from numpy.typing import NDArray

STEPS = 64  # colours that are told apart
MOST_NAMED = 8  # categories with a colour each


def value_shares(values: NDArray[np.float32], n_categories: int = 0) -> NDArray[np.float64]:
    """Return where each value stands between the least (0) and the greatest (1) by rank; NaN stays so."""
    shares = np.full(len(values), np.nan)
    known = np.isfinite(values)
    if n_categories:
        shares[known] = np.minimum(values[known], n_categories) / max(n_categories - 1, 1)
        return np.minimum(shares, 1.0)
    ordered = np.sort(values[known])
    if len(ordered):
        low, high = (np.searchsorted(ordered, values[known], side=side) for side in ("left", "right"))
        shares[known] = 0.5 * (low + high - 1) / max(len(ordered) - 1, 1)
    return shares


def share_colors(shares: NDArray[np.float64]) -> NDArray[np.uint32]:
    """Return the colours of shares from 0 to 1, low to high; grey where unknown."""
    ramp, grey = _ramp(theme().name)
    known = np.nan_to_num(shares).clip(0, 1)
    return np.where(np.isnan(shares), grey, ramp[(known * (STEPS - 1)).astype(int)]).astype(np.uint32)


def category_colors(codes: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Return the colours of categories by their codes; grey where unknown."""
    colors = np.array([theme().category(code).rgb() for code in range(MOST_NAMED)], np.uint32)
    known = np.nan_to_num(codes, nan=0.0).astype(int)
    is_grey = np.isnan(codes) | (known >= MOST_NAMED)
    return np.where(is_grey, theme().color("ctl").rgb(), colors[np.minimum(known, MOST_NAMED - 1)]).astype(
        np.uint32)


@lru_cache(maxsize=2)
def _ramp(name: str) -> tuple[NDArray[np.uint32], int]:
    scheme = DARK if name == "dark" else LIGHT
    colors = [scheme.gain_mark(step / (STEPS - 1)).rgb() for step in range(STEPS)]
    return np.array(colors, np.uint32), int(scheme.color("ctl").rgb())


def dots_image(
    x: NDArray[np.float64], y: NDArray[np.float64], colors: NDArray[np.uint32], width: int, height: int,
    radius: float, ratio: float,
) -> QImage:  # fmt: skip
    """Return an image, transparent elsewhere, with a dot at each place; the last ones lie on top."""
    wide, high = max(round(width * ratio), 1), max(round(height * ratio), 1)
    reach = max(round(radius * ratio), 1)
    pixels = np.zeros((high + 2 * reach, wide + 2 * reach), np.uint32)
    across = np.clip(np.rint(x * ratio), 0, wide - 1).astype(int) + reach
    down = np.clip(np.rint(y * ratio), 0, high - 1).astype(int) + reach
    opaque = colors | np.uint32(0xFF000000)
    for i in range(-reach, reach + 1):
        for j in range(-reach, reach + 1):
            if i * i + j * j <= (radius * ratio) ** 2 + 0.5:
                pixels[down + i, across + j] = opaque
    inside = np.ascontiguousarray(pixels[reach : reach + high, reach : reach + wide])
    image = QImage(inside.data, wide, high, 4 * wide, QImage.Format.Format_ARGB32_Premultiplied).copy()
    image.setDevicePixelRatio(ratio)
    return image


def swarm(x: NDArray[np.float64], half: float, step: float) -> NDArray[np.float64]:
    """Return how far above or below the middle each dot stands, so that those at one x lie side by side."""
    if not len(x):
        return np.empty(0)
    bins = np.floor(x / step).astype(int)
    order = np.argsort(bins, kind="stable")
    begins = np.flatnonzero(np.diff(bins[order], prepend=bins[order[0]] - 1))
    counts = np.diff(np.append(begins, len(x)))
    place = np.arange(len(x)) - np.repeat(begins, counts)
    crowd = np.repeat(counts, counts)
    apart = np.minimum(step, 2 * half / np.maximum(crowd, 1))
    offset = np.empty(len(x))
    offset[order] = (place + 1) // 2 * np.where(place % 2, 1.0, -1.0) * apart
    return offset
