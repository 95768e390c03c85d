"""Texts of values on an axis: numbers in brief, days as dates, and which days have one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np

from workbench.data.values.labels import iso_day
from workbench.number_text import figure

if TYPE_CHECKING:
    from collections.abc import Sequence

Unit = Literal["Y", "M", "D"]
_DATE_UNITS: tuple[tuple[Unit, int], ...] = (("Y", 366), ("M", 31), ("D", 1))  # numpy's letter, days at most


def date_ticks(low: float, high: float, parts: int) -> list[tuple[float, str]]:
    """Starts of years, months or days (as days since 1970) with their short ISO text."""
    for unit, days in _DATE_UNITS:
        if (high - low) / days >= 2:
            return _starts(low, high, parts, unit)
    return [(low, iso_day(low))]


def _starts(low: float, high: float, parts: int, unit: Unit) -> list[tuple[float, str]]:
    first = np.datetime64(math.ceil(low), "D").astype(f"datetime64[{unit}]")
    last = np.datetime64(math.floor(high), "D").astype(f"datetime64[{unit}]")
    starts = np.arange(first, last + np.timedelta64(1, unit))
    days = starts.astype("datetime64[D]").astype(np.float64)
    inside = (days >= low) & (days <= high)
    every = max(1, math.ceil(inside.sum() / parts))
    shown = starts[inside][::every].astype(str)
    return list(zip(days[inside][::every].tolist(), shown.tolist(), strict=True))


def axis_texts(values: Sequence[float]) -> list[tuple[float, str]]:
    """Values with their texts; where all have four digits, as years do, without commas."""
    are_like_years = all(1000 <= value < 10_000 for value in values)
    return [(value, brief(value).replace(",", "") if are_like_years else brief(value)) for value in values]


def brief(value: float, digits: int = 4) -> str:
    """As `figure`, without zeros at its end: "149.6", "71"."""
    text = figure(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text
