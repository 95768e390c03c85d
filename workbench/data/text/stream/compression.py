"""Files inside gzip, bzip2, xz and zip, as streams of blocks, however much they hold."""

from __future__ import annotations

import bz2
import lzma
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

BLOCK_BYTES = 1 << 22
AFTER_ANOTHER = 1 << 12  # bytes at once, of streams of which one has ended
TABLES = (".csv", ".tsv", ".tab")
PERHAPS_TABLES, RARELY_TABLES = (".data", ".dat"), (".txt",)
ABOUT = ("readme", "read me", "license", "licence", "notes", "changelog", "description")
ZIP_MAGIC = b"PK\x03\x04"
_DOCUMENTS = {  # by a file that each of them holds
    "xl/workbook.bin": "a binary Excel workbook", "word/document.xml": "a Word document",
    "ppt/presentation.xml": "a presentation", "META-INF/manifest.xml": "an OpenDocument file",
}  # fmt: skip


class _Decompressor(Protocol):
    """What bz2 and lzma have in common."""

    @property
    def eof(self) -> bool:
        """Whether the stream has come to its end."""

    @property
    def needs_input(self) -> bool:
        """Whether nothing more comes out before more goes in."""

    @property
    def unused_data(self) -> bytes:
        """What stood behind the end."""

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """Return at most `max_length` bytes."""


class _Gzip:
    """zlib under the names of the other two."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._stream.eof

    @property
    def needs_input(self) -> bool:
        return not self._stream.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._stream.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._stream.decompress(self._stream.unconsumed_tail + data, max_length)


_KINDS: tuple[tuple[bytes, str, Callable[[], _Decompressor]], ...] = (
    (b"\x1f\x8b", "gzip", _Gzip),
    (b"BZh", "bzip2", bz2.BZ2Decompressor),
    (b"\xfd7zXZ\x00", "xz", lzma.LZMADecompressor),
)
_DAMAGE = (zlib.error, OSError, EOFError, lzma.LZMAError, ValueError, IndexError)


def is_packed(head: bytes) -> bool:
    """Whether a file that begins so is compressed."""
    return head.startswith(tuple(magic for magic, _, _ in _KINDS)) or head.startswith(ZIP_MAGIC)


def unpacked_head(path: Path, head: bytes, most: int, part: str | None = None) -> bytes:
    """Return the first bytes as they are inside; b"" where nothing can be unpacked."""
    if not is_packed(head):
        return head
    if head.startswith(ZIP_MAGIC):
        with zip_member(path, part) as stream:
            return _read(stream, most, path.name)
    try:
        return next(iter(unpacked([head], path.name, most)), b"")
    except WorkbenchError:
        return b""


class Head(NamedTuple):
    """The first bytes of a file as it is inside, and whether these are all."""

    data: bytes
    is_whole: bool


def longer_head(
    path: Path, head: bytes, most: int, part: str | None = None, lines: int | None = None
) -> Head:
    """Return up to `most` of the first bytes of a file that begins with `head`, as they are inside.

    With `lines`, no more of them are waited for.
    """
    data, ends = bytearray(), 0
    for chunk in chunks_inside(path, head, part):
        if lines is not None and ends >= lines:
            return Head(bytes(data), is_whole=False)
        data += chunk
        ends += max(chunk.count(b"\n"), chunk.count(b"\r"))
        if len(data) > most:
            return Head(bytes(data[:most]), is_whole=False)
    return Head(bytes(data), is_whole=True)


def unpacked(chunks: Iterable[bytes], name: str, block_bytes: int = BLOCK_BYTES) -> Iterator[bytes]:
    """Undo gzip, bzip2 or xz where the first bytes say so; other bytes pass through.

    A damaged file and one that is cut short raise WorkbenchError.
    """
    streams: _Streams | None = None
    for number, chunk in enumerate(chunks):
        if number == 0:
            found = [(make, kind) for magic, kind, make in _KINDS if chunk.startswith(magic)]
            streams = _Streams(*found[0]) if found else None
        if streams is None:
            yield chunk
            continue
        try:
            yield from streams.take(chunk, block_bytes)
        except _DAMAGE:
            raise WorkbenchError(f"'{name}' is a damaged {streams.kind} file. Copy it again.") from None
    if streams is not None and not streams.complete:
        raise WorkbenchError(f"'{name}' is a {streams.kind} file that is cut short. Copy it again.")


def gathered(pieces: Iterable[bytes], least: int) -> Iterator[bytes]:
    """Join short pieces, so that each but the last has at least so many bytes."""
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= least:
            yield b"".join(held)
            held, size = [], 0
    if held:
        yield b"".join(held)


class _Streams:
    """Compressed streams of one kind, one behind the other."""

    def __init__(self, make: Callable[[], _Decompressor], kind: str) -> None:
        self._make = make
        self._stream = make()
        self.kind = kind

    @property
    def complete(self) -> bool:
        """Whether the last stream has come to its end."""
        return self._stream.eof

    def take(self, chunk: bytes, block_bytes: int) -> Iterator[bytes]:
        """Yield blocks of what comes out, until more must go in."""
        while True:
            if self._stream.eof:
                chunk = (self._stream.unused_data or chunk).lstrip(b"\0")
                if not chunk:
                    return
                self._stream = self._make()
                if len(chunk) > AFTER_ANOTHER:  # what stands behind a stream is copied
                    for begin in range(0, len(chunk), AFTER_ANOTHER):
                        yield from self.take(chunk[begin : begin + AFTER_ANOTHER], block_bytes)
                    return
            if data := self._stream.decompress(chunk, block_bytes):
                yield data
            chunk = b""
            if self._stream.needs_input and not self._stream.eof:
                return


def chunks_inside(path: Path, head: bytes, part: str | None = None) -> Iterator[bytes]:
    """Yield a file that begins with `head` as it is inside: unpacked, or the member of an archive."""
    return zip_chunks(path, part) if head.startswith(ZIP_MAGIC) else unpacked(_chunks(path), path.name)


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(BLOCK_BYTES):
            yield chunk


def zip_members(path: Path) -> tuple[str, ...]:
    """Return the names of the files in a zip archive."""
    try:
        with zipfile.ZipFile(path) as archive:
            return tuple(i.filename for i in _files(archive))
    except (zipfile.BadZipFile, NotImplementedError, *_DAMAGE):
        raise WorkbenchError(f"'{path.name}' is a damaged zip file. Copy it again.") from None


def zip_member(path: Path, part: str | None = None) -> Any:
    """Open the one table in a zip archive, or the named one; WorkbenchError where it is not one."""
    try:
        archive = zipfile.ZipFile(path)
        part = part or _main(archive)
        files = [i for i in _files(archive) if part in (None, i.filename)]
        if len(files) != 1:
            raise WorkbenchError(_not_one(path, [info.filename for info in _files(archive)], part))
        return archive.open(files[0])
    except (zipfile.BadZipFile, *_DAMAGE):
        raise WorkbenchError(f"'{path.name}' is a damaged zip file. Copy it again.") from None
    except NotImplementedError:
        words = "is a zip file packed or encrypted in a way that is not known here"
        raise WorkbenchError(f"'{path.name}' {words}. Unpack it first.") from None
    except RuntimeError:
        raise WorkbenchError(f"'{path.name}' is an encrypted zip file. Unpack it first.") from None


def main_member(path: Path) -> str | None:
    """Return the one file of an archive that is called a table; None where there are none or several."""
    with zipfile.ZipFile(path) as archive:
        return _main(archive)


def likeliest_member(path: Path) -> str | None:
    """Return the file of an archive that looks most like a table: by its ending, then by its size."""
    with zipfile.ZipFile(path) as archive:
        files = _files(archive)
    return max(files, key=_likeness).filename if files else None


def _likeness(info: zipfile.ZipInfo) -> tuple[int, int]:
    name = PurePosixPath(info.filename.lower())
    endings = (RARELY_TABLES, PERHAPS_TABLES, TABLES)
    rank = next((place for place, known in enumerate(endings, start=1) if name.suffix in known), 0)
    return (0 if name.stem.startswith(ABOUT) else rank), info.file_size


def _main(archive: zipfile.ZipFile) -> str | None:
    tables = [info.filename for info in _files(archive) if info.filename.lower().endswith(TABLES)]
    return tables[0] if len(tables) == 1 else None


def zip_size(path: Path, part: str | None = None) -> int:
    """Return how many bytes the archive says that its one table, or the named one, has."""
    with zip_member(path, part) as stream, zipfile.ZipFile(path) as archive:
        return archive.getinfo(stream.name).file_size


def zip_chunks(
    path: Path, part: str | None = None, block_bytes: int = BLOCK_BYTES
) -> Iterator[bytes]:  # fmt: skip
    """Yield the one table in a zip archive, or the named one."""
    with zip_member(path, part) as stream:
        while data := _read(stream, block_bytes, path.name):
            yield data


def _read(stream: Any, most: int, name: str) -> bytes:
    try:
        return bytes(stream.read(most))
    except (zipfile.BadZipFile, *_DAMAGE):
        raise WorkbenchError(f"'{name}' is a damaged zip file. Copy it again.") from None


def _files(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    what = next((what for name, what in _DOCUMENTS.items() if name in archive.NameToInfo), None)
    if what is not None:
        name = Path(str(archive.filename)).name
        raise WorkbenchError(f"'{name}' is {what}, which cannot be read here. Save the table as CSV.")
    return [info for info in archive.infolist() if not info.is_dir() and not _is_hidden(info.filename)]


def _is_hidden(name: str) -> bool:
    return name.startswith("__MACOSX/") or name.rsplit("/", 1)[-1].startswith(".")


def _not_one(path: Path, names: list[str], part: str | None) -> str:
    if not names:
        return f"'{path.name}' is a zip file without a table in it. Choose another file."
    shown = ", ".join(f"'{name}'" for name in names[:5]) + (", …" if len(names) > 5 else "")
    if part is not None:
        return f"'{path.name}' has no table '{part}'. It holds {shown}."
    how = "Choose one: on the command line with --sheet NAME."
    return f"'{path.name}' holds {len(names)} files ({shown}). {how}"
