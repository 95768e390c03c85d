"""The command line that trains a run again, or why there is none."""

from __future__ import annotations

import shlex
from dataclasses import fields
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.data.readers.options import GUESS_ALL
from workbench.data.roles import named_roles
from workbench.ensembles.events import EndReason
from workbench.isolation import isolated
from workbench.parameters.training import BY_NAME
from workbench.session.branching import differing
from workbench.session.journal.kinds.start import StartRun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.data.readers.options import ReadOptions
    from workbench.session.plan import Plan
    from workbench.session.run import Run
    from workbench.session.session import Session

ROLES_OF_ONE = ("weight", "group", "offset")
MODEL = "model.json"
INSTEAD = "Copy it as Python instead."


class CommandLine(NamedTuple):
    """The command, or why it cannot be said in one; the other is empty."""

    text: str
    problem: str = ""


class Unsayable(Exception):
    """What the command line has no words for; one sentence."""


def command_of(session: Session, run: Run) -> CommandLine:
    """Return the command that trains a run from the file of its table; looks at the table's values.

    Its model file is that of the run, byte for byte.
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
    _check_split(plan, run)
    yield str(source.path)
    yield from (f"--target={plan.target}", f"--objective={plan.objective}")
    yield f"--valid-fraction={plan.valid_fraction!r}"
    if plan.positive is not None:
        yield f"--positive={plan.positive}"
    yield from _role_flags(session, run, plan)
    yield from _reading_flags(source.options or GUESS_ALL)
    yield from _parameter_flags(run)
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
    if run.changes:
        change = run.changes[0]
        raise Unsayable(f"{change.text} was changed at round {change.round}, while it trained.")
    if run.ended.reason is EndReason.STOPPED:
        raise Unsayable("it was stopped by hand.")
    if run.own.objective is not None or run.own.metrics:
        raise Unsayable("it trains with Python files of your own.")


def _check_split(plan: Plan, run: Run) -> None:
    if plan.valid_fraction and plan.split_seed != run.params.seed:
        raise Unsayable("rows are held out with another seed than the run's.")
    if plan.valid_fraction and not plan.stratified:
        raise Unsayable("rows are held out without regard to classes.")


def _role_flags(session: Session, run: Run, plan: Plan) -> Iterator[str]:
    """Yield the flags of roles that are not guessed as they are planned."""
    table = session.data.table
    if run.kinds:
        raise Unsayable(f"{isolated(next(iter(run.kinds)))} was given another kind.")
    if table is None or session.data.changed_kinds:
        raise Unsayable("kinds of columns were changed since.")
    named: dict[str, Any] = {name: role for name, role in plan.roles.items() if role in ROLES_OF_ONE}
    named[str(plan.target)] = "target"
    guessed = named_roles(table, named)
    named |= {name: "ignore" for name, role in plan.roles.items() if role == "ignore" != guessed[name]}
    made = named_roles(table, named)
    other = [name for name, role in made.items() if role != plan.roles.get(name)]
    if other:
        raise Unsayable(f"{isolated(other[0])} is a {plan.roles.get(other[0])}, which no flag says.")
    yield from (f"--{role}={name}" for name, role in named.items() if role != "target")


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
