"""Round numbers for axes and bins; days as dates."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from workbench.number_text import figure

_ROUND = (1.0, 2.0, 5.0, 10.0)
Unit = Literal["Y", "M", "D"]
_DATE_UNITS: tuple[tuple[Unit, int], ...] = (("Y", 366), ("M", 31), ("D", 1))  # numpy's letter, days at most


def round_step(span: float, parts: int) -> float:
    """The smallest round step that divides `span` into at most `parts`, half a part more allowed."""
    rough = span / (parts + 0.5)
    if not rough > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * factor for factor in _ROUND if power * factor >= rough * (1 - 1e-9))


def ticks(low: float, high: float, parts: int) -> list[float]:
    """Round numbers from `low` to `high`."""
    step = round_step(high - low, parts)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [step * place for place in range(first, last + 1)]


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


def iso_day(days: float) -> str:
    """Days since 1970-01-01 as an ISO date."""
    return str(np.datetime64("1970-01-01") + np.timedelta64(math.floor(days), "D"))


def brief(value: float, digits: int = 4) -> str:
    """As `figure`, without zeros at its end: "149.6", "71"."""
    text = figure(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text
