"""The parts of a session's state that an action changed, as JSON values, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.session.journal.action import action_of
from workbench.session.journal.kinds.goal import SetGoal
from workbench.session.playground.drawing import drawing_of
from workbench.session.project.run_record import kinds_of, params_of, plan_of, plan_record
from workbench.session.run_parts.marks import RunCard
from workbench.session.set_aside import SetAside

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

MOST_RUN_NUMBER = 10_000_000
OF_RUNS = ("wanted", "card", "stretches", "lengthened")


def state_record(state: Mapping[Any, Any], other: Mapping[Any, Any]) -> dict[str, Any]:
    """Return it; of a table the kinds of the columns that differ from those in `other`."""
    record: dict[str, Any] = {}
    for key, value in state.items():
        match key:
            case "table":
                record[key] = _kinds(value, other[key])
            case "points":
                record[key] = None if value is None else value.record()
            case "plan":
                record[key] = plan_record(value)
            case "own":
                continue  # no file is run again without asking
            case "first":
                params, aside = value
                told = None if aside is None else [aside.own.to_dict(), dict(aside.told)]
                record[key] = [params.to_dict(), told]
            case "goal":
                record[key] = None if value is None else value.record()
            case ("wanted", number):
                record[f"wanted {number}"] = None if value is None else value.to_dict()
            case ("card", number):
                record[f"card {number}"] = None if value is None else list(value)
            case ("stretches" | "lengthened" as name, number):
                record[f"{name} {number}"] = value
            case _:
                record[key] = list(value) if isinstance(value, tuple) else value
    return record


def state_of(record: Any) -> dict[Hashable, Any]:
    """Read what `state_record` wrote; a table is the kinds of some columns still."""
    state: dict[Hashable, Any] = {}
    for key, value in checks.mapping(record, "a state").items():
        name, _, number = key.partition(" ")
        if name in OF_RUNS:
            state[name, checks.integer(int(number), "a run", 1, MOST_RUN_NUMBER)] = _of_run(name, value)
        elif key == "table":
            state[key] = kinds_of(value)
        elif key == "points":
            state[key] = None if value is None else drawing_of(value)
        elif key == "plan":
            state[key] = plan_of(value)
        elif key == "first":
            params, told = value
            aside = None if told is None else SetAside(params_of(told[0]), checks.mapping(told[1], "params"))
            state[key] = (params_of(params), aside)
        elif key == "shown":
            state[key] = checks.integer(value, "shown", 0, MOST_RUN_NUMBER)
        elif key == "breakpoints":
            state[key] = dict(checks.mapping(value, "breakpoints"))
        elif key == "goal":
            state[key] = None if value is None else _goal_of(value)
        elif key == "listed":
            state[key] = tuple(checks.integers(value, "listed", low=1, high=MOST_RUN_NUMBER).tolist())
        else:
            raise WorkbenchError(f"Damaged project: a state has a part '{key:.40}' that there is not.")
    return state


def _goal_of(record: Any) -> SetGoal:
    goal = action_of(record)
    if not isinstance(goal, SetGoal):
        raise WorkbenchError("Damaged project: a goal in a state is none.")
    return goal


def _of_run(name: str, value: Any) -> Any:
    if value is None:
        return None
    if name == "wanted":
        return params_of(value)
    if name in ("stretches", "lengthened"):
        return checks.integer(value, name, 0, MOST_RUN_NUMBER)
    title, note, pinned = value
    return RunCard(checks.text(title, "a name"), checks.text(note, "a note"), pinned is True)


def _kinds(value: Any, other: Any) -> dict[str, str]:
    tables = (one[0] if one is not None else None for one in (value, other))
    mine, its = tables
    if mine is None or its is None:
        return {}
    known = {column.name: column.kind for column in its.columns}
    return {column.name: column.kind for column in mine.columns if known.get(column.name) != column.kind}
