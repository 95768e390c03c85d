"""A project read back: the journal's lines, and the runs with their rounds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.formats.own.document import check_categories, check_trees
from workbench.formats.own.linear_record import levels_of
from workbench.isolation import isolated
from workbench.session.journal.action import action_of
from workbench.session.journal.journal import JournalLine
from workbench.session.playground.drawing import drawing_of
from workbench.session.project.content import ProjectContent
from workbench.session.project.damage import DamagedPart, damage_said, part_of_project
from workbench.session.project.file import opened
from workbench.session.project.round_record import round_of
from workbench.session.project.run_record import kinds_of, plan_of, run_of, schema_from
from workbench.session.project.sittings import CLOSED
from workbench.session.project.state_record import MOST_RUN_NUMBER, state_of
from workbench.session.project.validation_record import kept_validation
from workbench.session.run import Run, RunState

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from workbench.data.schema import DataSchema
    from workbench.ensembles.events import RoundFinished



def read_project(path: Path) -> ProjectContent:
    """Read a project; imports numba, so call it on a worker thread.

    Raises
    ------
    WorkbenchError
        In one line why it cannot be.
    """
    name = isolated(path.name)
    with opened(path) as connection:
        told = dict(connection.execute("SELECT name, value FROM facts").fetchall())
        if not told.keys() - {CLOSED}:
            raise WorkbenchError(f"{name} is empty: nothing was written to it.")
        with damage_said(name):
            return _read(connection, told)


def _read(connection: sqlite3.Connection, told: dict[str, str]) -> ProjectContent:
    content, facts = ProjectContent(), dict[str, Any]()
    schemas: dict[int, DataSchema] = {}
    for name, text in told.items():
        with part_of_project(f"the entry '{name[:40]}'"):
            if name.startswith("schema "):
                schemas[int(name.split()[1])] = schema_from(text)
            elif name != CLOSED:
                facts[name] = json.loads(text)
    for place, (text,) in enumerate(connection.execute("SELECT line FROM lines ORDER BY place"), start=1):
        with part_of_project(f"line {place} of the history"):
            action, before, after = json.loads(text)
            content.lines.append(JournalLine(action_of(action), state_of(before), state_of(after)))
    content.position = checks.integer(facts["position"], "position", 0, len(content.lines))
    with part_of_project("the choices of columns"):
        content.plan, content.kinds = plan_of(facts["plan"]), kinds_of(facts.get("kinds", {}))
    with part_of_project("the parameters"):
        content.first = state_of({"first": facts["first"]})["first"]
    with part_of_project("what it tells of its table"):
        content.table = _table(facts.get("table", {}))
    content.layout = checks.mapping(facts.get("layout", {}), "layout")
    content.name = checks.text(facts["name"], "name")
    points = facts.get("points")  # older projects have none
    with part_of_project("the drawn points"):
        content.drawing = None if points is None else drawing_of(points)
    content.harmless_formulas = facts["harmless_formulas"] is True
    _read_runs(connection, content, schemas)
    if "validation" in facts:  # older projects have none
        with part_of_project("what folds and refits have said"):
            content.validation = kept_validation(facts["validation"], content.runs)
    listed = checks.integers(facts["listed"], "listed", low=1, high=MOST_RUN_NUMBER)
    content.listed = tuple(listed.tolist())
    content.shown = checks.integer(facts["shown"], "shown", 0, MOST_RUN_NUMBER)
    if not set(content.listed) | ({content.shown} - {0}) <= content.runs.keys():
        raise WorkbenchError("Damaged project: a run is listed that is not there.")
    _check_lines(content)
    return content


def blob_of(path: Path, name: str) -> bytes | None:
    """Return a table or a picture of a project; None where it has none."""
    with opened(path) as connection:
        found = connection.execute("SELECT data FROM blobs WHERE name = ?", (name,)).fetchone()
        return None if found is None or not isinstance(found[0], bytes) else found[0]


def _read_runs(
    connection: sqlite3.Connection, content: ProjectContent, schemas: dict[int, DataSchema]
) -> None:
    rows = connection.execute("SELECT number, record FROM runs ORDER BY number").fetchall()
    for number, text in rows:
        with part_of_project(f"run {number}"):
            record = checks.mapping(json.loads(text), "a run")
            checks.integer(number, "a run", 1, MOST_RUN_NUMBER)
            run = content.runs[number] = run_of(number, record, schemas)
            shared = _shared(content, run, checks.integer(record["shares"], "shares", 0, MOST_RUN_NUMBER))
            _stand(run, (*shared, *_own_rounds(connection, run, len(shared))))
            run.stand_after(checks.integer(record["shown_stretches"], "stretches", 0, len(run.stretches)))
        model = connection.execute("SELECT data FROM blobs WHERE name = ?", (f"model {number}",)).fetchone()
        if model is not None:
            with part_of_project(f"the model of run {number}"):
                run.read = _model(model[0])


def _stand(run: Run, rounds: tuple[RoundFinished, ...]) -> None:
    """Give a run its rounds; one that was broken off while it trained ends with the last of them."""
    ended, state = run.ended, run.state
    run.retell(rounds)
    run.ended, run.state = ended, state
    n_rounds, newest = len(rounds), len(run.stretches) - 1
    over = [s for place, s in enumerate(run.stretches) if place < newest or s.ended is not None]
    ends = [ended, *(stretch.ended for stretch in run.stretches)]
    if (
        n_rounds < run.shared_rounds or any(stretch.last < stretch.first for stretch in over)
        or any(max(stretch.first, stretch.last) > n_rounds for stretch in run.stretches)
        or any(not end.best_round <= end.round <= n_rounds for end in ends if end is not None)
    ):  # fmt: skip
        raise WorkbenchError("Damaged project: a run has fewer rounds than it should.")
    if run.stretches and run.stretches[-1].ended is None and state is not RunState.FAILED:
        seconds = sum(event.seconds for event in rounds[run.stretches[-1].first :])
        run.break_off(seconds)


def _shared(content: ProjectContent, run: Run, shares: int) -> tuple[RoundFinished, ...]:
    other = content.runs.get(run.branch.run) if run.branch is not None else None
    rounds = () if other is None else other.every_round[:shares]
    if len(rounds) < shares or shares not in (0, run.shared_rounds):
        raise WorkbenchError("Damaged project: a branch has no run to leave.")
    return tuple(rounds)


def _own_rounds(connection: sqlite3.Connection, run: Run, shares: int) -> list[RoundFinished]:
    rounds: list[RoundFinished] = []
    levels = () if run.schema is None else levels_of(run.schema)
    found = connection.execute(
        "SELECT round, record, trees FROM rounds WHERE run = ? ORDER BY round", (run.number,)
    )
    params = run.params
    for number, text, data in found:
        expected = shares + len(rounds) + 1
        if number != expected or run.started is None:
            raise WorkbenchError(f"Damaged project: round {expected} is missing.")
        n_classes = run.started.ensemble.n_classes
        with part_of_project(f"round {number} of run {run.number}"):
            event = round_of(number, text, data, params, levels, n_classes)
            beside = len(event.trees) // n_classes
            if not beside or (event.linear is None) == (event.params.method == "linear"):
                raise WorkbenchError("Damaged project: a round has other trees than its run.")
            check_trees(event.trees, n_classes, [beside])
            if run.schema is not None:
                check_categories(event.trees, run.schema)
            if number > run.shared_rounds and run.watched not in (event.valid or event.train):
                raise WorkbenchError("Damaged project: a round lacks the metric that its run watches.")
        rounds.append(event)
        params = event.params
    return rounds


def _model(data: Any) -> Any:
    from workbench.formats.base import FORMATS

    return FORMATS.get("json").read(data)


def _table(record: Any) -> dict[str, Any]:
    table = checks.mapping(record, "table")
    if table:
        for name in ("name", "path"):
            checks.text(table[name], name)
        checks.mapping(table["options"], "options")
    return table


def _check_lines(content: ProjectContent) -> None:
    """Refuse states that speak of runs that are not there."""
    for place, line in enumerate(content.lines, start=1):
        for state in (line.before, line.after):
            named = {key[1] for key in state if isinstance(key, tuple)} | set(state.get("listed") or ())
            if not named <= content.runs.keys():
                raise DamagedPart(f"line {place} of the history", "it tells of a run that is not there")
