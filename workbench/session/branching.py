"""A run that branches off another: it shares rounds, and its parameters may differ from there on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.parameters.clashes import check_together
from workbench.parameters.training import BY_NAME, PARAMETERS, TrainingParams, resolved

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.session.run import Run


def branched(run: Run, at: int, values: Mapping[str, Any]) -> Run:
    """Return a run with the first `at` rounds of another, and other values of some parameters.

    Raises
    ------
    WorkbenchError
        There are not so many rounds, or a parameter may not differ.
    """
    if not isinstance(at, int) or not 1 <= at <= len(run.rounds):
        raise WorkbenchError(f"{run.name} has {len(run.rounds)} rounds; there is no round {at} to branch at.")
    if run.started is None or run.schema is None:
        raise WorkbenchError(f"{run.name} has no trees yet.")
    new = resolved(dict(values))
    known = run.params_at(at)
    params = known.change(**new)
    before, after = known.to_dict(), params.to_dict()
    fixed = [name for name in after if after[name] != before[name] and not may_differ(name)]
    if fixed:
        raise WorkbenchError(
            f"{fixed[0]} cannot differ in a branch: it changes the bins or what is measured. Start a new run."
        )
    check_together(params, [metric.name for metric in run.own.metrics])
    made = run.leaving(params, at, run.rounds[:at])
    made.started = replace(run.started, params=params.change(objective=run.started.params.objective))
    return made


def may_differ(name: str) -> bool:
    """Whether a branch may have another value of a parameter than the run that it leaves."""
    return BY_NAME[name].live or BY_NAME[name].in_branch


def differing(params: TrainingParams) -> dict[str, Any]:
    """Return those that are not at their defaults, but for the objective, by name."""
    return {
        p.name: getattr(params, p.name) for p in PARAMETERS
        if p.name != "objective" and getattr(params, p.name) != p.default_of(params.method)
    }  # fmt: skip


def check_live(values: Mapping[str, Any]) -> None:
    """Refuse parameters that cannot change while a run trains."""
    fixed = [name for name in values if not BY_NAME[name].live]
    if fixed:
        raise WorkbenchError(f"{fixed[0]} cannot change during a run. Start a new one, or branch.")
