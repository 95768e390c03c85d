"""The words and symbols of the interface, as the glossary defines them."""

from __future__ import annotations

from typing import NamedTuple

from workbench.resources import resource_path


class Word(NamedTuple):
    """A symbol, what it is called, what it means, and its names in code."""

    symbol: str
    term: str
    meaning: str
    code: str = ""


def symbols() -> tuple[Word, ...]:
    """Return the terms that have a symbol, in the order of the glossary."""
    page = resource_path("docs", "glossary.md").read_text(encoding="utf-8")
    rows = (line.strip("| ").split(" | ") for line in page.replace("`", "").splitlines() if line[:2] == "| ")
    cells = ([cell.strip() for cell in row] for row in rows)
    return tuple(
        Word(symbol, term, meaning, code)
        for term, symbol, code, meaning in (row for row in cells if len(row) == 4)
        if symbol not in ("", "symbol")
    )
