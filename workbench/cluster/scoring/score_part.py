"""A partition scored on a worker, as a file with its rows alone is scored at home."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.cluster.partitions import local_file, working_folder
from workbench.errors import WorkbenchError
from workbench.scoring.score_file import score_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.cluster.partitions import Partition
    from workbench.data.readers.options import ReadOptions
    from workbench.data.table import TableNote
    from workbench.explain.evaluation import Evaluation
    from workbench.formats.model import Model
    from workbench.scoring.feature_cells import FeatureCells
    from workbench.scoring.matching import TableDifference
    from workbench.scoring.wanted import Wanted

MARK = ".scoring"  # stands in the output as long as it is wanted: a task that runs cannot be stopped


@dataclass(frozen=True)
class ScoredPart:
    """What came of a partition.

    Attributes
    ----------
    rows : int
    of_columns : tuple of TableDifference
        That whole columns are not as the model knows them.
    cells : tuple of FeatureCells
        By column of the model, what its cells were.
    notes : tuple of TableNote
    misfit : str
        Why it was not scored; "" where it was.
    evaluation : Evaluation or None
        What its predictions are worth, where it knows the answers.
    """

    rows: int = 0
    of_columns: tuple[TableDifference, ...] = ()
    cells: tuple[FeatureCells, ...] = ()
    notes: tuple[TableNote, ...] = ()
    misfit: str = ""
    evaluation: Evaluation | None = None


def score_part(
    partition: Partition, model: Model, target: str, wanted: Wanted, options: ReadOptions
) -> ScoredPart:
    """Score a partition, and put its rows to `target`; called on a worker."""
    try:
        with working_folder() as folder:
            file, _ = local_file(partition, None, Path(folder))
            made = Path(folder) / "scored.parquet"
            scored = score_file(model, file, made, wanted, options=options, serial=True)
            _put(made, target)
    except WorkbenchError as error:
        words = str(error) if partition.name in str(error) else f"{partition.name}: {error}"
        return ScoredPart(misfit=words)
    except OSError as error:
        return ScoredPart(misfit=f"{partition.name}: {type(error).__name__}: {error}")
    return ScoredPart(
        scored.rows, tuple(scored.of_columns), scored.cells, scored.notes, evaluation=scored.evaluation
    )


def _put(made: Path, target: str) -> None:
    """Put a file in its place, unless the scoring was given up: then nothing is left of it."""
    import fsspec

    system, path = fsspec.core.url_to_fs(target)
    mark, partial = f"{path.rpartition('/')[0]}/{MARK}", f"{path}.partial"
    if not system.exists(mark):
        return
    system.put_file(str(made), partial)
    system.mv(partial, path)
    if not system.exists(mark):
        system.rm_file(path)


def begin_output(output: str, source: str) -> None:
    """Make the folder that is written to, or refuse it; called on a worker.

    Raises
    ------
    WorkbenchError
        It holds something, or lies in the table itself.
    """
    import fsspec

    system, path = fsspec.core.url_to_fs(output)
    _, read = fsspec.core.url_to_fs(source)
    if f"{path.rstrip('/')}/".startswith(f"{read.rstrip('/')}/"):
        raise WorkbenchError(f"'{output}' lies in the table that is read. Give another folder.")
    try:
        if system.exists(path) and (not system.isdir(path) or system.ls(path)):
            raise WorkbenchError(f"'{output}' holds something already. Give a new or an empty folder.")
        system.makedirs(path, exist_ok=True)
        system.touch(f"{path}/{MARK}")
    except OSError as error:
        raise WorkbenchError(f"'{output}' cannot be written on the workers: {error}.") from error


def end_output(output: str) -> None:
    """Take the mark away once all is written; called on a worker."""
    import fsspec

    system, folder = fsspec.core.url_to_fs(output)
    system.rm_file(f"{folder}/{MARK}")


def forget_output(output: str, targets: Sequence[str]) -> None:
    """Take away what was written; called on a worker."""
    import fsspec

    system, folder = fsspec.core.url_to_fs(output)
    with suppress(OSError):
        system.rm_file(f"{folder}/{MARK}")
    for target in targets:
        for path in (system._strip_protocol(target), f"{system._strip_protocol(target)}.partial"):
            with suppress(OSError):
                system.rm_file(path)
    with suppress(OSError):
        system.rmdir(folder)
