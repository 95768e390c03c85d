"""What is said of a text table beside its lines: how it is written, and digits that numbers do not keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.readers.options import ENCODINGS
from workbench.data.table import TableNote
from workbench.data.values.columns import LARGEST_EXACT, rounded_note, rounded_texts
from workbench.data.values.labels import Labels
from workbench.data.values.places import Places
from workbench.number_text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.data.table import Column
    from workbench.data.text.layout.layout import TextLayout
    from workbench.data.text.stream.text_stream import TextStream


def rewritten_notes(layout: TextLayout, stream: TextStream) -> Iterator[TableNote]:
    """Say what was round the lines that were rewritten."""
    if remark := layout.remark.rstrip("."):
        lines = stream.rewritten
        text = f"{remark} ({counted(lines.count, 'line')}, first line {lines.first})."
        yield TableNote(text, count=lines.count, severity="warning")


def nul_notes(stream: TextStream) -> Iterator[TableNote]:
    """Say how many NUL bytes were left out, and where the first was."""
    if stream.nul_line:
        count = "1 NUL byte is" if stream.nul_bytes == 1 else f"{stream.nul_bytes:,} NUL bytes are"
        text = f"{count} left out, the first in line {stream.nul_line}, character {stream.nul_place}."
        yield TableNote(text, count=stream.nul_bytes, severity="warning")


def encoding_notes(encoding: str, *, chosen: bool) -> Iterator[TableNote]:
    """Tell an encoding of two or four bytes; that no mark says so, where no person has chosen it."""
    if encoding in ("utf-16", "utf-32"):
        yield TableNote(f"The file is in {encoding.upper()}.")
    elif encoding.startswith(("utf-16", "utf-32")) and not chosen:
        text = f"The file is read as {ENCODINGS[encoding]}, though no mark at its start says so."
        yield TableNote(text, severity="warning")


def digit_notes(column: Column, seen: Sequence[str]) -> list[TableNote]:
    """Say what the text of the first rows shows of digits that numbers do not keep."""
    cells = Labels.of(cell.strip() for cell in seen)
    if not (rounded := rounded_texts(cells.texts)):
        return []
    values = column.values if column.exact is None else column.exact
    places = Places.of(np.abs(values) >= LARGEST_EXACT)  # which 2^53 + 1 becomes
    return [rounded_note(column.name, places, rounded[0])]
