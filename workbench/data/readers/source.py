"""The file that a reader reads: where it is, its first bytes, and trouble with it in words."""

from __future__ import annotations

import errno
import re
import stat
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.errors import OutputError, WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Progress = Callable[[int, int], None]
    Cancelled = Callable[[], bool]

HEAD_BYTES = 1 << 19
TAR_PLACE = 257  # of its mark
ADDRESS = re.compile(r"(\w[\w+.-]+):/+(?=\w)")  # as a path keeps it; a drive has one letter
BY_A_CLUSTER = (
    "the workers of a cluster read it: train and predict with --cluster local, say, or take File › Open on a "
    "cluster… in the window"
)
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG)
_FOREIGN = (
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"%PDF", "a PDF document"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook"),
    (b"SQLite format 3", "a database"),
    (b"\x89HDF", "an HDF5 file"),
    (b"ORC", "an ORC file"),
    (b"\x93NUMPY", "an array of NumPy"),
    (b"$FL2", "a file of SPSS"),
    (b"<stata_dta>", "a file of Stata"),
    (b"\x28\xb5\x2f\xfd", "a file packed by Zstandard"),
    (b"7z\xbc\xaf\x27\x1c", "an archive of 7-Zip"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"Rar!", "an archive of RAR"),
)


@dataclass(frozen=True)
class Source:
    """A regular file that can be opened: where it is, its size and first bytes, and what it is called."""

    path: Path
    size: int
    head: bytes
    name: str


@contextmanager
def trouble_said(path: Path) -> Iterator[None]:
    """Say in one line that the disk, the network or the memory gave out while a file was read."""
    try:
        yield
    except MemoryError as error:
        words = f"'{path.name}' needs more memory than is free. Close other programs."
        raise WorkbenchError(words) from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        if error.errno in _NO_ROOM:
            where = f"the folder for temporary files, {tempfile.gettempdir()}"
            raise OutputError(f"'{path.name}' needs room in {where}: {reason}. Make some there.") from error
        raise WorkbenchError(f"'{path}' cannot be read: {reason}. Check the name and the disk.") from error


def open_source(path: Path) -> Source:
    """Look at a file without waiting on pipes or devices."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise WorkbenchError(f"'{path}' is a folder. Choose a file in it.")
        if not stat.S_ISREG(status.st_mode):
            raise WorkbenchError(f"'{path}' is not a regular file. Choose a table, such as a CSV file.")
        head = b""
        if status.st_size:  # of what the system makes up, as below /proc, reading might wait for ever
            with path.open("rb") as file:
                head = file.read(HEAD_BYTES)
    except FileNotFoundError:
        if ADDRESS.match(str(path)):
            address = ADDRESS.sub(r"\1://", str(path), count=1)
            raise WorkbenchError(f"'{address}' is an address; {BY_A_CLUSTER}.") from None
        raise WorkbenchError(f"There is no file '{path}'. Check the name and the folder.") from None
    except PermissionError:
        raise WorkbenchError(f"'{path}' may not be read. Change its permissions or copy it.") from None
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise WorkbenchError(f"'{path}' cannot be read: {reason}. Check the name and the disk.") from None
    except ValueError:
        raise WorkbenchError(f"{str(path)!r} is not a file name. Check it.") from None
    if not head:
        raise WorkbenchError(f"'{path.name}' is empty. Choose a file with a table in it.")
    return Source(path, status.st_size, head, path.name)


def missing_package(source: Source, what: str, package: str) -> WorkbenchError:
    """Say which package reads such a file."""
    return WorkbenchError(
        f"'{source.name}' is {what}; reading it needs the package {package}. Install it with: "
        f"pip install {package}"
    )


def foreign_kind(head: bytes) -> str | None:
    """Return what a file is called that begins so and holds no table that can be read."""
    if head[TAR_PLACE:].startswith(b"ustar"):
        return "an archive of tar"
    return next((what for magic, what in _FOREIGN if head.startswith(magic)), None)
