"""Lines that hold a table in a wrapping: a frame, quotes round whole lines, other marks than quotes."""

from __future__ import annotations

import csv
import re
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from workbench.data.text.layout.header import is_rule
from workbench.data.text.wrappings import eurostat, latex, stata_list, stray_signs
from workbench.data.text.wrappings.aligned import ALIGNED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FEWEST_LINES = 3
MOST_LINES = 500  # looked at
MANY_LINES = MOST_LINES // 2  # of which one record may be left aside
FRAMED = 0.5  # of the lines that are no rules: so many stand in the frame
_SEPARATORS = ",;\t|"
_RULES = dict.fromkeys(map(ord, "─━═╌┄┼╪┌┬┐└┴┘├┤╞╡╒╤╕╘╧╛╔╦╗╚╩╝╠╬╣╭╮╰╯╫╥╨"), "-")
_BARS = dict.fromkeys(map(ord, "│┆┊┃║╎"), "|")
_BAR = re.compile(r"(?<!\\)\|")
_FRAME = "The frame round the table is left out."
_FRAME_AND_BOLD = "The frame round the table, and marks of bold text, are left out."
_EMPHASIS = re.compile(r"(\| *)(\*\*|`)([^|*`\n]++)\2(?= *\|)")
_WHOLE_LINE = re.compile(r'"((?:[^"]|"")*+)"[,;]*')
_DOUBLED = re.compile(r"(?:\|\||~~|\^\^|::|;;)")
_BACKSLASH_BYTES = re.compile(rb'\\["\\]')
_BACKSLASH = re.compile(r'\\(["\\])')
_SINGLE_QUOTED = re.compile(rf"(?<![^{_SEPARATORS}\n])'((?:[^'\n]|'')*+)'(?=[{_SEPARATORS}\n]|$)")
_ALL_SINGLE_QUOTED = re.compile(rf"\s*'[^'\n]+'(?:[{_SEPARATORS}] *'[^'\n]+')+\s*")
_IN_CURLY = "[“„«]([^“”„«»\"\n]*+)[“”»]"
_CURLY_QUOTED = re.compile(rf"(?<![^{_SEPARATORS}\n]){_IN_CURLY}(?=[{_SEPARATORS}\n]|$)")
_ALL_CURLY_QUOTED = re.compile(rf"\s*{_IN_CURLY}(?:[{_SEPARATORS}] *{_IN_CURLY})+\s*")


class Wrapping(NamedTuple):
    """How lines are taken out of what is round them: line for line; what is said; the separator, if known.

    `masked` hides quotes that are text, byte for byte, so that records are not cut at them.
    """

    unwrap: Callable[[str], str]
    remark: str
    separator: str | None = None
    masked: Callable[[bytes], bytes] | None = None


def find_wrapping(text: str) -> Wrapping | None:
    """Return the wrapping of the lines; None where they have none."""
    told = stray_signs.told_signs(text)
    found = _find_wrapping(stray_signs.without_signs(text) if told else text)
    return _without_signs(told, found) if told else found


def _without_signs(told: str, within: Wrapping | None) -> Wrapping:
    """Return how signs for printers and terminals are left out, before anything else is."""
    if within is None:
        return Wrapping(stray_signs.without_signs, told)
    return within._replace(
        unwrap=lambda text: within.unwrap(stray_signs.without_signs(text)), remark=f"{told} {within.remark}"
    )


def _find_wrapping(text: str) -> Wrapping | None:
    lines = [line.strip() for line in text.split("\n", MOST_LINES)[:MOST_LINES] if line.strip()]
    if len(lines) < FEWEST_LINES:
        return None
    if (printed := _of_program(text)) is not None:
        return printed
    if (framed := _framed_by_wiki(lines) or _framed(lines)) is not None:
        return framed
    if _is_ruled(lines):
        return Wrapping(_without_rules, "The rules above and below the table are left out.")
    if all(map(_WHOLE_LINE.fullmatch, lines)) and _are_even(_unquoted("\n".join(lines))):
        return Wrapping(_unquoted, "Every line stands in quotes as a whole; they are left out.")
    if (found := _doubled_separator(lines)) is not None:
        return found
    return next(_other_quotes(lines), None)


def _of_program(text: str) -> Wrapping | None:
    """Return how lines are read that a program wrote for people."""
    lines = text.split("\n", MOST_LINES)[:MOST_LINES]
    if eurostat.begins_so(next(filter(str.strip, lines))):
        remark = "Keys joined by commas stand in columns of their own; letters behind numbers are left out."
        return Wrapping(eurostat.parted, remark, "\t")
    if stata_list.is_listed(lines):
        remark = "The frame and the numbers of the rows are left out."
        return Wrapping(stata_list.unlisted, remark, ALIGNED)
    if latex.is_latex("\n".join(lines)):
        return Wrapping(latex.plain_rows, "The commands of LaTeX round the cells are left out.", "|")
    return None


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
    return "|".join(_in_quotes(cell) if '"' in cell or "|" in cell else cell for cell in cells)


def _in_quotes(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _is_ruled(lines: list[str]) -> bool:
    return is_rule(lines[0]) and " " in lines[0] and lines.count(lines[0]) > 1


def _without_rules(text: str) -> str:
    return "\n".join("" if is_rule(line) else line for line in text.split("\n"))


def _unquoted(text: str) -> str:
    return "\n".join(map(_unquoted_line, text.split("\n")))


def _unquoted_line(line: str) -> str:
    found = _WHOLE_LINE.fullmatch(line.strip())
    return line if found is None else found[1].replace('""', '"')


def _doubled_separator(lines: list[str]) -> Wrapping | None:
    """Find a separator of two signs, as ||, which stands in every line and never alone."""
    found = _DOUBLED.search(lines[0])
    if found is None:
        return None
    double, sign = found[0], found[0][0]
    is_doubled = all(double in line and sign not in line.replace(double, "") for line in lines)
    if not is_doubled or len({line.count(double) for line in lines}) > 1:
        return None

    def single(text: str) -> str:
        return text.replace(double, sign)

    return Wrapping(single, f"The separator is {double}.", sign)


def _other_quotes(lines: list[str]) -> Iterator[Wrapping]:
    """Find other marks than quotes, where they make all records as wide as the first."""
    text = "\n".join(lines)
    is_even: bool | None = None
    for unwrap, is_there, remark in (
        (_with_single_quotes, "'" in text, "Single quotes are read as quotes."),
        (_with_curly_quotes, any(quote in text for quote in "“”»"), "Curly quotes are read as quotes."),
        (_with_backslashes, '\\"' in text, "A backslash before a quote makes it a part of the text."),
        (_with_escaped, "\\" in text, "A backslash before a separator makes it a part of the text."),
    ):
        if not is_there:
            continue
        is_even = _are_even(text) if is_even is None else is_even
        are_names = unwrap in _QUOTED_NAMES and _QUOTED_NAMES[unwrap].fullmatch(lines[0])
        has_escapes = unwrap is _with_backslashes
        breaks_off = is_even and has_escapes and _breaks_off(text)
        if (not is_even or are_names or breaks_off) and _are_even(unwrapped := unwrap(text)):
            if breaks_off and _breaks_off(unwrapped):
                continue
            yield Wrapping(unwrap, remark, masked=_without_backslashes if has_escapes else None)


def _with_single_quotes(text: str) -> str:
    return _SINGLE_QUOTED.sub(lambda found: _in_quotes(found[1].replace("''", "'")), text)


def _with_curly_quotes(text: str) -> str:
    return _CURLY_QUOTED.sub(r'"\1"', text)


_QUOTED_NAMES = {_with_single_quotes: _ALL_SINGLE_QUOTED, _with_curly_quotes: _ALL_CURLY_QUOTED}


def _with_backslashes(text: str) -> str:
    return _BACKSLASH.sub(lambda found: '""' if found[1] == '"' else "\\", text)


def _without_backslashes(data: bytes) -> bytes:
    return _BACKSLASH_BYTES.sub(b"  ", data)


def _with_escaped(text: str) -> str:
    r"""Put fields with \, in them into quotes."""
    for sign in _SEPARATORS:
        if "\\" + sign in text:
            cell = rf'(?<![^{sign}\n])(?:[^"{sign}\\\n]|\\[^\n])++(?=[{sign}\n]|$)'
            return re.sub(cell, partial(_without_escapes, sign), text)
    return text


def _without_escapes(sign: str, cell: re.Match[str]) -> str:
    return _in_quotes(re.sub(r"\\(.)", r"\1", cell[0])) if "\\" + sign in cell[0] else cell[0]


def _breaks_off(text: str) -> bool:
    """Whether a quote closes where no field ends."""
    mark = _even_separator(text) or _SEPARATORS[0]
    records = csv.reader(text.split("\n"), delimiter=mark, skipinitialspace=True, strict=True)
    try:
        deque(records, maxlen=0)
    except csv.Error as error:
        return "expected after" in str(error)
    return False


def _are_even(text: str) -> bool:
    """Whether by one of the usual separators all records have as many fields, and more than one."""
    return _even_separator(text) is not None


def _even_separator(text: str) -> str | None:
    """Return that separator; of many lines the last may be in the midst of a record."""
    lines = text.split("\n")
    for separator in _SEPARATORS:
        records = csv.reader(lines, delimiter=separator, skipinitialspace=True)
        try:
            widths = [len(fields) for fields in records if fields]
        except csv.Error:
            continue
        if len(lines) >= MANY_LINES:
            widths = widths[:-1]
        if len(set(widths)) == 1 and widths[0] > 1:
            return separator
    return None
