"""A table that stays there as it is shown at home: its first rows, and figures of all of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.cluster.encoded_parts import first_notes
from workbench.cluster.jobs_there import finished
from workbench.cluster.opening.digest import digest_part, summary_of, together
from workbench.cluster.table_there import sample_of
from workbench.data.readers.options import GUESS_ALL
from workbench.data.table import TableNote
from workbench.data.values.labels import natural_key
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from workbench.cluster.connection import Connection
    from workbench.cluster.opening.digest import ColumnDigest, PartDigest
    from workbench.data.readers.options import ReadOptions
    from workbench.data.statistics import ColumnSummary
    from workbench.data.table import Column, Table

MOST_MISFITS = 3


@dataclass(frozen=True)
class OpenedThere:
    """A table on a cluster.

    Attributes
    ----------
    shown : Table
        Its first rows; columns of categories have those of all rows.
    rows : int
        Of the whole.
    summaries : dict of str to ColumnSummary
        Of all rows.
    """

    shown: Table
    rows: int
    summaries: dict[str, ColumnSummary]


def open_there(
    connection: Connection, path: str, options: ReadOptions = GUESS_ALL,
    cancelled: Callable[[], bool] | None = None, progress: Callable[[int, int], object] | None = None,
) -> OpenedThere:  # fmt: skip
    """Look at a table on the workers.

    Parameters
    ----------
    path : str
        A Parquet file or folder, or a folder of CSV, as fsspec opens it on the workers.
    progress : callable (done, total), optional
        Told the partitions that were looked over.

    Raises
    ------
    Cancelled
    WorkbenchError
    """
    partitions, sample = sample_of(connection, path, options)
    kinds = [(column.name, column.kind) for column in sample.columns]
    found = finished(
        connection,
        [
            connection.client.submit(digest_part, one, kinds, options, pure=False)
            for one in partitions
        ],
        (), cancelled, progress,
    )  # fmt: skip
    told = [part for part in found if not part.misfit]
    if not told:
        raise WorkbenchError(f"Rows do not fit: {found[0].misfit}")
    by_name = {}
    for name in sample.names:
        parts = [part.columns[name] for part in told if name in part.columns]
        if parts:
            by_name[name] = together(parts)
    rows = max(digest.rows for digest in by_name.values())
    columns = tuple(_with_all_labels(column, by_name.get(column.name)) for column in sample.columns)
    notes = (
        TableNote(f"The first {sample.n_rows:,} of {rows:,} rows are shown; all stay on the cluster."),
        *sample.notes,
        *_misfit_notes(part.misfit for part in found if part.misfit),
        *(TableNote(note, severity="warning") for note in _notes_beyond(sample, told)),
    )
    summaries = {name: summary_of(name, digest) for name, digest in by_name.items()}
    return OpenedThere(replace(sample, columns=columns, notes=notes), rows, summaries)


def _notes_beyond(sample: Table, parts: Sequence[PartDigest]) -> tuple[str, ...]:
    """Return what is said of cells, but for those of the first rows, whose own notes say it."""
    known = tuple(note.text for note in sample.notes)
    return first_notes([
        note for part in parts for note in part.notes if not (known and note.endswith(known))
    ])  # fmt: skip


def _with_all_labels(column: Column, digest: ColumnDigest | None) -> Column:
    """Return a column of the shown rows with the categories of all rows."""
    if digest is None or not column.is_categorical or digest.lacks_labels:
        return column
    categories = tuple(sorted({*digest.labels, *column.categories}, key=natural_key))
    place = {label: code for code, label in enumerate(categories)}
    recode = np.array([*(place[label] for label in column.categories), np.nan], np.float32)
    codes = np.where(np.isnan(column.values), len(column.categories), column.values).astype(np.int64)
    return replace(column, values=recode[codes], categories=categories)


def _misfit_notes(misfits: Iterable[str]) -> list[TableNote]:
    """Return a note of each of the first partitions that do not fit, and how many more there are."""
    wrong = list(misfits)
    notes = [TableNote(f"Left out of the figures: {misfit}", severity="warning") for misfit in wrong]
    if len(wrong) > MOST_MISFITS:
        more = TableNote(f"And {len(wrong) - MOST_MISFITS} more partitions do not fit.", severity="warning")
        return [*notes[:MOST_MISFITS], more]
    return notes
