"""The encoding of a text: found from its first bytes, and written anew as UTF-8."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from workbench.data.text.layout.separators import CONTROL_SEPARATORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SNIFF_BYTES = 1 << 17  # by which a text is judged
_PAIRED = 0.2  # of the bytes at even or odd places: so many NULs in text of two bytes a character
_MARKS = {  # the longer ones first, which begin as the others
    "utf-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
    "utf-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
}
_WIDE_JSON = re.compile(  # its first two characters are ASCII
    rb'(?P<utf_32_le>[{\[]\0{3}[\s"{}]\0{3})|(?P<utf_32_be>\0{3}[{\[]\0{3}[\s"{}])'
    rb'|(?P<utf_16_le>[{\[]\0[\s"{}]\0)|(?P<utf_16_be>\0[{\[]\0[\s"{}])'
)
_WIDER = {"shift_jis": "cp932"}  # as Windows writes it, with ① and ㈱
_WITHIN_CELLS = b"\x02\x03"  # of Hive, which parts lists and maps by them
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\v\x1a\x1b")) + b"\x7f"


def find_encoding(head: bytes) -> str | None:
    """Return the encoding that the first bytes show, or None where they are not text."""
    marked = next((encoding for encoding, marks in _MARKS.items() if head.startswith(marks)), None)
    if marked is not None:
        return marked
    if (json := _WIDE_JSON.match(head)) is not None:
        return json.lastgroup and json.lastgroup.replace("_", "-")
    if head.startswith(codecs.BOM_UTF8) or _is_text(head):
        return "utf-8"
    return _unmarked_utf16(head[:SNIFF_BYTES]) or ("utf-8" if _is_padded(head) else None)


def _is_text(data: bytes) -> bool:
    data = data.rstrip(b"\0")
    nul = data.count(0)
    for mark in map(str.encode, CONTROL_SEPARATORS):
        if data.count(mark) >= data.count(b"\n") > 0:
            data = data.translate(None, mark + _WITHIN_CELLS)
    controls = len(data) - len(data.translate(None, _CONTROLS)) - nul
    return controls <= 0.01 * len(data) + 1 and nul <= 0.1 * len(data) + 1


def _is_padded(head: bytes) -> bool:
    """Whether nothing but NUL bytes keeps it from being text: fields are filled up with them."""
    text = head.replace(b"\0", b"")
    is_plain = b"\n" in text and len(text.translate(None, _CONTROLS)) == len(text)
    return is_plain and text.decode("utf-8", "replace").count("\ufffd") <= 1


def _unmarked_utf16(head: bytes) -> str | None:
    """Return UTF-16 without a mark where every second byte may be NUL and the characters make text."""
    head = head[: len(head) // 2 * 2]
    first, second = head[::2].count(0), head[1::2].count(0)
    if max(first, second) < _PAIRED * len(head) / 2 or 4 * min(first, second) > max(first, second):
        return None
    encoding = "utf-16-be" if first > second else "utf-16-le"
    text = head.decode(encoding, "replace").encode("utf-8", "replace")
    return encoding if _is_text(text) and text.count(b"\xef\xbf\xbd") <= 1 else None


def to_utf8(chunks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Write any encoding as UTF-8 without a byte order mark; UTF-8 itself passes through."""
    if encoding == "utf-8":
        for number, chunk in enumerate(chunks):
            yield chunk.removeprefix(codecs.BOM_UTF8) if number == 0 else chunk
        return
    decoder: codecs.IncrementalDecoder | None = None
    for chunk in chunks:
        decoder = decoder or _decoder(encoding, chunk)
        yield decoder.decode(chunk).encode("utf-8", "replace")
    if decoder is not None:
        yield decoder.decode(b"", final=True).encode("utf-8", "replace")


def _decoder(encoding: str, first: bytes) -> codecs.IncrementalDecoder:
    """Make a decoder; without a mark, what should have one is taken for little-endian."""
    name = codecs.lookup(_WIDER.get(encoding, encoding)).name
    if name in _MARKS and not first.startswith(_MARKS[name]):
        name += "-le"
    return codecs.getincrementaldecoder(name)("replace")
