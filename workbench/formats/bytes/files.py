"""Whole files, in and out: a write happens completely or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from workbench.errors import OutputError, WorkbenchError
from workbench.formats.bytes.draft import DraftFile
from workbench.memory import ask_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from _typeshed import ReadableBuffer as Buffer

LARGEST_FILE = 1 << 31
SEPARATORS = tuple(filter(None, (os.sep, os.altsep)))
WHAT_TO_DO = {
    errno.ENOSPC: " Make room, and try again.", errno.EDQUOT: " Make room, and try again.",
    errno.EROFS: " Choose another folder.", errno.EACCES: " Choose another folder.",
}  # fmt: skip
AS_OBJECTS = 8  # bytes of memory to a byte of a model file, as text and parsed


def atomic_write(path: str | Path, data: bytes, *, lasting: bool = False) -> None:
    """Write `data` to `path`; on failure the former file stays as it was.

    The bytes go to a draft in the same folder, are forced to the disk, and take the place of the former
    file by one rename. That a power cut does not undo the rename costs as long again: `lasting`.
    """
    with atomic_stream(path, lasting=lasting) as sink:
        sink.write(data)


@contextlib.contextmanager
def atomic_stream(path: str | Path, *, lasting: bool = False) -> Iterator[Sink]:
    """Write a file bit by bit, as `atomic_write` does; where the block is left by an error nothing stays."""
    target, draft = Path(path), None
    stream: BinaryIO | None = None
    try:
        with _failures_told(path):
            former = _check_names_a_file(path, target)
            if former is not None and not stat.S_ISREG(former):  # a rename would destroy a pipe or a device
                stream = _opened(target)
            else:
                draft = DraftFile(target.resolve() if target.is_symlink() else target)
                stream = draft.stream
        yield Sink(stream, path)
        with _failures_told(path):
            stream.close() if draft is None else draft.keep(lasting=lasting)
    finally:
        if draft is not None:
            draft.discard()
        elif stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


class Sink:
    """Where the bytes of a file go; a full disk is said in one line."""

    closed = False

    def __init__(self, stream: BinaryIO, path: str | Path) -> None:
        self._stream = stream
        self._path = path

    def write(self, data: Buffer) -> int:
        """Write bytes, all of them."""
        with _failures_told(self._path):
            return self._stream.write(data)

    def flush(self) -> None:
        """Nothing is forced out before the end."""

    def close(self) -> None:
        """The file is closed by whoever opened it."""


@contextlib.contextmanager
def _failures_told(path: str | Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, RuntimeError) as error:
        raise _unwritten(path, error) from error


def check_writable(path: str | Path) -> None:
    """Refuse a path that `atomic_write` could not write to, before the work whose result goes there."""
    try:
        target = Path(path).resolve()
        former = _check_names_a_file(path, target)
        if former is None or stat.S_ISREG(former):
            DraftFile(target).discard()
    except (OSError, ValueError, RuntimeError) as error:
        raise _unwritten(path, error) from error


def _check_names_a_file(path: str | Path, target: Path) -> int | None:
    """Refuse a folder, and what ends as the name of one, which `Path` takes for a file's: `target`.

    Returns the mode of what is there.
    """
    mode = None
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        mode = target.stat().st_mode
    if mode is not None and stat.S_ISDIR(mode):
        raise WorkbenchError(f"Cannot write {path}: it is a folder. Give a file name.")
    if str(path).endswith(SEPARATORS):
        raise WorkbenchError(f"Cannot write {path}: it ends as a folder does. Give a file name.")
    return mode


def check_spares(path: str | Path, *sources: str | Path) -> None:
    """Refuse to write in the place of a file that is read, or into a folder that is read as a table."""
    for source in map(Path, sources):
        with _failures_told(path):
            target = Path(path).resolve()
            is_in = target.parent == source.resolve()
            are_there = target.exists() and source.exists()
            is_it = target == source.resolve() or (are_there and target.samefile(source))
        if is_in:
            raise WorkbenchError(f"Cannot write {path}: the folder is read as a table. Give another one.")
        if is_it:
            raise WorkbenchError(f"Cannot write {path}: that file is read. Give another name.")


def read_bytes(path: str | Path) -> bytes:
    """Return the bytes of a file, or say why it cannot be read."""
    try:
        status = Path(path).stat()
        if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
            raise WorkbenchError(f"Cannot read {path}: it is not a regular file.")
        if status.st_size > LARGEST_FILE:
            raise WorkbenchError(f"Cannot read {path}: it is larger than {LARGEST_FILE >> 30} GB.")
        ask_for(AS_OBJECTS * status.st_size, Path(path).name, "a model as it is read")
        return Path(path).read_bytes() if status.st_size else b""  # below /proc reading might wait for ever
    except (OSError, ValueError) as error:
        raise WorkbenchError(f"Cannot read {path}: {_reason(error, Path(path))}.") from error


def make_folder(folder: Path) -> None:
    """Make a folder of the program's own, and those above it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"Cannot make the folder {folder}: {_reason(error, folder)}.") from error


def _opened(target: Path) -> BinaryIO:
    """Open what is no file; nobody waits for a pipe that is not read."""
    if not target.is_fifo():
        return target.open("wb")
    try:
        descriptor = os.open(target, os.O_WRONLY | os.O_NONBLOCK)
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        words = f"Cannot write {target}: nobody reads from that pipe. Start its reader first."
        raise OutputError(words) from error
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, "wb")


def _unwritten(path: str | Path, error: Exception) -> WorkbenchError:
    """Say why; a name that cannot be is bad input, a full disk is not."""
    target = Path(path)
    bad_name = not isinstance(error, OSError) or not target.parent.is_dir()
    kind = WorkbenchError if bad_name else OutputError
    advice = WHAT_TO_DO.get(getattr(error, "errno", None) or 0, "")
    return kind(f"Cannot write {path}: {_reason(error, target)}.{advice}")


def _reason(error: Exception, path: Path) -> str:
    if isinstance(error, OSError) and error.strerror:
        if isinstance(error, FileNotFoundError) and not path.parent.is_dir():
            return f"there is no folder {path.parent}"
        return error.strerror[0].lower() + error.strerror[1:]
    return str(error)
