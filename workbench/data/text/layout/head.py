"""The first bytes of a text table, in which its layout is looked for."""

from __future__ import annotations

from workbench.data.text.stream.text_encoding import SNIFF_BYTES, to_utf8
from workbench.data.text.stream.text_stream import plain_line_ends
from workbench.errors import WorkbenchError

FEWEST_LINES = 3  # in the bytes that are looked at; where lines are long, these are more


class NoWholeRow(WorkbenchError):
    """No row ends in the bytes that were looked at; more of them may tell."""


def with_lines(head: bytes, most: int) -> int:
    """Return `most`, or the length of the head where fewer than `FEWEST_LINES` lines end in so many bytes."""
    return most if has_lines(head[:most]) else max(len(head), most)


def has_lines(head: bytes) -> bool:
    """Whether at least `FEWEST_LINES` lines end in these bytes."""
    return max(head.count(b"\n"), head.count(b"\r")) >= FEWEST_LINES


def head_text(head: bytes, encoding: str, *, whole: bool) -> str:
    """Return the text of the first bytes, up to the last line end where the file goes on."""
    head = head if whole else head[: with_lines(head, SNIFF_BYTES)]
    plain = b"".join(to_utf8([head], encoding)).replace(b"\0", b"")
    text = plain_line_ends(plain).decode("utf-8", "replace").removeprefix("\ufeff")
    text = text.replace("\n\ufeff", "\n").removesuffix("\x1a")
    return text if whole or "\n" not in text else text[: text.rindex("\n") + 1]
