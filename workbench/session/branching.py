"""A run that branches off another: it shares rounds, and its parameters may differ from there on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.data.named_columns import first_unfit
from workbench.ensembles.run.measured import MEASURING
from workbench.errors import WorkbenchError
from workbench.parameters.clashes import check_together
from workbench.parameters.methods import METHODS
from workbench.parameters.training import BY_NAME, PARAMETERS, TrainingParams, resolved
from workbench.session.objective_facts import objective_facts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.ensembles.events import TrainingStarted
    from workbench.session.plan import Plan
    from workbench.session.run import Run

BINS = "it makes the bins"
ONE_ROUND = "the one round is grown with it"
WHY_FIXED = {
    "max_bin": BINS, "tree_method": BINS, "min_category_rows": BINS,
    "method": "a model grows and adds up all its trees in one way",
    "base_score": "every round was grown above it, and the next one takes back what it shifts",
    "ccp_alpha": ONE_ROUND, "step_column": ONE_ROUND, "step_search": ONE_ROUND,
}  # fmt: skip


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
    known = run.params_at(at)
    params = known.change(**resolved(dict(values)))
    before, after = known.to_dict(), params.to_dict()
    fixed = [name for name in after if after[name] != before[name] and why_fixed(name)]
    if fixed:
        reason = why_fixed(fixed[0])
        raise WorkbenchError(f"{fixed[0]} cannot differ in a branch: {reason}. Start a new run.")
    params = _with_objective(run, known, params)
    started = started_with(run, params)
    check_together(
        params.change(objective=started.ensemble.objective), [metric.name for metric in run.own.metrics]
    )
    made = run.leaving(params, at, run.rounds[:at])
    begin_with(made, started)
    return made


def other_objective(run: Run | None, at: int, plan: Plan) -> str:
    """Return the planned objective where it is not that of round `at`, and can follow it; else ""."""
    if run is None or run.started is None or run.schema is None or not 1 <= at <= len(run.rounds):
        return ""
    known = run.params_at(at)
    is_near = plan.objective != known.objective and plan.target == run.schema.target
    if not (is_near and METHODS[known.method].takes(plan.objective)):
        return ""
    try:
        made = _with_objective(run, known, known.change(objective=plan.objective))
    except WorkbenchError:
        return ""
    return "" if made.objective == known.objective else made.objective


def _with_objective(run: Run, known: TrainingParams, params: TrainingParams) -> TrainingParams:
    """Return the parameters with the own name of their objective, or as known where it is the same one.

    Raises
    ------
    WorkbenchError
        Its rounds cannot follow those that are known.
    """
    if params.objective == known.objective or run.started is None:
        return params
    from workbench.ensembles.run.objective import objective_in, objective_of_run, resolve_objective
    from workbench.objectives.following import no_following

    kept, name = run.kept(), objective_in(known, run.started.ensemble)
    other = resolve_objective(params.objective, kept, params.method).name
    if other == name:
        return params.change(objective=known.objective)
    before = run.own.objective or objective_of_run(name, kept, known)
    after = objective_of_run(other, kept, params)
    problem = no_following(before, after, len(kept.schema.class_labels))
    if problem:
        raise WorkbenchError(f"objective cannot differ so in a branch: {problem}. Start a new run.")
    return params.change(objective=other)


def begin_with(made: Run, started: TrainingStarted) -> None:
    """Let a run that leaves another say so at its start; it has the words of its own objective."""
    made.started, name = started, started.ensemble.objective
    if name != made.facts.name:
        made.facts = objective_facts(name).with_metrics(started.own_metrics)


def started_with(run: Run, params: TrainingParams) -> TrainingStarted:
    """Return what a run said at its start as it says it with other parameters.

    Raises
    ------
    WorkbenchError
        What they name of metrics, classes or columns is not there.
    """
    started = run.started
    if started is None or run.schema is None:
        raise WorkbenchError(f"{run.name} has no trees yet.")
    unfit = first_unfit(run.schema.features, params)
    if unfit is not None:
        raise WorkbenchError(unfit.text)
    from workbench.ensembles.run.objective import objective_in, objective_of_run

    known, name = started.params, objective_in(params, started.ensemble)
    if name == started.ensemble.objective:
        params = params.change(objective=known.objective)
    told = replace(started, params=params, ensemble=replace(started.ensemble, objective=name))
    if run.own_missing or all(getattr(known, name) == getattr(params, name) for name in MEASURING):
        return told
    from workbench.ensembles.class_weights import class_weights
    from workbench.ensembles.run.checks import check_target
    from workbench.ensembles.run.metrics import RunMetrics
    from workbench.threads.team import ALONE

    if name == "quantile" and len(known.quantile_alpha) != len(params.quantile_alpha):
        raise WorkbenchError(
            "quantile_alpha cannot have another number of quantiles in a branch: each has trees of its own. "
            "Start a new run."
        )
    class_weights(run.schema, params)
    objective = run.own.objective or objective_of_run(name, run.kept(), params)
    if run.dataset is not None:
        check_target(objective, run.dataset)
    has_groups = run.plan is not None and run.plan.has_groups
    if run.dataset is not None:
        has_groups = run.dataset.groups is not None
    metrics = RunMetrics(
        objective, params, started.n_train, started.n_valid, ALONE, has_groups, run.own.metrics
    )
    names = objective.output_names(run.schema.class_labels)
    return replace(
        told, ensemble=replace(told.ensemble, output_names=names), metrics=metrics.names,
        watched=metrics.watched, own_metrics=metrics.own_facts,
    )


def why_fixed(name: str) -> str:
    """Return why a parameter cannot differ in a branch; "" where it may."""
    return "" if BY_NAME[name].live or BY_NAME[name].in_branch else WHY_FIXED[name]


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
