"""The command line that trains a run again, or why there is none."""

from __future__ import annotations

import shlex
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.data.readers.options import GUESS_ALL
from workbench.data.reading import read_table
from workbench.data.roles import named_roles
from workbench.ensembles.events import EndReason
from workbench.errors import WorkbenchError
from workbench.isolation import isolated
from workbench.parameters.holdout import NEEDS_COLUMN, NEEDS_SEED
from workbench.parameters.training import BY_NAME
from workbench.session.branching import differing
from workbench.session.journal.kinds.start import StartRun
from workbench.session.own_file import read_file
from workbench.session.project.tables import KnownTables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.data.readers.options import ReadOptions
    from workbench.data.table import Column, Table
    from workbench.session.plan import Plan
    from workbench.session.run import Run
    from workbench.session.session import Session

ROLES_OF_ONE = ("weight", "group", "offset")
SAID_OTHERWISE = ("target", "ignore")
MODEL = "model.json"
INSTEAD = "Copy it as Python instead."


class CommandLine(NamedTuple):
    """The command, or why it cannot be said in one; the other is empty."""

    text: str
    problem: str = ""


class Unsayable(Exception):
    """What the command line has no words for; one sentence."""


def command_of(session: Session, run: Run) -> CommandLine:
    """Return the command that trains a run from the file of its table; for a worker thread.

    It looks at the table's values, and into files. The model file is that of the run, byte for byte.
    """
    try:
        words = ["workbench", "train", *_words(session, run)]
    except Unsayable as reason:
        return CommandLine("", f"{isolated(run.name)}: {reason} {INSTEAD}")
    return CommandLine(shlex.join(words))


def _words(session: Session, run: Run) -> Iterator[str]:
    """Yield file and flags; raise Unsayable."""
    plan, source = run.plan, session.data.source
    _check_story(run)
    if plan is None or source is None:
        raise Unsayable("its table is in no file.")
    options = source.options or GUESS_ALL
    if run.kinds:
        options = replace(options, kinds=tuple({**dict(options.kinds), **run.kinds}.items()))
    table = _table_of(session, run, options)
    own = list(_own_flags(session, run))
    yield str(source.path.absolute())
    yield f"--target={plan.target}"
    if run.own.objective is None:
        yield f"--objective={plan.objective}"
    yield from _split_flags(plan, run)
    if plan.positive is not None:
        yield f"--positive={plan.positive}"
    yield from _role_flags(table, plan)
    yield from _reading_flags(options)
    yield from _parameter_flags(run)
    yield from own
    yield f"--export={MODEL}"


def _check_story(run: Run) -> None:
    """Refuse what was not grown in one go, from its first round, as it was planned."""
    if run.branch is not None:
        raise Unsayable(f"it branches off run {run.branch.run} at round {run.branch.round}.")
    if not isinstance(run.made, StartRun) or not run.stretches:
        raise Unsayable("it was not started from a table.")
    if run.is_live or run.ended is None:
        raise Unsayable("it has not ended yet.")
    if run.stretches.n_counted > 1:
        raise Unsayable(f"it was continued after round {run.stretches[1].first}.")
    if run.stretches[0].cluster is not None:
        raise Unsayable("it was trained on a cluster.")
    if run.changes:
        change = run.changes[0]
        raise Unsayable(f"{change.text} was changed at round {change.round}, while it trained.")
    if run.ended.reason is EndReason.STOPPED:
        raise Unsayable("it was stopped by hand.")


def _split_flags(plan: Plan, run: Run) -> Iterator[str]:
    """Yield the flags of the rows that are held out."""
    if plan.split_by == "file":
        yield f"--valid={plan.split_file}"
        return
    if plan.split_by != "column":
        yield f"--valid-fraction={plan.valid_fraction!r}"
    if plan.split_by != "rows":
        yield f"--valid-{plan.split_by}={plan.split_column}"
    elif plan.valid_fraction and not plan.stratified:
        yield "--no-stratify"
    draws = plan.split_by in NEEDS_SEED and plan.valid_fraction
    if draws and plan.split_seed != run.params.seed:
        yield f"--split-seed={plan.split_seed}"


def _table_of(session: Session, run: Run, options: ReadOptions) -> Table:
    """Return the run's table; where columns were given other kinds, as the flags have it read."""
    known, source = session.data.as_read, session.data.source
    if known is None or source is None:
        raise Unsayable("its table is in no file.")
    if not run.kinds:
        return known
    made = KnownTables(known).with_kinds(run.kinds)
    try:
        read = read_table(source.path, options=options)
    except WorkbenchError as error:
        raise Unsayable(f"its table cannot be read again. {error}") from error
    for name in run.kinds:
        column, other = made.column(name), read.column(name) if name in read.names else None
        if other is None or not _are_same(column, other):
            raise Unsayable(
                f"{isolated(name)} has other values where it is read as a {column.kind} from the first."
            )
    return read


def _are_same(one: Column, other: Column) -> bool:
    kinds = (one.kind, one.categories) == (other.kind, other.categories)
    return kinds and np.array_equal(one.values, other.values, equal_nan=True)


def _own_flags(session: Session, run: Run) -> Iterator[str]:
    """Yield the flags of the person's own files, where these are still as they were run."""
    parts = [*([run.own.objective] if run.own.objective is not None else []), *run.own.metrics]
    for part in parts:
        file = next((file for file in session.own_files.known if file.part is part), None)
        if file is None:
            raise Unsayable("it trained with a Python file that is not in use now.")
        try:
            same = read_file(file.path) == file.code
        except WorkbenchError as error:
            raise Unsayable(str(error)) from error
        if not same:
            raise Unsayable(f"{isolated(file.name)} has changed since it was run.")
        yield f"--{file.kind}-file={file.path}"


def _role_flags(table: Table, plan: Plan) -> Iterator[str]:
    """Yield the flags of roles that are not guessed as they are planned."""
    named: dict[str, Any] = {name: role for name, role in plan.roles.items() if role in ROLES_OF_ONE}
    named[str(plan.target)] = "target"
    if plan.split_by in NEEDS_COLUMN and plan.split_column not in named:
        named[str(plan.split_column)] = "ignore"
    guessed = named_roles(table, named)
    named |= {name: "ignore" for name, role in plan.roles.items() if role == "ignore" != guessed[name]}
    made = named_roles(table, named)
    other = [name for name, role in made.items() if role != plan.roles.get(name)]
    if other:
        raise Unsayable(f"{isolated(other[0])} is a {plan.roles.get(other[0])}, which no flag says.")
    said = (plan.target, plan.split_column if plan.split_by in NEEDS_COLUMN else None)
    yield from (
        f"--{role}={name}" for name, role in named.items() if not (name in said and role in SAID_OTHERWISE)
    )


_TEXTS: dict[str, str] = {
    "encoding": "--encoding", "decimal": "--decimal", "dates": "--dates", "part": "--sheet",
    "first_line": "--first-line", "sample_rows": "--sample-rows", "sample_share": "--sample-share",
}  # fmt: skip
_SWITCHES: dict[tuple[str, bool], str] = {
    ("header", True): "--header", ("header", False): "--no-header", ("units", False): "--keep-units",
    ("usual_missing", False): "--only-missing", ("merged", True): "--fill-merged",
    ("footer", False): "--keep-footer", ("footer", True): "--drop-footer",
    ("unpacks_all", True): "--unpack-all",
}  # fmt: skip
_LISTS: dict[str, Callable[[Any], str]] = {
    "missing": lambda code: f"--missing={code}", "kinds": lambda pair: f"--kind={pair[0]}={pair[1]}",
}  # fmt: skip


def _reading_flags(options: ReadOptions) -> Iterator[str]:
    """Yield what `options_of` reads as these options."""
    for name in (f.name for f in fields(options) if f.name != "known"):
        value = getattr(options, name)
        if value == getattr(GUESS_ALL, name):
            continue
        if name == "separator":
            yield f"--separator={'tab' if value == chr(9) else value}"
        elif name == "map_folder":
            yield f"--map-folder={value}" if value else "--map"
        elif name in _TEXTS:
            yield f"{_TEXTS[name]}={value}"
        elif name in _LISTS:
            yield from map(_LISTS[name], value)
        elif (name, value) in _SWITCHES:
            yield _SWITCHES[name, value]
        else:
            raise Unsayable(f"no flag says how its table is read ({name.replace('_', ' ')}).")


def _parameter_flags(run: Run) -> Iterator[str]:
    """Yield the flags of parameters that are not at their defaults."""
    for name, value in differing(run.params).items():
        declared = BY_NAME[name]
        text = declared.shown(value)
        if declared.parse(text) != value:
            raise Unsayable(f"{declared.label} cannot be written in a flag.")
        yield f"{declared.flag}={text}"
