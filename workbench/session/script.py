"""The Python that grows runs again, with the same bits."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from workbench.ensembles.events import EndReason
from workbench.session.branching import may_differ
from workbench.session.journal.kinds.column_kind import ColumnKind
from workbench.session.journal.kinds.column_role import ColumnRole
from workbench.session.journal.kinds.hold_out import HoldOut
from workbench.session.journal.kinds.objective import Objective
from workbench.session.journal.kinds.own_file import OwnFileUse
from workbench.session.journal.kinds.positive import Positive
from workbench.session.journal.kinds.target import Target
from workbench.session.plan import Plan
from workbench.session.table_source import options_record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.parameters.training import TrainingParams
    from workbench.session.run import Run, Stretch
    from workbench.session.session import Session

HEAD = "import workbench\n\n"
HELD_OUT = ("valid_fraction", "split_seed", "stratified")
DEFAULTS = {f.name: f.default for f in fields(Plan) if f.name in HELD_OUT}


def script_of(session: Session, run: Run) -> str:
    """Return the script of one run, and of those that it stands on."""
    chain: list[Run] = []
    next_run: Run | None = run
    while next_run is not None:
        chain.insert(0, next_run)
        next_run = session.runs.all.get(next_run.stands_on) if next_run.stands_on else None
    return _script(session, chain)


def study_script(session: Session) -> str:
    """Return the script of all runs."""
    return _script(session, list(session.runs))


def _script(session: Session, runs: Sequence[Run]) -> str:
    told = [run for run in runs if run.plan is not None]
    if not told or told[0].plan is None:
        return HEAD
    plan, kinds = told[0].plan, dict(told[0].kinds)
    lines = [_study(session, plan, kinds), *_own_files(session, told)]
    for run in told:
        if run.plan is not None:
            lines += _plan_lines(plan, run.plan)
            changed = {name: kind for name, kind in run.kinds.items() if kinds.get(name) != kind}
            lines += [ColumnKind(name, "", kind).python for name, kind in changed.items()]
            plan, kinds = run.plan, dict(run.kinds)
        lines += run_lines(run)
    return HEAD + "\n".join(lines) + "\n"


def _study(session: Session, plan: Plan, kinds: dict[str, Any]) -> str:
    source = session.data.source
    given = repr(str(source.path)) if source is not None else "frame"
    roles = {name: role for name, role in plan.roles.items() if role not in ("feature", "target")}
    told: dict[str, Any] = {"target": plan.target, "objective": plan.objective, "roles": roles}
    told |= {"kinds": kinds} if kinds else {}
    told |= {"positive": plan.positive} if plan.positive is not None else {}
    told |= {name: getattr(plan, name) for name, value in DEFAULTS.items() if getattr(plan, name) != value}
    options = options_record(source.options) if source is not None else {}
    told |= {"options": options} if options else {}
    return f"study = workbench.Study({given}, {_arguments(told)})"


def _own_files(session: Session, runs: Sequence[Run]) -> list[str]:
    if not any(run.own.metrics or run.own.objective for run in runs):
        return []
    return [OwnFileUse(file.path, file.kind, file.sha256, True).python for file in session.own_files.files]


def _plan_lines(before: Plan, plan: Plan) -> list[str]:
    """Return what takes one plan to another."""
    lines = []
    if plan.target != before.target and plan.target is not None:
        lines.append(Target(plan.target, plan.objective).python)
        before = before.with_role(plan.target, "target")
    elif plan.objective != before.objective:
        lines.append(Objective(before.objective, plan.objective).python)
    lines += [
        ColumnRole(name, role).python for name, role in plan.roles.items() if before.roles.get(name) != role
    ]
    if plan.positive != before.positive:
        lines.append(Positive(plan.positive).python)
    held, known = ((p.valid_fraction, p.split_seed, p.stratified) for p in (plan, before))
    return lines if held == known else [*lines, HoldOut(*held).python]


def run_lines(run: Run) -> list[str]:
    """Return the lines that make a run and grow it as far as it is grown."""
    lines = [run.made.python] if run.made is not None else []
    for number, stretch in enumerate(run.stretches[: run.n_stretches]):
        is_first = not number and run.branch is None
        lines += _stretch_lines(run, stretch, lines.pop() if is_first and lines else "")
    name = f"run{run.number}"
    lines += [f"{name}.rename({run.card.title!r})"] if run.card.title else []
    lines += [f"{name}.note = {run.card.note!r}"] if run.card.note else []
    return lines


def _stretch_lines(run: Run, stretch: Stretch, start: str) -> Iterator[str]:
    """Yield the lines of rounds grown in one go; `start` begins the run where it has no rounds yet."""
    name, first, last = f"run{run.number}", stretch.first, stretch.last if stretch.ended else len(run.rounds)
    before = run.params_at(first) if first else stretch.params
    was_stopped = stretch.ended is None or stretch.ended.reason is EndReason.STOPPED
    changes = _changes(run, stretch, last)
    pauses = [*(number - 1 for number, _ in changes), *([last] if was_stopped else [])]
    until = f"until={pauses[0]}" if pauses else ""
    if start:
        separator = ", " if until and not start.endswith("(") else ""
        yield f"{start[:-1]}{separator}{until})"
    else:
        wanted = _differing(before, stretch.params)
        wanted.pop("rounds", None)
        if wanted:
            yield f"{name}.change({_arguments(wanted)})"
        yield f"{name}.grow({stretch.params.rounds - first}{until and f', {until}'})"
    for place, (number, values) in enumerate(changes):
        yield f"{name}.change({_arguments(values)}, at={number})"
        further = pauses[place + 1 :]
        yield f"{name}.grow({f'until={further[0]}' if further else ''})"
    if stretch.ended is not None and was_stopped:
        yield f"{name}.stop()"


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
        if value != known[name] and may_differ(name)
    }  # fmt: skip


def _arguments(values: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in values.items())
