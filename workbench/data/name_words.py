"""The words of a column's name, however they are joined: "SalePrice", "sale_price", "sale.price"."""

from __future__ import annotations

import re

_SEAM = re.compile(r"(?<=[a-zäöüß])(?=[A-ZÄÖÜ])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z])(?=\d)|(?<=\d)(?=[A-Z])")
_WORD = re.compile(r"[^\W_]+")


def name_words(name: str) -> list[str]:
    """Return them in small letters, in their order."""
    return [word.casefold() for word in _WORD.findall(_SEAM.sub(" ", name))]
