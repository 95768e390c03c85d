"""What a reader is, and how the right one is found for a file."""

from __future__ import annotations

import errno
import stat
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from workbench.data.readers.options import CELL_OPTIONS, GUESS_ALL
from workbench.errors import OutputError, WorkbenchError
from workbench.paths import is_folder
from workbench.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.data.readers.options import ReadOptions
    from workbench.data.table import Table

    Progress = Callable[[int, int], None]
    Cancelled = Callable[[], bool]

HEAD_BYTES = 1 << 19
TAR_PLACE = 257  # of its mark
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
_FOREIGN_NAMES = {
    ".dta": "a file of Stata", ".sas7bdat": "a file of SAS", ".sav": "a file of SPSS", ".rds": "a file of R",
    ".rda": "a file of R", ".rdata": "a file of R", ".pkl": "a pickle", ".pickle": "a pickle",
    ".npy": "an array of NumPy", ".mat": "a file of MATLAB",
}  # fmt: skip

_OPTION_WORDS = {
    "separator": "separator", "encoding": "choice of encoding", "decimal": "decimal sign",
    "header": "choice of header", "missing": "missing codes", "usual_missing": "missing codes",
    "units": "lines of units", "first_line": "titles above it", "footer": "footers",
    "dates": "order of dates", "part": "sheets", "merged": "merged cells", "sample_rows": "samples of rows",
    "sample_share": "samples of rows", "map_folder": "way to be kept on disk",
    "unpacks_all": "packed text",
}  # fmt: skip


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
    kind : str
        What such a file is called: "a Parquet file".
    uses : frozenset of str
        The options it knows; every kind of file knows `kinds`.
    """

    name: str
    order: int
    kind: str
    uses: frozenset[str]

    def accepts(self, source: Source) -> bool:
        """Whether this reader is the one for the file."""

    def read(
        self, source: Source, options: ReadOptions = GUESS_ALL, *, progress: Progress | None,
        cancelled: Cancelled | None,
    ) -> Table:  # fmt: skip
        """Read the file; may raise WorkbenchError and Cancelled."""


READERS: Registry[Reader] = Registry("reader", "workbench.data.readers")


def read_table(
    path: str | Path, *, options: ReadOptions = GUESS_ALL, progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Table:  # fmt: skip
    """Read a table from a file, or from the text tables of a folder.

    Parameters
    ----------
    path : str or Path
    options : ReadOptions, optional
        What is settled; the rest is guessed.
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
    with trouble_said(Path(path)):
        if Path(path).is_dir():
            from workbench.data.readers.folder import read_folder

            return _settled(read_folder(Path(path), options, progress, cancelled), options)
        source = open_source(Path(path))
        reader = reader_for(source, options)
        return _settled(reader.read(source, options, progress=progress, cancelled=cancelled), options)


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


def reader_for(source: Source, options: ReadOptions = GUESS_ALL) -> Reader:
    """Return the reader of a file; WorkbenchError where there is none, or none that knows the options."""
    found = (r for r in sorted(READERS, key=lambda reader: reader.order) if r.accepts(source))
    reader = next(found, READERS.get("delimited") if options.encoding else None)
    if reader is None:
        raise WorkbenchError(_refusal(source))
    unknown = [name for name in options.chosen if name not in reader.uses | {"kinds"}]
    if unknown:
        words = " or ".join(dict.fromkeys(_OPTION_WORDS[name] for name in unknown))
        raise WorkbenchError(f"'{source.name}' is {reader.kind}, which has no {words}. Leave that out.")
    return reader


def can_be_mapped(path: str | Path, options: ReadOptions) -> bool:
    """Whether the table of a file, or of a folder, can be kept on disk."""
    return is_folder(path) or "map_folder" in reader_for(open_source(Path(path)), options).uses


def _settled(table: Table, options: ReadOptions) -> Table:
    return replace(with_kinds(table, options), settled=options.of_cells)


def knows_cells(path: str | Path) -> bool:
    """Whether cells of a file, or of a folder, can be read in several ways."""
    return is_folder(path) or reader_for(open_source(Path(path))).uses >= CELL_OPTIONS


def with_kinds(table: Table, options: ReadOptions) -> Table:
    """Give columns the kinds that are wanted."""
    from workbench.data.column_types import change_kind

    for name, kind in options.kinds:
        column, notes = change_kind(table.column(name), kind, options.cell_rules)
        table = replace(table.with_column(column), notes=(*table.notes, *notes))
    return table


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


def _refusal(source: Source) -> str:
    what = foreign_kind(source.head) or _FOREIGN_NAMES.get(source.path.suffix.lower())
    if what is not None:
        return f"'{source.name}' is {what}, which cannot be read here. Save the table as CSV."
    return f"'{source.name}' is not a text table. Save the table as CSV."
