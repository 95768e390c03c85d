"""A session with a table, its dataset and a run of trees made by hand."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tests.made_trees import tree_of
from workbench.app import build_bench
from workbench.data.dataset import Dataset
from workbench.data.schema import DataSchema, Feature
from workbench.data.statistics import ColumnSummary
from workbench.data.table import Column, Table
from workbench.ensembles.ensemble import Ensemble
from workbench.ensembles.events import EndReason, RoundFinished, TrainingEnded, TrainingStarted
from workbench.session.plan import Plan
from workbench.session.session import Session
from workbench.workers.jobs import Jobs
from workbench.workers.training_controller import TrainingController

if TYPE_CHECKING:
    from workbench.views.base import Bench

ROWS = 60
NO_TARGET = 7  # the table's row without a target
FEATURES = (
    Feature("age", "number"), Feature("thal", "category", ("fixed", "normal", "reversable")),
    Feature("first_visit", "date"), Feature("smoker", "boolean", ("no", "yes")),
)
QUESTIONS = (
    1, {1},
    (0, 54.5, (2, 18690.0, None, None), None),
    (3, {1}, None, (1, {0, 2}, None, None)),
)
SHALLOW = (0, 50.0, None, None)


def made_table() -> Table:
    rng = np.random.default_rng(3)
    age = rng.integers(30, 80, ROWS).astype(np.float32)
    age[4] = np.nan
    values = [age, rng.integers(0, 3, ROWS), rng.integers(18600, 18800, ROWS), rng.integers(0, 2, ROWS)]
    columns = [
        Column(f.name, f.kind, np.asarray(v, np.float32), f.categories)
        for f, v in zip(FEATURES, values, strict=True)
    ]
    disease = rng.integers(0, 2, ROWS).astype(np.float32)
    disease[NO_TARGET] = np.nan
    return Table("hearts.csv", (*columns, Column("disease", "category", disease, ("no", "yes"))))


def made_dataset(table: Table, classes: tuple[str, ...] = ("no", "yes")) -> Dataset:
    rows = np.flatnonzero(~np.isnan(table.column("disease").values))
    features = np.asfortranarray(np.stack([c.values for c in table.columns[:-1]], axis=1)[rows])
    task = "binary" if len(classes) == 2 else "multiclass"
    schema = DataSchema(FEATURES, "disease", task, classes, rows=table.n_rows)
    target = table.column("disease").values[rows].astype(np.float64)
    return Dataset(schema, features, target, None, np.arange(40), np.arange(40, len(rows)), rows)


def made_session(rounds: int = 3, *, classes: tuple[str, ...] = ("no", "yes"), ended: bool = True) -> Session:
    session, table = Session(), made_table()
    roles = {c.name: "feature" for c in table.columns[:-1]} | {"disease": "target"}
    summaries = {
        c.name: ColumnSummary(c.name, c.kind, ROWS, c.missing, 5, np.ones(1, np.int64)) for c in table.columns
    }
    objective = "logistic" if len(classes) == 2 else "softmax"
    session.open_table(table, Plan(roles, objective), summaries)
    run = session.new_run()
    session.runs.dataset_ready(run, made_dataset(table, classes))
    outputs = 1 if len(classes) == 2 else len(classes)
    base = np.full(outputs, -0.25, np.float32)
    ensemble = Ensemble(objective, 4, outputs, base, output_names=classes if outputs > 1 else ())
    started = TrainingStarted(ensemble, run.params, ("logloss",), "logloss", 40, 19, {}, {}, 30.0)
    session.runs.apply(run, [started])
    add_rounds(session, rounds)
    if ended:
        session.runs.apply(run, [TrainingEnded(EndReason.FINISHED, rounds, rounds, 1.0)])
    return session


def add_rounds(session: Session, rounds: int, questions=QUESTIONS) -> None:
    run = session.shown.run
    features = run.dataset.features[:40]
    outputs = run.started.ensemble.n_classes
    events = []
    for number in range(len(run.rounds) + 1, len(run.rounds) + rounds + 1):
        asked = questions if number > 1 else SHALLOW
        trees = tuple(_tree(number, k, asked, features) for k in range(outputs))
        events.append(RoundFinished(
            number, trees, {"logloss": 0.6}, {}, 30.0, 0.1, 0.0, 0.1, sum(t.structure_score for t in trees),
            sum(t.total_gain for t in trees), sum(t.n_leaves for t in trees), 3, -1.859, -1.86, run.params,
            0.01, number))
    session.runs.apply(run, events)


def weigh_newest(session: Session, reg_lambda: float) -> None:
    """Make the newest round one before which λ was changed live."""
    trees = []
    for tree in session.shown.run.rounds[-1].trees:
        nodes = tree.nodes.copy()
        nodes["weight"] = -nodes["sum_gradient"] / (nodes["sum_hessian"] + reg_lambda)
        nodes["leaf_value"][tree.is_leaf] = tree.learning_rate * nodes["weight"][tree.is_leaf]
        trees.append(replace(tree, nodes=nodes, reg_lambda=reg_lambda))
    session.shown.run.rounds[-1] = replace(session.shown.run.rounds[-1], trees=tuple(trees))


def made_bench(session: Session, jobs: Jobs | None = None) -> Bench:
    return build_bench(session, TrainingController(session, threading.Event()), jobs or Jobs())


def show(qtbot, view, size=(1100, 640)) -> None:
    """Put a view with its tools in a window, and keep that for as long as the view is kept."""
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.setContentsMargins(0, 0, 0, 0)
    for part in (*view.tools(), view):
        column.addWidget(part)
    window.resize(*size)
    with qtbot.waitExposed(window):
        window.show()
    view.kept_window = window


def _tree(number, k, questions, features):
    rng = np.random.default_rng(100 * k + number)
    gradients, hessians = rng.normal(0, 0.5, len(features)), rng.uniform(0.1, 0.25, len(features))
    return replace(tree_of(questions, gradients, hessians, features), class_index=k)
