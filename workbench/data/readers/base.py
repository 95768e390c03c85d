"""What a reader is, and how the right one is found for a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from workbench.data.readers.options import GUESS_ALL
from workbench.data.readers.source import Source, foreign_kind
from workbench.errors import WorkbenchError
from workbench.registry import Registry

if TYPE_CHECKING:
    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.source import Cancelled, Progress
    from workbench.data.table import Table

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


def _refusal(source: Source) -> str:
    what = foreign_kind(source.head) or _FOREIGN_NAMES.get(source.path.suffix.lower())
    if what is not None:
        return f"'{source.name}' is {what}, which cannot be read here. Save the table as CSV."
    return f"'{source.name}' is not a text table. Save the table as CSV."
