"""A run that branches off another: it shares rounds, and its parameters may differ from there on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.data.named_columns import first_unfit
from workbench.ensembles.run.measured import MEASURING
from workbench.errors import WorkbenchError
from workbench.parameters.clashes import check_together
from workbench.parameters.training import BY_NAME, PARAMETERS, TrainingParams, resolved

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.ensembles.events import TrainingStarted
    from workbench.session.run import Run

BINS = "it makes the bins"
ONE_ROUND = "the one round is grown with it"
WHY_FIXED = {
    "max_bin": BINS, "tree_method": BINS, "min_category_rows": BINS,
    "method": "a model grows and adds up all its trees in one way",
    "objective": "loss, link and leaf weights of all rounds are of one; its shape may differ, as huber_slope",
    "base_score": "every round stands on it",
    "adaboost": "all trees of a model vote in one way",
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
    new = resolved(dict(values))
    known = run.params_at(at)
    params = known.change(**new)
    before, after = known.to_dict(), params.to_dict()
    fixed = [name for name in after if after[name] != before[name] and why_fixed(name)]
    if fixed:
        reason = why_fixed(fixed[0])
        raise WorkbenchError(f"{fixed[0]} cannot differ in a branch: {reason}. Start a new run.")
    check_together(
        params.change(objective=run.started.ensemble.objective), [metric.name for metric in run.own.metrics]
    )
    started = started_with(run, params)
    made = run.leaving(params, at, run.rounds[:at])
    made.started = started
    return made


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
    known = started.params
    told = replace(started, params=params.change(objective=known.objective))
    if run.own_missing or all(getattr(known, name) == getattr(params, name) for name in MEASURING):
        return told
    from workbench.ensembles.class_weights import class_weights
    from workbench.ensembles.run.metrics import RunMetrics
    from workbench.ensembles.run.objective import objective_of_run
    from workbench.threads.team import ALONE

    name = started.ensemble.objective
    if name == "quantile" and len(known.quantile_alpha) != len(params.quantile_alpha):
        raise WorkbenchError(
            "quantile_alpha cannot have another number of quantiles in a branch: each has trees of its own. "
            "Start a new run."
        )
    class_weights(run.schema, params)
    objective = run.own.objective or objective_of_run(name, run.kept(), params)
    has_groups = run.plan is not None and run.plan.has_groups
    if run.dataset is not None:
        has_groups = run.dataset.groups is not None
    metrics = RunMetrics(
        objective, params, started.n_train, started.n_valid, ALONE, has_groups, run.own.metrics
    )
    names = objective.output_names(run.schema.class_labels)
    return replace(
        told, ensemble=replace(started.ensemble, output_names=names), metrics=metrics.names,
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
