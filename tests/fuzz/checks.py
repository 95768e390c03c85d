"""What must hold of whatever is let in: a model can be used and saved, a table is what the columns say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.readers.base import reader_for
from workbench.data.readers.chunks import ChunkingReader, chunked
from workbench.data.readers.options import GUESS_ALL
from workbench.data.readers.source import open_source
from workbench.data.reading import preview, read_table, with_chunks
from workbench.data.table import KINDS
from workbench.errors import LONGEST, WorkbenchError
from workbench.formats.base import FORMATS
from workbench.session.opening.imported import run_of
from workbench.session.opening.open_project import open_project
from workbench.session.project.gather import Gathering
from workbench.session.project.tables import rows_of_runs
from workbench.session.run_parts.parameter_change import as_marked
from workbench.session.script import script_of, study_script
from workbench.session.session import Session

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

    from workbench.data.readers.chunks import ChunkedTable
    from workbench.data.readers.options import ReadOptions
    from workbench.data.table import Table
    from workbench.formats.model import Model
    from workbench.session.run import Run

OWN = ("xgboost", "json", "xgboost-ubjson")
MOST_CELLS = 20_000
SPARE_TOLD = "ends with an empty field that has no name"  # known at the end of the rows alone


class WrongSilence(AssertionError):
    """Something was let in that is not what it says."""


def check_model(model: Model, rng: Random) -> None:
    """Predict, save, load again and predict the same; write one of the other formats."""
    ensemble, schema = model.ensemble, model.schema
    check_run(run_of(model))
    _must(len(schema.features) == ensemble.n_features, "as many columns as the trees know")
    _must(bool(np.isfinite(ensemble.base_margin).all()), "a finite intercept")
    rows = rows_for(model)
    raw = predicted(model, rows)
    _must(np.isfinite(raw).all() or _may_overflow(model), "finite predictions")
    name = rng.choice(OWN)
    try:
        data = FORMATS.get(name).write(model)
    except WorkbenchError:
        data = b""
    if data:
        again = FORMATS.get(name).read(data)  # what we write ourselves may not be refused
        _must(
            np.array_equal(raw, predicted(again, rows), equal_nan=True), f"the same predictions after {name}"
        )
    others = [f.name for f in FORMATS if f.can_write and f.name not in (*OWN, "onnx")]
    try:
        FORMATS.get(rng.choice(others)).write(model)
    except WorkbenchError as error:
        one_line(str(error))


def rows_for(model: Model) -> np.ndarray:
    """Rows with nothing, zeros, codes in and out of range, and the thresholds themselves."""
    n = model.ensemble.n_features
    kinds = [np.nan, 0.0, 1.0, 2.0, 1e30, -1e30]
    kinds = kinds if n * len(kinds) <= MOST_CELLS else kinds[:1]
    rows = np.array([[kind] * n for kind in kinds if n <= MOST_CELLS], np.float32).reshape(-1, n)
    cuts = np.concatenate([t.nodes["threshold"] for t in model.trees[:5]] or [np.zeros(0, np.float32)])
    if n and len(rows) > 1 and len(cuts):
        rows = np.vstack([rows, np.resize(cuts, (4, n))])
    for place, feature in enumerate(model.schema.features):
        if feature.is_categorical and len(rows) > 4:
            rows[2:, place] = np.arange(len(rows) - 2) % (len(feature.categories) + 1)
    return rows


def predicted(model: Model, rows: np.ndarray) -> np.ndarray:
    """Return raw predictions, with an offset of 0 where the model wants one."""
    offset = np.zeros(len(rows), np.float32) if model.schema.offset is not None else None
    with np.errstate(over="ignore", invalid="ignore"):
        raw = model.predict_raw(rows, base_margin=offset)
        model.transform(raw)
        return raw


def _may_overflow(model: Model) -> bool:
    largest = sum(float(np.abs(tree.nodes["leaf_value"].astype(float)).max()) for tree in model.trees)
    weights = float(np.abs(model.ensemble.tree_weights).max(initial=1.0))
    return largest * weights + float(np.abs(model.ensemble.base_margin.astype(float)).max()) > 1e37


def check_file(path: Path) -> None:
    """Read a table and its preview; what one says, the other says."""
    try:
        seen = preview(path)
    except WorkbenchError as error:
        one_line(str(error))
        seen = None
    scored = gone_through(path) if _is_streamed(path) else None
    read = read_table(path)
    check_table(read)
    if not _is_streamed(path):  # then the table that was read is gone through
        scored = _taken(chunked(read))
    if scored is not None:
        names, rows = scored
        is_spare = names[:-1] == read.names and any(SPARE_TOLD in note.text for note in read.notes)
        known = read.names if is_spare else names
        _must((known, rows) == (read.names, read.n_rows), "chunks of the columns and rows that are read")
    if seen is not None:
        check_table(seen.table)
        if seen.is_whole:
            _must(seen.table.names == read.names, "a preview with the columns that are read")
            _must(seen.table.n_rows == read.n_rows, "a preview with the rows that are read")


def check_project(path: Path, rng: Random) -> None:
    """Open a project; go back and forth in its journal, tell its scripts, use its models."""
    opened = open_project(path)
    session = Session()
    opened.show(session)
    if opened.tables is not None:
        for number, rows in rows_of_runs(opened.content.runs, opened.tables).items():
            session.runs.dataset_ready(opened.content.runs[number], rows)
    for line in session.journal.lines:
        one_line(line.action.words.replace("\n", " "))
    end = session.journal.position
    session.journal.go_to(0)
    session.journal.go_to(len(session.journal.lines))
    session.journal.go_to(end)
    study_script(session)
    Gathering(session).take()
    for run in session.runs:
        script_of(session, run)
        check_run(run)
        if run.rounds and run.schema is not None:
            check_model(run.kept().model, rng)


def check_run(run: Run) -> None:
    """Look at what every view of a run looks at."""
    best = run.best
    _must(best is None or best[0] <= len(run.rounds), "a best round that is there")
    for event in run.rounds:
        _must(event.leaves == sum(int(t.is_leaf.sum()) for t in event.trees), "leaves that are there")
        _must(event.depth == max(int(t.nodes["depth"].max()) for t in event.trees), "as deep as its trees")
    _must(len(run.history) == len(run.rounds), "a history of its rounds")
    as_marked(run.changes, max(len(run.rounds), 1))
    for change in run.changes:
        one_line(change.text)
    _must(0 <= run.shared_rounds <= len(run.rounds), "the rounds that it shares")


def gone_through(path: Path, options: ReadOptions = GUESS_ALL) -> tuple[tuple[str, ...], int] | None:
    """Go through a table as one that is scored; return columns and rows, None where it is refused."""
    try:
        return with_chunks(path, _taken, options=options)
    except WorkbenchError as error:
        one_line(str(error))
        return None


def _taken(table: ChunkedTable) -> tuple[tuple[str, ...], int]:
    rows, names = 0, frozenset(table.names)
    for chunk in table.chunks(names, names):
        _must(chunk.first_row == rows, "chunks in order")
        for cells in (*chunk.cells.values(), *chunk.kept.values()):
            _must(len(cells) == chunk.n_rows, "columns of one length")
        rows += chunk.n_rows
    return table.names, rows


def _is_streamed(path: Path) -> bool:
    """Whether a file is not read as a whole to be gone through."""
    try:
        return not path.is_dir() and isinstance(reader_for(open_source(path)), ChunkingReader)
    except WorkbenchError:
        return True


def check_table(table: Table) -> None:
    """Columns of one length, codes within their categories, no infinite value, names that differ."""
    _must(bool(table.columns) and table.n_rows > 0, "rows and columns")
    _must(len(set(table.names)) == len(table.names), "names that differ")
    for column in table.columns:
        values = column.values
        _must(values.dtype == np.float32 and len(values) == table.n_rows, "columns of one length")
        _must(not np.isinf(values).any() and column.kind in KINDS, "finite values")
        known = values[~np.isnan(values)]
        if column.is_categorical:
            top = len(column.categories)
            _must(bool(((known >= 0) & (known < top) & (known == np.floor(known))).all()), "known categories")
            _must(len(set(column.categories)) == top, "categories that differ")
    for note in table.notes:
        one_line(note.text)


def one_line(text: str) -> None:
    """Refuse what is no message to a person."""
    _must(
        bool(text.strip()) and "\n" not in text and "\r" not in text and len(text) <= LONGEST,
        f"one line: {text[:90]!r}",
    )


def _must(holds: bool, what: str) -> None:
    if not holds:
        raise WrongSilence(what)
