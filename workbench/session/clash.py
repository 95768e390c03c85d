"""What of the choices does not go together, or with the table, found before training is asked for."""

from __future__ import annotations

from operator import is_not
from typing import TYPE_CHECKING

from workbench.data.named_columns import first_unfit
from workbench.data.schema import Feature
from workbench.metrics.facts import asked_metrics, unfit_metric, unknown_metric
from workbench.parameters.clashes import Clash, first_clash
from workbench.parameters.methods import METHODS
from workbench.parameters.nearest import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from workbench.data.table import Table
    from workbench.parameters.training import TrainingParams
    from workbench.session.objective_facts import ObjectiveFacts
    from workbench.session.plan import Plan


def clash_of(
    params: TrainingParams,
    plan: Plan,
    facts: ObjectiveFacts,
    choices: Iterable[ObjectiveFacts] = (),
    own_metrics: Sequence[str] = (),
) -> Clash | None:
    """Return the first clash among parameters and plan, None where they go together.

    Parameters
    ----------
    facts : ObjectiveFacts
        Of the planned objective; its metrics are those that can be taken.
    choices : iterable of ObjectiveFacts
        Of all objectives, whose metrics are all there are; a name is not asked about while there are none.
    own_metrics : sequence of str
        Names of metrics from a person's own files.
    """
    known = [name for of in (facts, *choices) for m in of.metrics for name in (m.name, *m.aliases)]
    found = (
        (unknown_metric(params, dict.fromkeys(known)) if facts.metrics else None)
        or _unfit_task(params, facts)
        or first_clash(params.change(objective=facts.name), own_metrics)
        or (_unfit_metric(params, plan, facts) if facts.metrics else None)
    )
    if found is not None:
        return found
    if params.early_stopping_rounds is not None and not plan.holds_out:
        return Clash(
            "early_stopping_rounds", "valid_fraction",
            "no rows are held out that could be watched; hold out a share of them under Data",
        )
    if facts.task == "regression" and params.class_weights:
        return Clash("class_weights", "objective", f"{facts.name} predicts a number, not classes")
    if facts.task in ("regression", "multiclass") and params.scale_pos_weight != 1.0:
        return Clash("scale_pos_weight", "objective", f"{facts.name} does not predict one of two classes")
    return None


def _unfit_task(params: TrainingParams, facts: ObjectiveFacts) -> Clash | None:
    """Find a method that cannot be trained on such a target, whatever the objective."""
    method = METHODS[params.method]
    if method.others is None or facts.task is None or facts.task in method.objectives:
        return None
    fitting = " and ".join(method.objectives)
    advice = f"{method.name} is for {fitting} targets, and this one is {facts.task}; choose another method"
    return Clash("objective", "method", advice)


def _unfit_metric(params: TrainingParams, plan: Plan, facts: ObjectiveFacts) -> Clash | None:
    """Find a metric that cannot be taken of what the objective predicts."""
    for parameter, name in asked_metrics(params):
        if not facts.takes(name, plan.has_groups):
            fitting = [metric.name for metric in facts.metrics]
            return unfit_metric(parameter, name, facts.name, facts.task or "", fitting)
    return None


class LastClash:
    """Keeps the last answer for as long as all that was asked about is the same: views ask at every round."""

    def __init__(self) -> None:
        self._asked: tuple[object, ...] = ()
        self._found: Clash | None = None

    def of(self, asked: tuple[object, ...], find: Callable[[], Clash | None]) -> Clash | None:
        """Return what `find` found for these objects."""
        if len(asked) != len(self._asked) or any(map(is_not, asked, self._asked)):
            self._asked, self._found = asked, find()
        return self._found


def clash_with_table(table: Table, plan: Plan, params: TrainingParams) -> Clash | None:
    """Return the first parameter that names what the table, or what its columns are for, does not have."""
    if not plan.n_features:
        return None  # which is said where roles are chosen
    features = (Feature.of(column) for column in table.columns if plan.roles.get(column.name) == "feature")
    return first_unfit(features, params) or _unknown_class(table, plan, params)


def _unknown_class(table: Table, plan: Plan, params: TrainingParams) -> Clash | None:
    """Find a class with a weight that the target, where it is text, does not have."""
    target = None if plan.target is None else table.column(plan.target)
    if target is None or target.kind != "category":
        return None
    classes = target.categories
    wrong = next((label for label, _ in params.class_weights if label not in classes), None)
    if wrong is None:
        return None
    return Clash("class_weights", "", f"names '{wrong}', which is no class. {nearest(wrong, classes)}")
