"""What is said of the lines below a table: as notes once it is read, as a guess before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.data.guess import Guess
from workbench.data.table import TableNote
from workbench.data.text.blocks.shown_record import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.data.text.layout.footers import Ending


def footer_notes(ending: Ending, *, counted: bool = True) -> Iterator[TableNote]:
    """Say what was left out below a table, and in which line where lines were `counted`."""
    if found := ending.left_out:
        lines = "1 line below the table is" if len(found) == 1 else f"{len(found)} lines below the table are"
        place = f"line {found[0].line}: " if counted else ""
        text = f"{lines} left out ({place}'{shown(found[0].text)}')."
        yield TableNote(text, count=len(found), severity="warning")
    if ending.empty:
        lines = "1 line" if ending.empty == 1 else f"{ending.empty:,} lines"
        text = f"{lines} without a value at the end left out."
        yield TableNote(text, count=ending.empty, severity="warning")
    if (last := ending.doubtful) is not None:
        line = f"Line {last.line}, the last one," if counted else "The last line"
        text = f"{line} may be no row, but is kept: '{shown(last.text)}'."
        yield TableNote(text, count=1, severity="warning")


def footer_guess(ending: Ending | None, *, counted: bool) -> Guess:
    """Explain what is taken for lines below the table; None where the end was not looked at."""
    if ending is None:
        text = "They are seen once all is read; totals and remarks among them are left out then."
        return Guess("footer", None, text)
    reasons = [note.text for note in footer_notes(ending, counted=counted)]
    text = " ".join(reasons) or "No last line looks like a total or a remark."
    return Guess("footer", True if ending.left_out else None, text, doubtful=bool(reasons))
