"""From a file to everything the window shows of it: table, distributions, a first plan; or a model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from workbench.parameters.methods import DEFAULT_METHOD, METHODS
from workbench.paths import is_folder
from workbench.session.objective_facts import ObjectiveFacts, known_objectives
from workbench.session.opening.attaching import Attached, attach, plan_of
from workbench.session.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.preview import Preview
    from workbench.data.statistics import ColumnSummary
    from workbench.data.table import Column, Table
    from workbench.formats.model import Model
    from workbench.session.opening.open_project import OpenedProject
    from workbench.session.run import Run

MODEL_SUFFIXES = (".json", ".ubj", ".onnx")
BEGINNING = 4096  # bytes by which a file is recognised


@dataclass(frozen=True)
class OpenedModel:
    """A model as a run, with the name of its file; with its own table where that is open."""

    run: Run
    name: str
    objectives: tuple[ObjectiveFacts, ...]
    attached: Attached | None = None


@dataclass(frozen=True)
class Doubtful:
    """A table that may be read in several ways: a person should look first."""

    preview: Preview


@dataclass(frozen=True)
class Outgrown:
    """A table too large to be read as it is: why, and what can be done.

    So many of its rows can be drawn, it can be kept on disk, or it takes long and fits all the same.
    """

    text: str
    sample: int = 0
    can_be_mapped: bool = False
    fits: bool = False


@dataclass(frozen=True)
class Opened:
    """A table with what was worked out about it; `can_be_mapped` where its file can be kept on disk.

    `attached` is the model that was open before, where it was trained on this table.
    """

    table: Table
    plan: Plan
    summaries: dict[str, ColumnSummary]
    objectives: tuple[ObjectiveFacts, ...]
    can_be_mapped: bool
    attached: Attached | None = None

    def __post_init__(self) -> None:
        """Find where very many columns stand here already, not where a person waits."""
        self.table.find_columns()


def open_file(
    path: Path, progress: Callable[[int, int], None], cancelled: Callable[[], bool],
    options: ReadOptions | None = None, model: Model | None = None, table: Table | None = None,
    elsewhere: Path | None = None,
) -> Opened | OpenedModel | OpenedProject | Doubtful | Outgrown:  # fmt: skip
    """Read a table, a model or a project; imports pandas and numba, so call it on a worker thread.

    Without options, a table about which something is doubtful is only looked at. `model` and `table` are what
    is open: a model and the table that it was trained on are put together again. `elsewhere` is where
    a person says that the table of a project is.
    """
    if not is_folder(path) and _is_project(path):
        from workbench.session.opening.open_project import open_project

        return open_project(path, elsewhere, progress, cancelled)
    if options is None:
        if not is_folder(path) and _is_model(path):
            return open_model(path, table, cancelled)
        if (doubtful := _doubtful(path, cancelled)) is not None:
            return doubtful
    from workbench.data.room import TooLarge, Unfolds

    try:
        return open_table(path, progress, cancelled, options, model)
    except TooLarge as error:
        if not (error.sample or error.can_be_mapped):
            raise
        return Outgrown(error.shortage, error.sample, error.can_be_mapped)
    except Unfolds as error:
        return Outgrown(error.words, fits=True)


def _doubtful(path: Path, cancelled: Callable[[], bool]) -> Doubtful | None:
    from workbench.data.reading import preview

    seen = preview(path, cancelled=cancelled)
    return Doubtful(seen) if seen is not None and seen.doubts else None


def _is_project(path: Path) -> bool:
    from workbench.session.project.file import SUFFIX, is_project

    try:
        with path.open("rb") as file:
            return path.suffix == SUFFIX or is_project(file.read(BEGINNING))
    except OSError:
        return False  # which is said where it is read


def _is_model(path: Path) -> bool:
    """Tell a model from a table: by how it begins, else by its ending."""
    from workbench.data.readers.source import open_source
    from workbench.formats.base import reader_of
    from workbench.formats.unread_files import is_unread_model

    source = open_source(path)
    if reader_of(source.head[:BEGINNING]) is not None or is_unread_model(source.head, path.name):
        return True
    records = source.head.lstrip().startswith(b"[") or b"}\n{" in source.head.replace(b"\r", b"")
    return path.suffix.lower() in MODEL_SUFFIXES and not records


def open_model(path: Path, table: Table | None, cancelled: Callable[[], bool]) -> OpenedModel:
    """Read a model file; it comes with the table that is open, where it was trained on that."""
    from workbench.formats.load import load_model
    from workbench.session.opening.imported import run_of

    model = load_model(path)
    attached = None if table is None else attach(model, table, cancelled)
    run = run_of(model) if attached is None else attached.run
    return OpenedModel(run, path.name, known_objectives(), attached)


def open_table(
    path: Path, progress: Callable[[int, int], None], cancelled: Callable[[], bool],
    options: ReadOptions | None = None, model: Model | None = None,
) -> Opened:  # fmt: skip
    """Read a table, and guess what to predict; or take that from the model that is open, where it fits."""
    from workbench.data.readers.options import GUESS_ALL
    from workbench.data.reading import can_be_mapped, read_table
    from workbench.data.statistics import column_summary

    options = options or GUESS_ALL
    mappable = can_be_mapped(path, options)
    table = read_table(path, options=options, progress=progress, cancelled=cancelled)
    attached = attach(model, table, cancelled)
    if attached is not None:
        table, plan = attached.table, attached.plan
    else:
        plan = (plan_of(model, table) if model is not None else None) or first_plan(table, path)
    summaries = {column.name: column_summary(column) for column in table.columns}
    return Opened(table, plan, summaries, known_objectives(), mappable, attached)


def first_plan(table: Table, path: Path | None = None) -> Plan:
    """Guess roles and objective of a table; of a sample, take the objective that it is there to show."""
    from workbench.data.roles import guess_roles
    from workbench.data.samples import sample_at

    plan = Plan(roles=guess_roles(table))
    if plan.target is None:
        return plan
    shipped = None if path is None else sample_at(path)
    if shipped is not None and shipped.objective is not None and shipped.target == plan.target:
        return replace(plan, objective=shipped.objective)
    return replace(plan, objective=guess_objective(table.column(plan.target)))


def guess_objective(column: Column, method: str = DEFAULT_METHOD) -> str:
    """Guess the objective for a target."""
    from workbench.data.roles import guess_task

    return METHODS[method].objective_of("auto", guess_task(column))
