"""Pieces of a page: escaped text, numbers, tables and bars."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING

from workbench.number_text import MINUS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PLAIN = 1e7  # below it numbers are written without an exponent
# In the place of signs that neither a page nor a picture may hold: what Unicode draws for NUL and the like.
SHOWN = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n\r"}
SHOWN |= dict.fromkeys((*range(0xD800, 0xE000), 0xFFFE, 0xFFFF), 0xFFFD)


def text(value: object) -> str:
    """Return text in which no character means anything."""
    return html.escape(str(value), quote=True).translate(SHOWN)


def name(value: object) -> str:
    """Return somebody's name for something: nothing in it turns the order of what stands around it."""
    return f"<bdi>{text(value)}</bdi>"


def exact(shown: str, value: object) -> str:
    """Return a number as it is shown, with the value that programs read, to the last digit."""
    return f'<data value="{value!s}">{shown}</data>'


def names(values: Sequence[object], most: int) -> tuple[str, str]:
    """Return names, no more than so many; and all of them behind a click, where they are more."""
    shown = [f'<bdi class="label">{text(value)}</bdi>' for value in values]
    if len(shown) <= most:
        return ", ".join(shown), ""
    every = f"<details><summary>All {len(shown):,} labels</summary>{', '.join(shown)}</details>"
    return f"{', '.join(shown[:most])}, … +{len(shown) - most:,}", every


def number(value: float, digits: int = 5) -> str:
    """Return a number as people write it."""
    if not math.isfinite(value):
        return "–"
    if 10**digits <= abs(value) < PLAIN:
        return f"{value:,.0f}".replace("-", MINUS)
    mantissa, mark, exponent = f"{value:,.{digits}g}".partition("e")
    return (mantissa + mark + (str(int(exponent)) if mark else "")).replace("-", MINUS)


def table(
    header: Sequence[str], rows: Iterable[Sequence[str]], numeric: frozenset[int] = frozenset(),
    look: str = "",
) -> str:  # fmt: skip
    """Return a table of cells that are HTML already; numeric columns stand at the right."""
    def row(cells: Sequence[str], tag: str) -> str:
        marks = (' class="n"' if place in numeric else "" for place in range(len(cells)))
        made = (f"<{tag}{mark}>{cell}</{tag}>" for mark, cell in zip(marks, cells, strict=True))
        return f"<tr>{''.join(made)}</tr>"

    body = "".join(row(cells, "td") + "\n" for cells in rows)
    head = f"<thead>{row([text(name) for name in header], 'th')}</thead>\n" if header else ""
    mark = f' class="{look}"' if look else ""
    return f"<table{mark}>{head}<tbody>\n{body}</tbody></table>\n"


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    """Return a table of what is called how; the values are HTML already."""
    return table((), [(text(what), value) for what, value in pairs], look="facts")


def section(title: str, *parts: str, note: str = "") -> str:
    """Return a heading and what belongs to it."""
    said = f'<p class="note">{text(note)}</p>\n' if note else ""
    return f"<section>\n<h2>{text(title)}</h2>\n{said}{''.join(parts)}</section>\n"


def bar(share: float) -> str:
    """Return a bar for a share of the largest."""
    return f'<div class="bar" style="width:{100 * min(max(share, 0.0), 1.0):.1f}%"></div>'
