"""A model that training goes on from, held against the table and the objective it goes on with."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.data.found_columns import found_columns
from workbench.data.other_columns import other_columns
from workbench.errors import WorkbenchError
from workbench.formats.code.links import link_of
from workbench.formats.edits import KEY, up_to
from workbench.parameters.clashes import SHAPES, check_goes_on
from workbench.parameters.training import BY_NAME

if TYPE_CHECKING:
    from workbench.data.dataset import Dataset
    from workbench.data.schema import DataSchema
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.own_parts import OwnParts
    from workbench.ensembles.run.objective import HasSchema
    from workbench.formats.model import Model
    from workbench.parameters.training import TrainingParams

KNOWN_PROGRAMS = ("Boosting Workbench", "XGBoost")  # whose files say slope, power and quantiles
OF_LOSS = ("objective", *SHAPES.values())
RESTRAINTS = ("monotone_constraints", "interaction_constraints", "forbidden_columns")
MOST_LABELS = 5  # that a line names
UNNAMED_OFFSET = "base_margin"  # of values that were given apart, which may be those of a column


def checked_start(start: Model, dataset: HasSchema, params: TrainingParams, own: OwnParts) -> Ensemble:
    """Return the trees to go on from; refuse a model of another table, or one trained otherwise."""
    _check_columns(start.schema, dataset.schema)
    if start.objective is None:
        return _with_objective(start, dataset, params, own)
    ensemble = start.ensemble if own.objective is not None else _with_another(start, dataset, params)
    if ensemble is start.ensemble and start.provenance.get("program") in KNOWN_PROGRAMS:
        check_goes_on(start.ensemble.objective, start.params, params)
    return ensemble


def matched(start: Model, given: DataSchema) -> list[str]:
    """Say which columns have another name in the model than in the table."""
    return [
        f"Column '{here}' is '{name}' in the model that training goes on from."
        for name, here in found_columns(start.schema, given.names).items() if here != name
    ]  # fmt: skip


def told(start: Model, given: DataSchema, params: TrainingParams) -> list[str]:
    """Say what to know of going on from a model: names that changed, restraints of some rounds alone."""
    return [*matched(start, given), *partial_restraints(start, params)]


def partial_restraints(start: Model, params: TrainingParams) -> list[str]:
    """Say which restraints hold in the rounds before or in those after alone, so not of the model."""
    said = []
    for name in RESTRAINTS:
        before, now = (getattr(one, name) for one in (start.params, params))
        if not start.rounds or before == now:
            continue
        if name not in start.known_params and not now:
            continue
        rounds = f"from round {start.rounds + 1} on" if now else f"up to round {start.rounds}"
        other = "with others" if before and now else "without it"
        others = f"the rounds {'before' if now else 'after'} are trained {other}"
        said.append(f"{name} holds {rounds} alone: {others}, so the model as a whole need not keep it.")
    return said


def joined(start: Model, model: Model) -> Model:
    """Return the model that training came to, with the rounds of before in its history."""
    notes = [*model.provenance.get("notes", []), *told(start, model.schema, model.params)]
    history = _history(start, model)
    edits = [*up_to(start.provenance.get(KEY, []), start.rounds), *model.provenance.get(KEY, [])]
    kept = {"notes": notes, **({KEY: edits} if edits else {})}
    return replace(model, history=history, provenance=model.provenance | kept)


def _history(start: Model, model: Model) -> tuple[dict[str, Any], ...]:
    """Return a record for every round of a model that went on from `start`; of unknown rounds the number.

    Where it went on with another objective, each tells its own, and what shapes it.
    """
    known = start.history[: start.rounds]
    known += tuple({"round": number} for number in range(len(known) + 1, start.rounds + 1))
    if start.ensemble.objective == model.ensemble.objective:
        return known + model.history
    before = start.params.change(objective=start.ensemble.objective)
    names = [name for name in OF_LOSS if getattr(before, name) != getattr(model.params, name)]
    both = before, model.params
    then, now = ({name: BY_NAME[name].shown(getattr(one, name)) for name in names} for one in both)
    return (*(then | row for row in known), *(now | row for row in model.history))


def best_of(
    start: Model, dataset: Dataset, params: TrainingParams, own: OwnParts
) -> tuple[int, float] | None:
    """Return the best round of a model and its watched metric, where the new run watches the same.

    None where that is another metric, or where it is taken of more or fewer rows.
    """
    known = start.provenance
    round_number, watched = known.get("best_round", 0), known.get("watched", "")
    rows = len(dataset.train_rows), len(dataset.valid_rows)
    if (known.get("n_train"), known.get("n_valid")) != rows or watched != _watched(dataset, params, own):
        return None
    if not 1 <= round_number <= min(start.rounds, len(start.history)):
        return None
    value = start.history[round_number - 1].get(f"{'valid' if rows[1] else 'train'}:{watched}")
    return None if value is None else (round_number, float(value))


def _watched(dataset: Dataset, params: TrainingParams, own: OwnParts) -> str:
    """Return the name of the metric that a run watches."""
    from workbench.ensembles.run.objective import resolve_objective
    from workbench.metrics.base import METRICS

    if params.metric == "auto":
        return (own.objective or resolve_objective(params.objective, dataset, params.method)).metrics[0]
    if params.metric in [metric.name for metric in own.metrics]:
        return params.metric
    return METRICS.get(params.metric).name


def _with_another(start: Model, dataset: HasSchema, params: TrainingParams) -> Ensemble:
    """Let a model go on with another objective, if that is named and its trees add up to the same."""
    from workbench.ensembles.run.objective import objective_of_run
    from workbench.objectives.following import no_following

    before = start.ensemble.objective
    if params.objective == "auto" or start.schema.task != dataset.schema.task:
        return start.ensemble
    both = objective_of_run(before, start, start.params), objective_of_run(params.objective, dataset, params)
    if both[1].name == before or no_following(*both, len(dataset.schema.class_labels)):
        return start.ensemble
    return replace(start.ensemble, objective=both[1].name)


def _with_objective(start: Model, dataset: HasSchema, params: TrainingParams, own: OwnParts) -> Ensemble:
    """Let a model whose file tells a link alone go on with any objective that has it."""
    from workbench.ensembles.run.objective import resolve_objective

    objective = own.objective or resolve_objective(params.objective, dataset, params.method)
    chosen = replace(start.ensemble, objective=objective.name)
    if link_of(chosen) != link_of(start.ensemble):
        raise WorkbenchError(
            f"The file of the model to go on from does not tell its objective, but the link of "
            f"'{start.ensemble.objective}', which '{objective.name}' has not. Choose one that has it."
        )
    return chosen


def _check_columns(known: DataSchema, given: DataSchema) -> None:
    """Refuse to go on from a model of other columns, of other categories or classes, of another offset."""
    found = found_columns(known, given.names)
    as_here = [replace(feature, name=found.get(feature.name, feature.name)) for feature in known.features]
    difference = other_columns(as_here, given.features)
    if difference is not None:
        raise WorkbenchError(
            f"The model to go on from is of another table: {difference}. Give the table it was trained on."
        )
    if known.class_labels != given.class_labels:
        has, gets = (_listed(one.class_labels) for one in (known, given))
        raise WorkbenchError(f"The model to go on from predicts {has}, and the table has {gets}.")
    offsets = known.offset, given.offset
    if known.offset != given.offset and (None in offsets or UNNAMED_OFFSET not in offsets):
        has, gets = (f"the offset '{name}'" if name else "no offset" for name in offsets)
        raise WorkbenchError(
            f"The model to go on from was trained with {has}, and this run has {gets}. Give the same."
        )


def _listed(labels: tuple[Any, ...]) -> str:
    more = " …" if len(labels) > MOST_LABELS else ""
    return f"the classes {', '.join(map(str, labels[:MOST_LABELS]))}{more}" if labels else "a number"
