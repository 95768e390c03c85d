"""The parts of a table that lies where the workers can read it: ranges of Parquet, files of text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from workbench.cluster.jobs_there import finished
from workbench.data.readers.options import GUESS_ALL
from workbench.data.reading import read_table
from workbench.errors import WorkbenchError, one_line
from workbench.paths import exists

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.cluster.connection import Connection
    from workbench.data.readers.options import ReadOptions
    from workbench.data.table import Kind, Table

PARQUET = (".parquet", ".pq")
TEXTS = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz")
ROWS_OF_PART = 500_000  # at most
NO_TABLE = "'{path}' holds no Parquet and no CSV files for the workers. Give a path as they open it."


@dataclass(frozen=True)
class Partition:
    """Some rows of a table.

    Attributes
    ----------
    path : str
        As fsspec opens it.
    begin, end : int
        Rows of the file; `end` is −1 for a file of text, which is read as a whole.
    size : int
        Rows, or bytes of text: what partitions are balanced by.
    """

    path: str
    begin: int
    end: int
    size: int

    @property
    def name(self) -> str:
        """What it is called in a message."""
        file = self.path.rstrip("/").rpartition("/")[2]
        return f"{file}, rows {self.begin + 1:,} to {self.end:,}" if self.end >= 0 else file


def partitions_of(path: str, n_workers: int) -> list[Partition]:
    """List the parts of a file or folder, several for each worker; called where it can be read."""
    import fsspec
    import pyarrow.parquet as pq

    system, root = fsspec.core.url_to_fs(path)
    try:
        files = sorted(system.find(root)) if system.isdir(root) else [root] if system.exists(root) else []
    except OSError as error:
        raise WorkbenchError(f"'{path}' cannot be read on the workers: {error}.") from error
    shown = [file for file in files if not file.rpartition("/")[2].startswith((".", "_"))]
    parquet = [file for file in shown if file.lower().endswith(PARQUET)]
    texts = [file for file in shown if file.lower().endswith(TEXTS)]
    if not parquet and not texts:
        raise WorkbenchError(NO_TABLE.format(path=path))
    if not parquet:
        return [Partition(system.unstrip_protocol(file), 0, -1, int(system.size(file))) for file in texts]
    rows = {}
    for file in parquet:
        with system.open(file) as opened:
            try:
                rows[system.unstrip_protocol(file)] = pq.ParquetFile(opened).metadata.num_rows
            except Exception as error:
                why = one_line(f"{error}").strip().rstrip(".")
                raise WorkbenchError(f"'{file}' is no Parquet that can be read: {why}.") from error
    most = max(min(ROWS_OF_PART, -(-sum(rows.values()) // (2 * n_workers))), 1)
    return [
        Partition(file, begin, min(begin + most, n), min(most, n - begin))
        for file, n in rows.items() for begin in range(0, n, most)
    ]  # fmt: skip


def parts_of(connection: Connection, path: str) -> list[Partition]:
    """List the partitions of a table, on a worker."""
    workers, path = len(connection.workers), whole_path(path)
    (found,) = finished(connection, [connection.client.submit(partitions_of, path, workers, pure=False)])
    return found


def whole_path(path: str) -> str:
    """Return a path, where it counts from the present folder, as it holds for processes in another one."""
    beside = Path(path).absolute()
    return str(beside) if "://" not in path and exists(beside.parent) else path


def read_partition(
    partition: Partition, columns: Sequence[str] | None = None, kinds: Sequence[tuple[str, Kind]] = (),
    options: ReadOptions = GUESS_ALL,
) -> Table:  # fmt: skip
    """Read rows as a file with them alone is read at home; called on a worker."""
    try:
        with working_folder() as folder:
            file, found = local_file(partition, columns, Path(folder))
            wanted = tuple(pair for pair in kinds if found is None or pair[0] in found)
            return read_table(file, options=replace(options, kinds=wanted))
    except WorkbenchError as error:
        raise WorkbenchError(f"{partition.name}: {error}") from None
    except Exception as error:
        raise WorkbenchError(f"{partition.name} cannot be read: {type(error).__name__}: {error}") from None


def working_folder() -> TemporaryDirectory[str]:
    """Return a new folder in the worker's own, which Dask removes though the worker is killed."""
    from distributed import get_worker

    return TemporaryDirectory(prefix="boosting-workbench-", dir=get_worker().local_directory)


def local_file(
    partition: Partition, columns: Sequence[str] | None, folder: Path
) -> tuple[Path, list[str] | None]:
    """Return a file of this machine with the rows, and which columns it has, where that is known."""
    import fsspec

    system, path = fsspec.core.url_to_fs(partition.path)
    if partition.end < 0:
        local = Path(path)
        if "file" not in system.protocol:
            local = folder / path.rpartition("/")[2]
            system.get_file(path, str(local))
        return local, None
    import pyarrow.feather as feather

    rows = _parquet_rows(system, path, partition, columns)
    file = folder / "rows.feather"
    feather.write_feather(rows, file, compression="uncompressed")
    return file, list(rows.column_names)


def _parquet_rows(system: Any, path: str, partition: Partition, columns: Sequence[str] | None) -> Any:
    """Read the row groups that hold the rows, and cut off the others."""
    import pyarrow.parquet as pq

    with system.open(path) as opened:
        file = pq.ParquetFile(opened)
        first, groups, skipped = 0, [], 0
        for group in range(file.num_row_groups):
            n = file.metadata.row_group(group).num_rows
            if first < partition.end and first + n > partition.begin:
                groups.append(group)
            elif first + n <= partition.begin:
                skipped = first + n
            first += n
        names = file.schema_arrow.names
        if columns is not None:
            names = [name for name in names if name in set(columns)]
        rows = file.read_row_groups(groups, columns=names, use_threads=False)
    return rows.slice(partition.begin - skipped, partition.end - partition.begin)
