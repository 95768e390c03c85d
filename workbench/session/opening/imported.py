"""A run made of a model file, so that its trees and curves can be looked at like any other's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.ensembles.events import EndReason, RoundFinished, TrainingEnded, TrainingStarted
from workbench.ensembles.impurity.structures import of_round
from workbench.formats.own.history_csv import is_extra, params_of_row
from workbench.metrics.facts import MetricFacts
from workbench.objectives.base import OBJECTIVES
from workbench.session.objective_facts import objective_facts
from workbench.session.run import Run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.ensembles.dropout import Dropout
    from workbench.ensembles.ensemble import Ensemble
    from workbench.formats.model import Model
    from workbench.trees.tree import Tree

UNKNOWN = float("nan")


def run_of(model: Model) -> Run:
    """Return an ended run with the model's trees and, where the file has them, its figures."""
    run = Run(1, model.params, objective_facts(model.ensemble.objective))
    run.schema, run.read = model.schema, model
    started = _started(model)
    run.apply(started)
    dropouts = {dropout.round: dropout for dropout in model.ensemble.dropouts}
    for index in range(model.rounds):
        run.apply(_round(model, index, started.metrics, dropouts.get(index + 1)))
    run.wanted = run.params_in_force
    best = _best(model.provenance, model.rounds)
    seconds, cuts = model.provenance.get("seconds", UNKNOWN), tuple(model.provenance.get("cuts", ()))
    are_known = len(cuts) == len(model.schema.features)
    run.apply(TrainingEnded(EndReason.FINISHED, model.rounds, best, seconds, cuts if are_known else ()))
    return run


def _started(model: Model) -> TrainingStarted:
    known = model.provenance
    metrics = tuple(known.get("metrics", ())) or OBJECTIVES.get(model.ensemble.objective).metrics
    watched = known.get("watched", metrics[0])
    return TrainingStarted(
        ensemble=model.ensemble.with_trees(()),
        params=model.params,
        metrics=tuple(dict.fromkeys((*metrics, watched))),
        watched=watched,
        n_train=known.get("n_train", model.schema.rows),
        n_valid=known.get("n_valid", 0),
        initial_train=known.get("initial_train", {}),
        initial_valid=known.get("initial_valid", {}),
        initial_loss=UNKNOWN,
        own_metrics=tuple(
            MetricFacts(str(name), unit="from a Python file", higher_is_better=direction == "higher")
            for name, direction in known.get("own_metrics", {}).items()
        ),
    )


def _round(
    model: Model, index: int, metrics: tuple[str, ...], dropout: Dropout | None
) -> RoundFinished:
    ensemble: Ensemble = model.ensemble
    trees = ensemble.trees_of(index + 1)
    row = model.history[index] if index < len(model.history) else {}
    valid = _metrics(row, "valid:")
    figures = {name: row.get(name, UNKNOWN) for name in ("loss", "omega", "omega_leaves", "omega_weights",
                                                          "promised", "delivered", "seconds")}
    params = params_of_row(model.params, row)
    return RoundFinished(
        round=index + 1,
        trees=trees,
        train=dict.fromkeys(metrics, UNKNOWN) | _metrics(row, "train:"),
        valid=dict.fromkeys(metrics, UNKNOWN) | valid if valid else {},
        params=params,
        best_round=_best(row, index + 1),
        dropout=dropout,
        extras={name: value for name, value in row.items() if is_extra(name)},
        linear=ensemble.linear[index] if ensemble.is_linear else None,
        **figures,
        **_sums(trees, of_round(trees, params)),
    )


def _metrics(row: dict[str, Any], prefix: str) -> dict[str, float]:
    return {name.removeprefix(prefix): value for name, value in row.items() if name.startswith(prefix)}


def _best(record: Mapping[str, Any], rounds: int) -> int:
    """Return the best round as it is told; 0 where it is none of so many."""
    best = record.get("best_round", 0)
    return int(best) if 1 <= best <= rounds else 0


def _sums(trees: tuple[Tree, ...], own: Sequence[Tree]) -> dict[str, Any]:
    return {
        "structure_score": sum(tree.structure_score for tree in trees),
        "gain": sum(tree.total_gain for tree in own),
        "leaves": sum(tree.n_leaves for tree in own),
        "depth": max(tree.depth for tree in trees),
    }
