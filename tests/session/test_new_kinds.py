"""A new objective and a new metric are one registration each: nothing else knows their names."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from tests.data.making import numbers, table, texts
from workbench.ensembles.control import RunControl
from workbench.metrics.base import METRICS, Metric
from workbench.objectives.base import OBJECTIVES, Objective
from workbench.session.objective_facts import known_objectives
from workbench.session.plan import Plan
from workbench.session.session import Session
from workbench.views.curves.figures import hold_out_drop
from workbench.views.curves.readings import round_cells
from workbench.views.curves.run_plots import Options, plots
from workbench.workers.training_worker import TrainingWorker


class SquaredHinge(Objective):
    """l = ½ max(0, 1 − sŷ)² with s = ±1."""

    name = "hinge"
    aliases = ()
    label = "Squared hinge"
    task = "binary"
    metrics = ("distance", "auc")

    def base_margin(self, target, weight, n_classes, base_score=None):
        return np.zeros(1, np.float32)

    def evaluate(self, target, raw, weight, gradients, hessians, losses, team):
        sign = 2 * target - 1
        short = np.maximum(0.0, 1 - sign * raw[0])
        gradients[0], hessians[0] = -sign * short * weight, weight
        losses[:] = (0.5 * weight * short**2)[: len(losses)]
        return float((0.5 * weight * short**2).sum()), {}

    def transform(self, raw):
        return raw


def distance(target, raw, weight, team):
    return float(np.average(0.5 * np.maximum(0.0, 1 - (2 * target - 1) * raw) ** 2, weights=weight))


@pytest.fixture
def hinge(monkeypatch):
    """Register both; the registries forget them again."""
    for registry, item in (
        (METRICS, Metric("distance", "Missing distance", "distance", formula=distance, tasks=("binary",))),
        (OBJECTIVES, SquaredHinge()),
    ):
        registry.get("auc" if registry is METRICS else "logistic")  # complete before it is copied
        monkeypatch.setattr(registry, "_items", dict(registry._items))
        monkeypatch.setattr(registry, "_names", dict(registry._names))
        registry.register(item)


def made_table():
    x = np.arange(80)
    return table(numbers("x", x), texts("y", np.where(x % 40 < 15, "no", "yes").tolist()))


def trained(session):
    """Train in the worker, as the window does, on the session's plan."""
    run, ready = session.new_run(), threading.Event()
    ready.set()
    data = session.data
    worker = TrainingWorker(data.table, data.plan, run.params, RunControl(), ready, lambda: None)
    worker.start()
    worker.join(120)
    prepared, *events = worker.words()
    session.runs.dataset_ready(run, prepared.dataset)
    session.runs.apply(run, events)


def test_an_objective_trains_and_is_shown_with_its_metric(hinge):
    session = Session()
    plan = Plan(roles={"x": "feature", "y": "target"}, objective="hinge")
    session.open_table(made_table(), plan, {}, known_objectives())
    assert session.planned.task == "binary"
    session.hyperparameters.change(rounds=5, max_depth=2, min_child_weight=0)
    assert plots(session, Options())[0].title == "Missing distance", "before it trains"
    trained(session)
    run = session.shown.run
    assert run.schema.task == "binary"
    assert len(run.rounds) == 5
    losses = [run.started.initial_valid["distance"], *run.history.column("valid:distance")]
    assert losses[-1] < losses[0]
    assert plots(session, Options())[0].title == "Missing distance"
    cells = round_cells(run, session.facts.metric("distance"), 5, "Now")
    assert "Validation distance" in [cell.label for cell in cells]
    np.testing.assert_allclose(hold_out_drop(run), -np.diff(losses))


def test_a_metric_can_be_watched_wherever_its_task_fits(hinge):
    session = Session()
    plan = Plan(roles={"x": "feature", "y": "target"}, objective="logistic")
    session.open_table(made_table(), plan, {}, known_objectives())
    assert session.planned.metric("distance").label == "Missing distance"
    assert [metric.name for metric in session.planned.metrics][:3] == ["logloss", "error", "auc"]
    session.hyperparameters.change(rounds=2, metric="distance")
    trained(session)
    assert session.shown.run.watched == "distance"
    assert session.facts.metric("nobody knows").phrase == "per row, lower is better"


def test_they_are_gone_afterwards():
    assert "hinge" not in [facts.name for facts in known_objectives()]
