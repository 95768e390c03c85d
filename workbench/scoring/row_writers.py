"""What writes scored rows to a file, chunk by chunk, and which kinds of file there are."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Protocol

from workbench.errors import WorkbenchError
from workbench.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.formats.bytes.files import Sink
    from workbench.scoring.scorer import OutColumn


class RowsFile(Protocol):
    """A file that is being written."""

    def write(self, columns: Mapping[str, OutColumn]) -> None:
        """Append rows; the columns are the same each time."""

    def close(self) -> None:
        """Write what stands at the end of such a file."""


class RowWriter(Protocol):
    """One kind of file.

    Attributes
    ----------
    name, label : str
        On the command line, and in file dialogs.
    suffixes : tuple of str
        With the dot, in small letters.
    """

    name: str
    label: str
    suffixes: tuple[str, ...]

    def open(self, sink: Sink, *, neutralise: bool) -> RowsFile:
        """Begin a file; with `neutralise` no cell is a formula for a spreadsheet."""


ROW_WRITERS: Registry[Any] = Registry("kind of scored file", "workbench.scoring")


def writer_for(path: str | PurePath) -> RowWriter:
    """Return the writer that the ending of a path asks for; CSV where it says nothing."""
    suffix = PurePath(path).suffix.lower()
    writers: list[RowWriter] = list(ROW_WRITERS)
    found = next((writer for writer in writers if suffix in writer.suffixes), None)
    if found is None and suffix in (".xlsx", ".feather", ".gz", ".zip"):
        known = " or ".join(writer.suffixes[0] for writer in writers)
        raise WorkbenchError(f"Scored rows are not written as {suffix}. Give a name that ends with {known}.")
    return found or ROW_WRITERS.get("csv")
