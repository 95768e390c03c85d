"""The text of a table cut into records: out of what is round its lines, at its separator."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.data.guess import Guess
from workbench.data.text.layout.separators import find_separator
from workbench.data.text.wrappings.aligned import ALIGNED, find_gaps, with_tabs
from workbench.data.text.wrappings.find_wrapping import find_wrapping

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.data.text.layout.record import Record
    from workbench.data.text.layout.start import TableStart
    from workbench.data.text.wrappings.aligned import Gap
    from workbench.data.text.wrappings.base import Wrapping


class CutText(NamedTuple):
    """A text and its records.

    Attributes
    ----------
    body : str
        As it is cut, with lines rewritten.
    records : list of Record
    separator : str
        At which it is cut.
    by : Guess
        Why at this one.
    unwrap, masked : callable, optional
        What rewrites its lines, and hides quotes that are text; see `TextLayout`.
    remark : str
        What is round lines that are rewritten.
    """

    body: str
    records: list[Record]
    separator: str
    by: Guess
    unwrap: Callable[[str], str] | None = None
    masked: Callable[[bytes], bytes] | None = None
    remark: str = ""


def cut_text(start: TableStart, wanted: str | None) -> CutText:
    """Cut what stands below a start, at a wanted separator or the likeliest one."""
    wrapping = _wrapping_of(start.body, wanted)
    if wrapping is None:
        return _cut(start.body, start.separator, wanted)
    cut = _cut(wrapping.unwrap(start.body), wrapping.separator or start.separator, wanted, wrapping.unwrap)
    by = cut.by if wrapping.separator is None else Guess("separator", wrapping.separator, wrapping.remark)
    return cut._replace(by=by, masked=wrapping.masked, remark=wrapping.remark)


def _wrapping_of(text: str, separator: str | None) -> Wrapping | None:
    """Return what is round the lines; nothing where it parts them by another sign than is wanted."""
    found = find_wrapping(text)
    is_other = found is not None and separator not in (None, found.separator or separator)
    return None if is_other else found


def _cut(
    body: str, said: str | None, wanted: str | None, unwrap: Callable[[str], str] | None = None
) -> CutText:
    """Cut a text at a wanted separator, or at the one that is said; aligned columns are parted by tabs."""
    records, by = find_separator(body, wanted or said)
    if said is not None and wanted is None:
        by = Guess("separator", said, "The first line of the file says so.")
    if by.value != ALIGNED:
        return CutText(body, records, by.value, by, unwrap)
    aligned = _aligned(find_gaps(body), unwrap)
    return CutText(aligned(body), records, "\t", by, aligned)


def _aligned(gaps: tuple[Gap, ...], unwrap: Callable[[str], str] | None) -> Callable[[str], str]:
    """Return what writes aligned columns with tabs between them."""
    return lambda text: with_tabs(text if unwrap is None else unwrap(text), gaps)
