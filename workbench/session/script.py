"""The script that grows runs again, with the same bits: as calls, and as Python."""

from __future__ import annotations

from dataclasses import fields, replace
from textwrap import fill, indent
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.ensembles.events import EndReason
from workbench.session.branching import why_fixed
from workbench.session.journal.action import Call
from workbench.session.journal.kinds.column_kind import ColumnKind
from workbench.session.journal.kinds.column_role import ColumnRole
from workbench.session.journal.kinds.objective import ChooseObjective
from workbench.session.journal.kinds.positive import Positive
from workbench.session.journal.kinds.target import Target
from workbench.session.open_data import hold_out_action
from workbench.session.plan import Plan
from workbench.session.playground.drawing import DECIMALS
from workbench.session.project.own_uses import uses_of
from workbench.session.run import RunState
from workbench.session.table_source import options_record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.parameters.training import TrainingParams
    from workbench.session.journal.action import Action
    from workbench.session.playground.drawing import Drawing
    from workbench.session.run import Run
    from workbench.session.run_parts.stretches import Stretch
    from workbench.session.session import Session

HEAD = "import workbench\n\n"
GUARD = 'if __name__ == "__main__":  # worker processes begin by reading this file\n'
DRAWN_HEAD = "import pandas\nimport workbench\n\n"
HELD_OUT = ("valid_fraction", "split_seed", "stratified", "split_by", "split_column", "split_file")
DEFAULTS = {f.name: f.default for f in fields(Plan) if f.name in HELD_OUT}


def script_of(session: Session, run: Run) -> str:
    """Return the Python of one run, and of those that it stands on."""
    return _python(session, stands_on(session, run))


def study_script(session: Session) -> str:
    """Return the Python of all runs, but for those that failed before their first round."""
    runs = [run for run in session.runs if run.rounds or run.state is not RunState.FAILED]
    return _python(session, runs)


def stands_on(session: Session, run: Run) -> list[Run]:
    """Return the runs that one was made of, the first one first, and itself."""
    chain: list[Run] = []
    found: Run | None = run
    while found is not None and found not in chain:
        chain.insert(0, found)
        found = session.runs.all.get(found.stands_on) if found.stands_on else None
    return chain


def study_call(session: Session, runs: Sequence[Run]) -> Call | None:
    """Return the call that begins the study, as the first of these runs found it; None without rows."""
    first = next((run for run in runs if run.plan is not None), None)
    if first is None or first.plan is None:
        return None
    plan, source, elsewhere = first.plan, session.data.source, session.data.elsewhere
    roles = {name: role for name, role in plan.roles.items() if role not in ("feature", "target")}
    told: dict[str, Any] = {"target": plan.target, "objective": plan.objective, "roles": roles}
    told |= {"kinds": dict(first.kinds)} if first.kinds else {}
    told |= {"positive": plan.positive} if plan.positive is not None else {}
    told |= {name: getattr(plan, name) for name, value in DEFAULTS.items() if getattr(plan, name) != value}
    read = source or elsewhere
    options = {} if read is None else options_record(read.options)
    told |= {"options": options} if options else {}
    if elsewhere is not None:
        told |= {"cluster": next((stretch.cluster for stretch in _stretches(runs)), None)}
        return Call("Study", (elsewhere.whole_path,), told)
    return Call("Study", () if source is None else (str(source.path.absolute()),), told)


def calls_of(session: Session, runs: Sequence[Run]) -> Iterator[Call]:
    """Yield the calls after it: those that change what is planned, and those that make and grow the runs."""
    told = [run for run in runs if run.plan is not None]
    if not told or told[0].plan is None:
        return
    plan, kinds = replace(told[0].plan, split_took=False), dict(told[0].kinds)  # as `study_call` tells it
    yield from _called(_own_files(session, told))
    for run in told:
        if run.plan is not None:
            actions, plan = _replanned(plan, run.plan)
            yield from _called(actions)
            changed = {name: kind for name, kind in run.kinds.items() if kinds.get(name) != kind}
            yield from _called([ColumnKind(name, "", kind) for name, kind in changed.items()])
            kinds = dict(run.kinds)
        yield from run_calls(run)


def _python(session: Session, runs: Sequence[Run]) -> str:
    begin = study_call(session, runs)
    if begin is None:
        return HEAD
    given = "" if begin.args else "frame, "
    drawing = session.playground.drawing
    lines = [] if drawing is None or begin.args else _frame(drawing)
    lines += [f"study = workbench.Study({given}{begin.arguments})"]
    lines += [call.python for call in calls_of(session, runs)]
    head = HEAD if drawing is None or begin.args else DRAWN_HEAD
    if any(stretch.cluster is not None for stretch in _stretches(runs)):
        head, lines = head + GUARD, [indent(line, "    ") for line in lines]
    return head + "\n".join(lines) + "\n"


def _stretches(runs: Sequence[Run]) -> Iterator[Stretch]:
    return (stretch for run in runs for stretch in run.stretches.counted)


def _frame(drawing: Drawing) -> list[str]:
    """Return the lines that make the table of points that are drawn."""
    columns: dict[str, list[Any]] = {
        name: np.round(values.astype(np.float64), DECIMALS).tolist()
        for name, values in (("x", drawing.x), ("y", drawing.y))
    }
    if not drawing.is_line:
        columns["class"] = [str(label) for label in drawing.label.tolist()]
    pairs = (f"    {name!r}: {values}," for name, values in columns.items())
    told = [fill(pair, 110, subsequent_indent=8 * " ", break_on_hyphens=False) for pair in pairs]
    return ["frame = pandas.DataFrame({", *told, "})"]


def _called(actions: Sequence[Action]) -> Iterator[Call]:
    yield from (action.call for action in actions if action.call is not None)


def _own_files(session: Session, runs: Sequence[Run]) -> list[Action]:
    journal = session.journal
    uses = uses_of(journal.lines, journal.position)
    every = [use for run in runs for use in uses.of(run, session.runs.all)]
    return list({(use.gives, use.path): use for use in every}.values())


def _replanned(before: Plan, plan: Plan) -> tuple[list[Action], Plan]:
    """Return what takes one plan to another, and the plan that it makes of it."""
    actions: list[Action] = []
    if plan.target != before.target and plan.target is not None:
        actions.append(Target(plan.target, plan.objective))
        before = replace(before.with_role(plan.target, "target"), objective=plan.objective,
                         positive=None)  # fmt: skip
    elif plan.objective != before.objective:
        actions.append(ChooseObjective(before.objective, plan.objective))
    held = hold_out_action(plan)
    if held != hold_out_action(before):
        actions.append(held)
        before = before.split_as(**{name: getattr(plan, name) for name in HELD_OUT})
    for name, role in plan.roles.items():
        if before.roles.get(name) != role:
            actions.append(ColumnRole(name, role))
            before = before.with_role(name, role)
    if plan.positive != before.positive:
        actions.append(Positive(plan.positive))
    return actions, replace(plan, roles=before.roles, split_took=before.split_took)


def run_calls(run: Run) -> list[Call]:
    """Return the calls that make a run, and grow it as far as it is grown."""
    calls = [run.made.call] if run.made is not None and run.made.call is not None else []
    begins = bool(calls) and calls[0].method == "train"
    for number, stretch in enumerate(run.stretches.counted):
        if begins or number:  # other calls make the first one whole
            calls += _stretch_calls(run, stretch, None if number else calls.pop())
    calls += [Call("rename", (run.card.title,), on=run.number)] if run.card.title else []
    return [*calls, *([Call("note=", (run.card.note,), on=run.number)] if run.card.note else [])]


def _stretch_calls(run: Run, stretch: Stretch, start: Call | None) -> Iterator[Call]:
    """Yield the calls of rounds grown in one go; `start` begins the run where it has no rounds yet."""
    first, last = stretch.first, stretch.last if stretch.ended else len(run.rounds)
    before = run.params_at(first) if first else stretch.params
    was_stopped = stretch.ended is None or stretch.ended.reason is EndReason.STOPPED
    changes = _changes(run, stretch, last)
    pauses = [*(number - 1 for number, _ in changes), *([last] if was_stopped else [])]
    until = {"until": pauses[0]} if pauses else {}
    cluster = {} if stretch.cluster is None else {"cluster": stretch.cluster}
    if start is not None:
        yield start._replace(values={**start.values, **cluster, **until})
    else:
        wanted = _differing(before, stretch.params)
        wanted.pop("rounds", None)
        if wanted:
            yield Call("change", (), wanted, on=run.number)
        yield Call("grow", (stretch.params.rounds - first,), {**cluster, **until}, on=run.number)
    for place, (number, values) in enumerate(changes):
        yield Call("change", (), {**values, "at": number}, on=run.number)
        further = pauses[place + 1 : place + 2]
        yield Call("grow", (), {"until": further[0]} if further else {}, on=run.number)
    if stretch.ended is not None and was_stopped:
        yield Call("stop", on=run.number)


def _changes(run: Run, stretch: Stretch, last: int) -> list[tuple[int, dict[str, Any]]]:
    """Return the live parameters that changed while these rounds were grown, by round."""
    before, found = stretch.params, []
    for event in run.rounds[stretch.first : last]:
        if event.params is not before and (values := _differing(before, event.params)):
            found.append((event.round, values))
        before = event.params
    return found


def _differing(before: TrainingParams, after: TrainingParams) -> dict[str, Any]:
    known = before.to_dict()
    return {
        name: value for name, value in after.to_dict().items()
        if value != known[name] and not why_fixed(name)
    }  # fmt: skip
