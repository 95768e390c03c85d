"""A whole session written as a project, in one go."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.formats.bytes.files import atomic_write
from workbench.session.project.file import create
from workbench.session.project.table_bytes import table_bytes
from workbench.session.project.write import write, write_blob

if TYPE_CHECKING:
    from workbench.data.table import Table
    from workbench.session.project.content import Batch

TABLE, PICTURE = "table", "picture"


def save_project(
    path: str | Path, batch: Batch, table: Table | None = None, picture: bytes | None = None
) -> None:
    """Write everything of a session; on failure the former file stays as it was.

    Parameters
    ----------
    path : str or Path
    batch : Batch
        All of the session: the first that a `Gathering` takes.
    table : Table, optional
        As it was read, where it is to be kept in the project.
    picture : bytes, optional
        Of the window, as PNG.

    Raises
    ------
    WorkbenchError
        In one line why it could not be written.
    """
    with closing(create()) as connection:
        write(connection, batch, Path(path).absolute().parent)
        if table is not None:
            write_blob(connection, TABLE, table_bytes(table))
        if picture is not None:
            write_blob(connection, PICTURE, picture)
        data = connection.serialize()
    atomic_write(path, data, lasting=True)
