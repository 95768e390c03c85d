"""How a long table ends, looked at before it is read: in its last bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.data.text.layout.footers import Ending, Footers
from workbench.data.text.stream.compression import is_packed
from workbench.data.text.stream.text_stream import plain_line_ends

if TYPE_CHECKING:
    from workbench.data.readers.source import Source
    from workbench.data.text.layout.layout import TextLayout

TAIL_BYTES = 1 << 16  # that are looked at


def ending_ahead(source: Source, layout: TextLayout, footer: bool | None) -> Ending | None:
    """Look at the end of a file of which only the beginning was read; None where that takes all of it."""
    if is_packed(source.head) or layout.encoding.startswith(("utf-16", "utf-32")):
        return None
    with source.path.open("rb") as file:
        file.seek(max(source.size - TAIL_BYTES, 0))
        tail = file.read(TAIL_BYTES).decode(layout.encoding, "replace").encode()
    lines = plain_line_ends(tail).partition(b"\n")[2].rstrip(b"\n") + b"\n"
    if layout.unwrap is not None:
        lines = layout.unwrap(lines.decode("utf-8", "replace")).encode()
    return Footers.below(layout, footer).ending(lines)
