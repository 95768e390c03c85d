"""How numbers are written for people: true minus, thousands, units; one place for every floor."""

from __future__ import annotations

import math

MINUS = "−"


def count(value: float) -> str:
    """A whole number with thousands: "1,030"."""
    return f"{value:,.0f}".replace("-", MINUS)


def counted(number: float, thing: str, things: str = "") -> str:
    """A number of things: "1 row", "1,030 rows", "2 leaves"."""
    return f"{count(number)} {thing if number == 1 else things or thing + 's'}"


def amount(value: float) -> str:
    """A sum of weights: a count where it is whole, as where each row weighs 1."""
    return count(value) if value == int(value) else figure(value)


def fixed(value: float, decimals: int = 3) -> str:
    """A number with fixed decimals: "−1.419"; an unknown one is "–"."""
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else MINUS + "∞"
    text = f"{value:,.{decimals}f}"
    if float(text.replace(",", "")) == 0:
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def signed(value: float, decimals: int = 3) -> str:
    """As `fixed`, with a sign always: "+0.350"."""
    text = fixed(value, decimals)
    return text if text[0] in MINUS + "–" else "+" + text


def signed_figure(value: float, decimals: int = 3) -> str:
    """As `signed`; what would be written as 0 but is not, by its first digit: "−0.0002"."""
    text = signed(value, decimals)
    if value == 0 or not math.isfinite(value) or text.strip("+0.,"):
        return text
    return "+" * (value > 0) + figure(value, 1)


def figure(value: float, digits: int = 4, longest: int = 7) -> str:
    """A number in about `digits` significant digits, plain where short: "0.3956", "36.03", "1,283".

    One with more than `longest` digits before the point is written as "1.234e8".
    """
    if value is None or not math.isfinite(value):
        return fixed(value)
    if value == 0:
        return "0"
    size = math.floor(math.log10(abs(value)))
    if size < -4 or size >= longest:
        mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
        return f"{mantissa}e{int(exponent)}".replace("-", MINUS)
    return fixed(value, max(0, digits - 1 - size))


def short(value: float) -> str:
    """A number as typed: "0.05", "4", "1e−06"."""
    return f"{value:.6g}".replace("-", MINUS)


def percent(share: float, decimals: int = 0) -> str:
    """A share of 1 as per cent: "23 %"."""
    return f"{100 * share:.{decimals}f} %"
