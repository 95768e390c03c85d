"""What a reader is, and how the right one is found for a file."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from workbench.errors import WorkbenchError
from workbench.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.data.table import Table

    Progress = Callable[[int, int], None]
    Cancelled = Callable[[], bool]

HEAD_BYTES = 1 << 19

_FOREIGN = (
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"%PDF", "a PDF document"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook"),
    (b"SQLite format 3", "a database"),
    (b"\x89HDF", "an HDF5 file"),
)


@dataclass(frozen=True)
class Source:
    """A regular file that can be opened: where it is, its size and first bytes, and what it is called."""

    path: Path
    size: int
    head: bytes
    name: str


class Reader(Protocol):
    """Makes a `Table` of a file of one kind.

    Attributes
    ----------
    name : str
    order : int
        Readers are asked in ascending order whether they accept a file.
    """

    name: str
    order: int

    def accepts(self, source: Source) -> bool:
        """Whether this reader is the one for the file."""

    def read(self, source: Source, *, progress: Progress | None, cancelled: Cancelled | None) -> Table:
        """Read the file; may raise WorkbenchError and Cancelled."""


READERS: Registry[Reader] = Registry("reader", "workbench.data.readers")


def read_table(
    path: str | Path, *, progress: Progress | None = None, cancelled: Cancelled | None = None
) -> Table:
    """Read a table from a file.

    Parameters
    ----------
    path : str or Path
    progress : callable (done, total), optional
        Told after each block the rows read so far and the rows expected in all (an estimate from
        the size of the file until the end is reached).
    cancelled : callable () -> bool, optional
        Asked after each block.

    Raises
    ------
    WorkbenchError
        In one line what is wrong with the file, where, and what to do.
    Cancelled
        Where `cancelled` answered yes.
    """
    source = open_source(Path(path))
    for reader in sorted(READERS, key=lambda reader: reader.order):
        if reader.accepts(source):
            return reader.read(source, progress=progress, cancelled=cancelled)
    raise WorkbenchError(_refusal(source))


def open_source(path: Path) -> Source:
    """Look at a file without waiting on pipes or devices."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise WorkbenchError(f"'{path}' is a folder. Choose a file in it.")
        if not stat.S_ISREG(status.st_mode):
            raise WorkbenchError(f"'{path}' is not a regular file. Choose a table, such as a CSV file.")
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except FileNotFoundError:
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


def _refusal(source: Source) -> str:
    for magic, what in _FOREIGN:
        if source.head.startswith(magic):
            return f"'{source.name}' is {what}, which cannot be read here. Save the table as CSV."
    return f"'{source.name}' is not a text table. Save the table as CSV."
