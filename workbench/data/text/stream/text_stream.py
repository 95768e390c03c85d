"""A text file as blocks of whole records: unzipped, in UTF-8, with plain line ends."""

from __future__ import annotations

import codecs
import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from workbench.data.text.blocks.line_tally import LineTally
from workbench.data.text.layout.open_quote import OpenQuote
from workbench.data.text.stream.compression import (
    BLOCK_BYTES,
    ZIP_MAGIC,
    gathered,
    is_packed,
    unpacked,
    zip_chunks,
    zip_size,
)
from workbench.data.text.stream.records import RecordCutter, count_lines
from workbench.data.text.stream.text_encoding import to_utf8
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

RECORD_BYTES = 1 << 26
LONGEST_MAGIC = 8  # bytes by which a packed file is known
PIECES, LEAST_PIECE = 64, 1 << 12  # of a packed file, so that it is seen how much was read of it
LEAST_AHEAD = 1 << 16  # bytes; a thread takes longer to begin than fewer are hashed
NEAR = 1 << 16  # bytes in which a line mostly ends
PACKED = 16  # times so much comes out of a piece, at most, as a rule
END_OF_FILE = b"\x1a"  # behind the last line, as DOS had it
_CONTINUING = bytes(range(0x80, 0xC0))  # bytes of UTF-8 that begin no character
_MARK_WITHIN = b"\n" + codecs.BOM_UTF8  # where files were joined


class NotUtf8(Exception):
    """Bytes that are not UTF-8: the block they stand in, and the line of the first."""

    def __init__(self, block: bytes, line: int) -> None:
        super().__init__(line)
        self.block = block
        self.line = line


class TextStream:
    """The text of a file, block by block, and what was noticed on the way.

    Parameters
    ----------
    path : Path
    encoding : str
        Python's name of the encoding; "utf-8" is checked, not decoded.
    separator : str
        The one-byte separator of fields; a record ends at a line end outside quotes.
    block_bytes : int
    part : str, optional
        The member of a zip archive.
    unwrap : callable (str) to str, optional
        Rewrites the lines of blocks, as of aligned columns, one for one.
    masked : callable (bytes) to bytes, optional
        Hides quotes that are text, byte for byte, where records are cut.
    most : int, optional
        End after the complete records in this many bytes of text.

    Attributes
    ----------
    share : float
        Of the file, about, in the blocks given out.
    sha256 : str
        Hash of the file, complete when the last block is out.
    nul_bytes : int
        NUL bytes left out.
    nul_line, nul_place : int
        Line of the first of them, and which character of the line it is; both from 1, once its block is out.
    lines : int
        Lines in the blocks given out before the last.
    block_lines : int
        Lines in the block given out last.
    is_cut : bool
        Whether there was more than `most`.
    rewritten : LineTally
        Lines that `unwrap` changed.
    emptied : list of int
        Lines of the block given out last, of which `unwrap` left nothing.
    """

    def __init__(
        self, path: Path, encoding: str, separator: str, block_bytes: int = BLOCK_BYTES, *,
        part: str | None = None, most: int | None = None, unwrap: Callable[[str], str] | None = None,
        masked: Callable[[bytes], bytes] | None = None,
    ) -> None:  # fmt: skip
        self._path = path
        self._encoding = encoding
        self._separator = separator
        self._block_bytes = block_bytes if most is None else min(block_bytes, most)
        self._part = part
        self._unwrap = unwrap
        self._masked = masked
        self._most = most
        self.is_cut = False
        self._hash = hashlib.sha256()
        self.share = 0.0
        self.nul_bytes = 0
        self.nul_line = self.nul_place = 0
        self._nul_at = -1  # bytes before the first, until its place is known
        self._plain_bytes = self._given = 0  # with plain line ends, and in the blocks given out
        self.lines = self.block_lines = 0
        self.rewritten = LineTally()
        self.emptied: list[int] = []

    @property
    def sha256(self) -> str:
        """Hash of what was read so far."""
        return self._hash.hexdigest()

    def __iter__(self) -> Iterator[bytes]:
        """Yield blocks, each ending with a line end; raise NotUtf8, where it is not, or OpenQuote."""
        chunks = self._beginning(self._plain(to_utf8(self._unpacked(), self._encoding)))
        for block in self._records(self._ended(chunks)):
            if 0 <= self._nul_at - self._given <= len(block):
                self._find_nul(block)
            if self._encoding == "utf-8" and not block.isascii():
                self._check(block)
            self.block_lines = count_lines(block)
            yield block if self._unwrap is None else self._unwrapped(block.decode("utf-8", "replace"))
            self.lines += self.block_lines
            self._given += len(block)
        if self._nul_at >= 0 and not self.is_cut:
            self._find_nul(b"")

    def _unwrapped(self, text: str) -> bytes:
        """Rewrite the lines of a block, and count those that are others then."""
        assert self._unwrap is not None
        plain = self._unwrap(text)
        pairs = zip(text.split("\n"), plain.split("\n"), strict=False)
        numbered = enumerate(pairs, start=self.lines + 1)
        changed = [(line, before, after) for line, (before, after) in numbered if before != after]
        if changed:
            self.rewritten.add(changed[0][0], len(changed))
        self.emptied = [line for line, before, after in changed if before.strip() and not after.strip()]
        return plain.encode()

    def _records(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Cut a stream at line ends that stand outside quotes."""
        cutter = RecordCutter(self._separator, self._masked)
        held = b""
        for chunk in chunks:
            if b'"' in chunk or b'"' in held or b"\n" not in chunk:
                chunk, held = held + chunk, b""
            end = cutter.end(chunk)
            if end:
                is_whole = not held and end == len(chunk)
                yield chunk if is_whole else b"".join((held, memoryview(chunk)[:end]))  # copied once
            held = chunk[end:]
            if len(held) > RECORD_BYTES:
                raise OpenQuote(held, self.lines + 1, RECORD_BYTES >> 20)
        if self.is_cut:
            return
        if held and not held.endswith(b"\n"):
            held += b"\n"
        end = cutter.end(held)
        if end < len(held):
            line = self.lines + held.count(b"\n", 0, end) + 1
            raise OpenQuote(held[end:], line)
        if held:
            yield held

    def _ended(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """End the last line, which so stands in one block with those before it; only short chunks wait."""
        held = b""
        for chunk in filter(None, chunks):
            if held:
                yield held
            held = chunk if len(chunk) < self._block_bytes else b""
            if not held:
                yield chunk
        held = held if self.is_cut else held.removesuffix(END_OF_FILE)
        if held:
            yield held if self.is_cut or held.endswith(b"\n") else held + b"\n"

    def _beginning(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield as much as is wanted."""
        given = 0
        for chunk in chunks:
            if self._most is not None and given + len(chunk) > self._most:
                self.is_cut = True
                yield chunk[: self._most - given]
                return
            given += len(chunk)
            yield chunk

    def _check(self, block: bytes) -> None:
        try:
            block.decode("utf-8")
        except UnicodeDecodeError as error:
            line = self.lines + block.count(b"\n", 0, error.start) + 1
            raise NotUtf8(block, line) from None

    def _unpacked(self) -> Iterator[bytes]:
        with _opened(self._path) as file:
            start, size = file.read(LONGEST_MAGIC), _state(file)[0]
        if start.startswith(ZIP_MAGIC):
            yield from self._of_zip()
        elif is_packed(start):
            piece = min(max(size // PIECES, LEAST_PIECE), self._block_bytes // PACKED)
            pieces = unpacked(self._raw(piece), self._path.name, self._block_bytes)
            yield from gathered(pieces, self._block_bytes)
        else:
            yield from self._raw(self._block_bytes, to_line_end=self._block_bytes > NEAR)

    def _of_zip(self) -> Iterator[bytes]:
        if self._most is None:
            for _ in self._raw(self._block_bytes):  # the index of a zip stands at its end
                pass
        given, size = 0, zip_size(self._path, self._part)
        for chunk in zip_chunks(self._path, self._part, self._block_bytes):
            given += len(chunk)
            self.share = given / max(given, size)
            yield chunk

    def _raw(self, piece: int, *, to_line_end: bool = False) -> Iterator[bytes]:
        """Yield the file as it lies on the disk, in pieces; if wanted, each to a line end that is near."""
        read = 0
        with ThreadPoolExecutor(1, thread_name_prefix="hash") as lane, _opened(self._path) as file:
            before = _state(file)
            while read <= before[0]:  # what grows may have no end
                chunk = file.read(piece + (_to_line_end(file, read + piece) if to_line_end else 0))
                if not chunk:
                    break
                hashed = None
                if len(chunk) < LEAST_AHEAD:
                    self._hash.update(chunk)
                else:
                    hashed = lane.submit(self._hash.update, chunk)  # while the chunk is cut
                read += len(chunk)
                self.share = min(1.0, read / max(before[0], 1))
                yield chunk
                if hashed is not None:
                    hashed.result()
            if _state(file) != before or read != before[0]:
                name = self._path.name
                raise WorkbenchError(f"'{name}' changed while it was read. Read it again when it is whole.")

    def _plain(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        held = b""
        for chunk in chunks:
            data = held + chunk if held else chunk
            held = b"\r" if data.endswith(b"\r") else b""
            data = data[: len(data) - len(held)]
            plain = plain_line_ends(data)
            if _MARK_WITHIN[1] in plain:  # one byte is sought a hundred times faster
                plain = plain.replace(_MARK_WITHIN, b"\n")
            if b"\0" in plain:
                plain = self._without_nul(plain)
            self._plain_bytes += len(plain)
            yield plain
        if held:
            yield b"\n"

    def _without_nul(self, text: bytes) -> bytes:
        """Count the NUL bytes, remember how much stands before the first, and leave them out."""
        if not self.nul_bytes:
            self._nul_at = self._plain_bytes + text.index(b"\0")
        self.nul_bytes += text.count(b"\0")
        return text.replace(b"\0", b"")

    def _find_nul(self, block: bytes) -> None:
        """Find in which line of a block, or behind it, the first NUL stood."""
        before = block[: self._nul_at - self._given]
        begun = before[before.rfind(b"\n") + 1 :]
        self.nul_line = self.lines + before.count(b"\n") + 1
        self.nul_place = len(begun.translate(None, _CONTINUING)) + 1
        self._nul_at = -1


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise WorkbenchError(
            f"'{path.name}' could not be read to its end: {error.strerror or 'unknown reason'}. Check that "
            "it is still there, and the disk."
        ) from None


def _state(file: IO[bytes]) -> tuple[int, int]:
    """Return size and time of the last change."""
    status = os.fstat(file.fileno())
    return status.st_size, status.st_mtime_ns


def _to_line_end(file: IO[bytes], place: int) -> int:
    """Return how many bytes behind a place of a file the next line end is, 0 where none is near."""
    before = file.tell()
    file.seek(place)
    near = file.read(NEAR).find(b"\n") + 1
    file.seek(before)
    return near


def plain_line_ends(data: bytes) -> bytes:
    """Write every line end as one newline."""
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data
