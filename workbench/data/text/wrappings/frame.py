"""Tables in a frame of bars and rules, as databases, Markdown and wikis write them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.data.text.layout.header import is_rule
from workbench.data.text.wrappings.base import WRAPPINGS, Wrapping
from workbench.data.text.wrappings.even_records import in_quotes

if TYPE_CHECKING:
    from workbench.data.text.wrappings.base import FirstLines

FRAMED = 0.5  # of the lines that are no rules: so many stand in the frame
_RULES = dict.fromkeys(map(ord, "─━═╌┄┼╪┌┬┐└┴┘├┤╞╡╒╤╕╘╧╛╔╦╗╚╩╝╠╬╣╭╮╰╯╫╥╨"), "-")
_BARS = dict.fromkeys(map(ord, "│┆┊┃║╎"), "|")
_BAR = re.compile(r"(?<!\\)\|")
_FRAME = "The frame round the table is left out."
_FRAME_AND_BOLD = "The frame round the table, and marks of bold text, are left out."
_EMPHASIS = re.compile(r"(\| *)(\*\*|`)([^|*`\n]++)\2(?= *\|)")


class RowFrame:
    """A frame round every row; on a wiki the names have other marks."""

    name = "frame"
    order = 20

    def find(self, lines: FirstLines) -> Wrapping | None:
        """Return how the frame is left out."""
        return _framed_by_wiki(lines.filled) or _framed(lines.filled)


WRAPPINGS.register(RowFrame())


def _plain_rule(line: str) -> str:
    return line.translate(_RULES).translate(_BARS)


def _are_framed(lines: list[str]) -> bool:
    plain = [_plain_rule(line) for line in lines]
    rows = [line for line in plain if not is_rule(line)]
    framed = [line for line in rows if len(line) > 1 and line[0] == line[-1] == "|"]
    widths = {len(_BAR.findall(line)) for line in framed}
    return len(framed) >= max(2, FRAMED * len(rows)) and len(widths) == 1 and len(framed) < len(plain)


def _framed(lines: list[str]) -> Wrapping | None:
    if not _are_framed(lines):
        return None
    if any(map(_EMPHASIS.search, lines)):
        return Wrapping(_unframed_plain, _FRAME_AND_BOLD, "|")
    return Wrapping(_unframed, _FRAME, "|")


def _framed_by_wiki(lines: list[str]) -> Wrapping | None:
    """Return how a table is read that has other marks round its names, || or ^, than round its rows."""
    first, rows = lines[0], lines[1:]
    mark = next((mark for mark in ("||", "^") if first.startswith(mark) and first.endswith(mark)), None)
    if mark is None or not all(len(row) > 1 and row[0] == row[-1] == "|" for row in rows):
        return None
    named = first.replace(mark, "|")
    if len({len(_BAR.findall(line)) for line in (named, *rows)}) > 1:
        return None
    return Wrapping(lambda text: _unframed(text.replace(first, named)), _FRAME, "|")


def _unframed_plain(text: str) -> str:
    return _unframed(_EMPHASIS.sub(r"\1\3", text))


def _unframed(text: str) -> str:
    return "\n".join(map(_cells_of_row, text.split("\n")))


def _cells_of_row(line: str) -> str:
    """Write the cells of a framed row with bars between them; a rule is an empty line."""
    plain = _plain_rule(line.strip())
    if is_rule(plain):
        return ""
    plain = line.strip().translate(_BARS)
    if len(plain) < 2 or not plain[0] == plain[-1] == "|":
        return line
    cells = (cell.strip().replace("\\|", "|") for cell in _BAR.split(plain[1:-1]))
    return "|".join(in_quotes(cell) if '"' in cell or "|" in cell else cell for cell in cells)
