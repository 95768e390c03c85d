"""The column of AdaBoost's row weights, under the hand."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt

from tests.views.made_forest import made_bench
from tests.views.made_run import with_tools
from workbench.data.table import Column, Table
from workbench.ensembles.base import make_trainer
from workbench.session.growing import rows_of_plan
from workbench.session.plan import Plan
from workbench.session.session import Session
from workbench.views.curves.run_plots import Options, lower_plots, plots
from workbench.views.table.view import TableView


@pytest.fixture
def session():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(120, 2)).astype(np.float32)
    y = ((x**2).sum(axis=1) > 1.4).astype(np.float32)
    table = Table("made", (
        Column("a", "number", x[:, 0]), Column("b", "number", x[:, 1]),
        Column("y", "category", y, ("no", "yes")),
    ))  # fmt: skip
    made = Session()
    plan = Plan({"a": "feature", "b": "feature", "y": "target"}, "exponential", valid_fraction=0.25)
    made.open_table(table, plan, {})
    made.hyperparameters.change(method="adaboost", rounds=6, threads=1)
    return made


@pytest.fixture
def trained(session):
    run = session.new_run()
    session.runs.dataset_ready(run, rows_of_plan(session.data.table, session.data.plan))
    session.runs.apply(run, list(make_trainer(run.dataset, run.params).rounds()))
    return run


def test_weights_stand_beside_the_target_and_follow_the_round(qtbot, session, jobs, trained):
    view = TableView(made_bench(session, jobs))
    holder = with_tools(qtbot, view)
    with qtbot.waitActive(holder):
        holder.show()
    model = view.grid.table_model
    assert model.columnCount() == 3
    session.shown.select(round=1)
    qtbot.mouseClick(view.row_weights, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: model.columnCount() == 4)
    assert model.headerData(1, Qt.Orientation.Horizontal) == "ω"
    first = model.columns[1].values
    dataset = trained.dataset
    train = dataset.table_rows[dataset.train_rows]
    assert first[train] == pytest.approx(np.ones(len(train)))
    held_out = dataset.table_rows[dataset.valid_rows]
    assert np.isnan(first[held_out]).all()
    assert {model.columns[1].texts[row] for row in held_out.tolist()} == {"not trained on"}
    assert all(len(model.columns[1].texts[row]) <= 6 for row in train.tolist())
    session.shown.select(round=2)
    qtbot.waitUntil(lambda: model.columns[1].values is not first)
    second = model.columns[1].values[train].astype(float)
    tree, beta = trained.rounds[0].trees[0], trained.rounds[0].extras["beta"]
    wrong = np.isclose(second, second.max())
    assert second.sum() == pytest.approx(len(train), rel=1e-5)
    assert wrong.sum() / len(train) == pytest.approx(trained.rounds[0].extras["err"])
    assert second.max() / second.min() == pytest.approx(np.exp(2 * beta), rel=1e-5)
    assert tree.n_leaves == 2
    effective = trained.rounds[1].extras["effective rows"]
    assert second.sum() ** 2 / (second**2).sum() == pytest.approx(effective, rel=1e-5)
    qtbot.mouseClick(view.row_weights, Qt.MouseButton.LeftButton)
    assert model.columnCount() == 3


def test_curves_of_adaboost_alone(session, trained):
    assert "weights" in lower_plots(session)
    assert "weights" not in lower_plots(Session())
    content = plots(session, Options())[-1]
    assert [line.name for line in content.lines] == ["err", "spread", "β"]
    assert content.lines[0].values == pytest.approx([event.extras["err"] for event in trained.rounds])
    assert content.lines[1].values[0] == 1.0
