"""Names, texts and numbers as a SQL query has them."""

from __future__ import annotations

from workbench.formats.code.spelling import can_be_seen
from workbench.formats.one_way import check_no_nul

MEANT_ELSEWHERE = frozenset(";'\"`\\:?&@${}#")  # what cuts queries apart, or stands for a value in them


def number(value: float) -> str:
    """Return a literal in double precision: with an exponent, as without one it may be a decimal."""
    text = repr(float(value))
    return text if "e" in text else f"{text}E0"


def column(name: str) -> str:
    """Return a column of the table; without it some databases would take a name that is none for a text."""
    return f"d.{identifier(name)}"


def identifier(name: str) -> str:
    """Return a name in quotes."""
    return '"' + _sayable(name).replace('"', '""') + '"'


def text_literal(label: str) -> str:
    """Return a text in quotes."""
    return "'" + _sayable(label).replace("'", "''") + "'"


def in_comment(name: str) -> str:
    """Return a name, as a JSON string where something in it could end the comment or mean more to a tool."""
    plain = [can_be_seen(sign) and sign not in MEANT_ELSEWHERE for sign in name]
    if name.strip() == name and name and all(plain):
        return name
    signs = zip(name, plain, strict=True)
    return '"' + "".join(sign if is_plain else _escaped(sign) for sign, is_plain in signs) + '"'


def _escaped(sign: str) -> str:
    units = sign.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))


def _sayable(name: str) -> str:
    check_no_nul(name, "SQL cannot say")
    return name
