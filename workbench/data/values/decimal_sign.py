"""Which decimal sign numbers show: 1,5 and 1.234,5 a comma, 1.5 and 1,234.5 a point, 1,234 and 12 none."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from workbench.data.values import numerals

if TYPE_CHECKING:
    from collections.abc import Sequence

OTHER = {".": ",", ",": "."}
SIGN_WORDS = {".": "point", ",": "comma"}


def shown_sign(text: str) -> str:
    """Return the decimal sign that a number can only have; "" where it may have either, or is none."""
    if "," not in text and "." not in text:
        return ""
    with_point, with_comma = numerals.value_of(text, "."), numerals.value_of(text, ",")
    if with_point is None:
        return "" if with_comma is None else ","
    if with_comma is None:
        return "."
    return "." if with_point == with_comma and "." in text else ""


def sign_is_open(text: str) -> bool:
    """Whether a text is another number with a decimal comma than with a decimal point."""
    if "," not in text and "." not in text:
        return False
    with_point, with_comma = numerals.value_of(text, "."), numerals.value_of(text, ",")
    return None not in (with_point, with_comma) and with_point != with_comma


def sign_of(texts: Sequence[str]) -> str:
    """Return the sign that most texts show, of equally many the point; "" where none shows one."""
    counts = Counter(map(shown_sign, dict.fromkeys(texts)))
    if not counts["."] and not counts[","]:
        return ""
    return "," if counts[","] > counts["."] else "."


def parse_as_known(texts: Sequence[str], decimal: str | None, known: str) -> numerals.Numbers | None:
    """Read every text as a number, beside no settled sign with the known one where none shows another."""
    if decimal is None and known and sign_of(texts) in ("", known):
        found = numerals.parse(texts, known)
        if found is not None:
            return found
    return numerals.parse(texts, decimal)
