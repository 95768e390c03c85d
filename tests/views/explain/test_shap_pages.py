"""The pages SHAP, Waterfall and Check: figures of the tree algorithm, by run, round, rows and weighing."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QPoint, Qt

from tests.reference.naive_shapley import shapley
from tests.views.made_forest import add_rounds, made_bench, made_session, show
from workbench.app import build_bench
from workbench.ensembles.prediction import raw_predictions
from workbench.explain.attribution.shap_explainer import ShapExplainer
from workbench.session.explained.check_asked import CheckAsked
from workbench.session.explained.shap_asked import ShapAsked
from workbench.study.study import Study
from workbench.views.explain.pages.base import COMPILING
from workbench.views.explain.plots.dots import dots_image, swarm, value_shares
from workbench.views.explain.view import ExplainTab
from workbench.workers.training_controller import TrainingController

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def tab_of(qtbot, jobs):
    def make(session, page, size=(1016, 640)):
        tab = ExplainTab(made_bench(session, jobs))
        session.explained.choose(page=page)
        show(qtbot, tab, size)
        return tab

    return make


def expected(run, number, rows, by="hessian"):
    ensemble = run.ensemble(number)
    return ShapExplainer(ensemble, by).contributions(run.dataset.features[rows], serial=True)[:, 0]


def test_shap_follows_rounds_rows_and_weighing(qtbot, tab_of):
    session = made_session(6)
    tab = tab_of(session, "shap")
    run, page = session.shown.run, tab.page
    data = run.dataset

    def shows(number, rows, by):
        found = page._found
        shares = expected(run, number, rows, by)
        return found is not None and found.shares.shape == shares.shape and np.allclose(found.shares, shares)

    qtbot.waitUntil(lambda: shows(6, data.valid_rows, "hessian"))
    assert "All 19 hold-out rows" in page.phrase.text()
    assert "nodes weigh by H, as in XGBoost" in page.phrase.text()
    session.shown.select(round=2)
    qtbot.waitUntil(lambda: shows(2, data.valid_rows, "hessian"))
    session.explained.choose(rows="training", by="rows")
    qtbot.waitUntil(lambda: shows(2, data.train_rows, "rows"))
    assert "nodes weigh by their rows" in page.phrase.text()
    session.explained.choose(by="background")
    qtbot.waitUntil(lambda: "against 40 of the training rows" in page.phrase.text())
    against = ShapExplainer(run.ensemble(2), background=data.features[data.train_rows])
    shares = against.contributions(data.features[data.train_rows], serial=True)[:, 0]
    np.testing.assert_allclose(page._found.shares, shares)


def test_figures_of_a_row_with_its_offset_add_up_to_its_raw_prediction(qtbot, tab_of):
    session = made_session(3)
    run = session.shown.run
    run.dataset = replace(run.dataset, offset=np.linspace(-1, 1, len(run.dataset.target)).astype(np.float32))
    page = tab_of(session, "shap").page
    qtbot.waitUntil(lambda: page._found is not None)
    rows = run.dataset.valid_rows
    raw = raw_predictions(run.ensemble(3), run.dataset.features[rows], serial=True)
    sums = [sum(line[1:]) for line in page.figures()[1:]]
    np.testing.assert_allclose(sums, raw + run.dataset.offset[rows], atol=1e-5)


def test_bars_of_some_rows_become_those_of_all(qtbot, tab_of, monkeypatch):
    monkeypatch.setattr("workbench.session.explained.shap_asked.MOST_ROWS", 12)
    session = made_session(4)
    session.explained.choose(rows="training")
    page = tab_of(session, "shap").page
    run = session.shown.run
    shares = expected(run, 4, run.dataset.train_rows)
    qtbot.waitUntil(lambda: page._found is not None and page._found.is_whole)
    assert "12 of 40 training rows, drawn at random; bars and order are of all rows" in page.phrase.text()
    np.testing.assert_allclose(page._found.sizes, np.abs(shares).mean(axis=0))
    assert len(page._found.shares) == 12
    page.swarm.grab()
    qtbot.waitUntil(lambda: len(page.swarm.model.scene.images) == 4)  # one by one


def test_bars_of_all_rows_are_left_out_where_they_would_take_too_long(qtbot, tab_of, monkeypatch):
    monkeypatch.setattr("workbench.session.explained.shap_asked.MOST_ROWS", 12)
    monkeypatch.setattr("workbench.session.explained.shap_asked.MOST_WHOLE_STEPS", 12)
    session = made_session(4)
    session.explained.choose(rows="training")
    page = tab_of(session, "shap").page
    qtbot.waitUntil(lambda: "12 of 40 training rows, drawn at random, trees" in page.phrase.text())
    assert not page._found.is_whole


def test_a_column_that_is_clicked_is_drawn_by_its_values(qtbot, tab_of):
    session = made_session(6)
    page = tab_of(session, "shap").page
    qtbot.waitUntil(lambda: page.swarm.model.rowCount() == 4)
    lines = page.swarm.list
    qtbot.mouseClick(lines.viewport(), LEFT, pos=lines.visualRect(page.swarm.model.index(2)).center())
    name = page.swarm.model.name(2)
    assert session.shown.selection.column == name
    qtbot.waitUntil(lambda: "Interacts most with" in page.note.text())
    run = session.shown.run
    place, rows = run.schema.names.index(name), run.dataset.features[run.dataset.valid_rows]
    pairs = np.abs(ShapExplainer(run.ensemble(6)).interactions(rows)[:, 0, place, :-1]).mean(axis=0)
    pairs[place] = 0
    assert page.plot.scene.partner is run.schema.features[int(pairs.argmax())]
    np.testing.assert_allclose(page.plot.scene.shares, page._found.shares[:, place])
    assert not page.plot.grab().isNull()


def test_a_large_table_is_sampled_first_and_says_so():
    session = made_session(3)
    rows = replace(session.explained.subject.rows, name="training")
    asked = ShapAsked(session.shown.run, 3, rows, "hessian", 0, True)
    data = session.shown.run.dataset
    many = replace(data, features=np.asfortranarray(np.tile(data.features, (20, 1))),
                   train_rows=np.arange(1000), table_rows=np.arange(20 * len(data.features)),
                   target=np.tile(data.target, 20))
    few = asked._replace(rows=replace(rows, dataset=many)).answer(lambda: False)
    assert (few.rows.is_sample, len(few.shares), few.rows.total) == (True, 300, 1000)


def test_the_waterfall_leads_from_base_to_prediction_and_round_by_round(qtbot, tab_of, tmp_path):
    session = made_session(5)
    tab = tab_of(session, "waterfall")
    page, run = tab.page, session.shown.run
    session.shown.select(row=20)
    qtbot.waitUntil(lambda: page._found is not None and page._found.row == 20)
    place = int(np.flatnonzero(run.dataset.table_rows == 20)[0])
    from workbench.ensembles.prediction import raw_predictions

    raw = raw_predictions(run.ensemble(5), run.dataset.features[place : place + 1])
    scene = page.fall.scene
    assert scene.added.sum() == pytest.approx(float(raw[0]), abs=1e-6)
    np.testing.assert_allclose(scene.added[:-1], expected(run, 5, [place])[0], atol=1e-12)
    before = expected(run, 4, [place])[0]
    np.testing.assert_allclose(scene.alone[:-1], scene.added[:-1] - before, atol=1e-12)
    lines = page.board.panes[0].content.lines
    assert {line.values[-1] for line in lines} <= set(scene.added.tolist())
    qtbot.mouseClick(page.fall, LEFT, pos=QPoint(30, 30 + 24 + 12))
    assert session.shown.selection.column == run.schema.names[int(page.fall.shown[0])]
    tab.save_csv(tmp_path / "w.csv")
    assert (tmp_path / "w.csv").read_text("utf-8").startswith("column,value,contribution,round 0")


def test_the_shown_tree_of_a_round_of_several_is_told_alone(qtbot, tab_of):
    chance = np.random.default_rng(0)
    study = Study(pd.DataFrame(chance.normal(size=(60, 3)), columns=["a", "b", "y"]), target="y")
    run = study.train(rounds=2, max_depth=2, num_parallel_tree=2, subsample=0.5).run
    page = tab_of(study.session, "waterfall").page
    qtbot.waitUntil(lambda: page._found is not None)
    study.session.shown.select(class_index=1)
    qtbot.waitUntil(lambda: page.fall.scene.part == "Tree 2 of round 2")
    row = run.dataset.features[int(np.flatnonzero(run.dataset.table_rows == page._found.row)[0])]
    alone = shapley(run.rounds[1].trees[1], row)
    np.testing.assert_allclose(page.fall.scene.alone[:-1], alone, atol=1e-9)
    np.testing.assert_allclose(page._found.of_trees.sum(axis=0), page._found.by_round[-1], atol=1e-12)


def test_the_class_of_the_shown_tree_is_explained_where_each_has_several(qtbot, tab_of):
    chance = np.random.default_rng(0)
    frame = pd.DataFrame(chance.normal(size=(60, 2)), columns=["a", "b"]).assign(y=list("pqr") * 20)
    study = Study(frame, target="y")
    run = study.train(rounds=2, max_depth=2, num_parallel_tree=2, subsample=0.5).run
    shown = study.session.shown
    tab = tab_of(study.session, "waterfall")
    shown.select(class_index=3)  # the second tree of the second class
    qtbot.waitUntil(lambda: tab.page.fall.scene.part == "Tree 2 of round 2")
    assert tab.page.choice.output_box.currentText() == "q"
    row = run.dataset.features[int(np.flatnonzero(run.dataset.table_rows == tab.page._found.row)[0])]
    np.testing.assert_allclose(tab.page.fall.scene.alone[:-1], shapley(shown.tree, row), atol=1e-9)
    tab.choose("row")
    qtbot.waitUntil(lambda: tab.page.found is not None)
    assert (tab.page.class_box.currentText(), tab.page.own_path.text()[:18]) == ("q", "Tree 2 of round 2:")
    assert tab.page.figures_strip.cells[0].label == "Probability of q"
    tab.page.class_box.activated.emit(2)
    assert (shown.tree.class_index, shown.place_in_round) == (2, 5)


def test_what_is_checked_by_definition_agrees(qtbot, tab_of):
    session = made_session(4)
    page = tab_of(session, "check").page
    qtbot.waitUntil(lambda: "Both agree" in page.verdict.text())
    found, run = page._found, session.shown.run
    row = run.dataset.features[run.dataset.valid_rows[0]]
    slow = sum(shapley(event.trees[0], row) for event in run.rounds)
    np.testing.assert_allclose(found.brute, slow, atol=1e-9)
    assert float(page.model.data(page.model.index(0, 3)).replace("−", "-")) < 1e-12
    assert (found.n_checked, found.n_trees) == (4, 4)


def test_trees_of_many_columns_are_not_checked_and_a_fault_would_be_told(qtbot, tab_of, monkeypatch):
    session = made_session(4)
    monkeypatch.setattr("workbench.explain.attribution.brute_force.MOST_COLUMNS", 1)
    rows = session.explained.subject.rows
    found = CheckAsked(session.shown.run, 4, rows, "hessian", 0, None).answer(lambda: False)
    assert (found.n_checked, found.n_trees) == (1, 4)  # the first round asks one column
    wrong = found._replace(fast=found.fast + 0.01)
    page = tab_of(session, "check").page
    page._show(session.shown.run, wrong)
    assert "This is a fault of the program" in page.verdict.text()


def test_pages_wait_for_their_kernels(qtbot, jobs):
    session, ready = made_session(3), threading.Event()
    bench = build_bench(session, TrainingController(session, threading.Event()), jobs, lambda _name: ready)
    tab = ExplainTab(bench)
    session.explained.choose(page="shap")
    show(qtbot, tab)
    qtbot.waitUntil(lambda: tab.page.swarm.list.sentence == COMPILING)
    ready.set()
    qtbot.waitUntil(lambda: tab.page.swarm.model.rowCount() == 4)


def test_several_classes_and_no_trees_are_a_picture_or_a_sentence(qtbot, tab_of):
    session = made_session(3, classes=("no", "maybe", "yes"))
    tab = tab_of(session, "shap")
    page = tab.page
    qtbot.waitUntil(lambda: page.swarm.model.rowCount() == 4)
    first = page._found.shares
    page.choice.output_box.activated.emit(2)
    qtbot.waitUntil(lambda: page._found.shares is not first)
    assert "for yes" in page.phrase.text()
    rows = session.shown.run.dataset.features[session.shown.run.dataset.valid_rows]
    every = ShapExplainer(session.shown.run.ensemble(3)).contributions(rows, serial=True)
    np.testing.assert_allclose(page._found.shares, every[:, 2], atol=1e-12)


def test_while_a_run_trains_an_answer_of_an_earlier_round_is_shown(qtbot, tab_of):
    session = made_session(3, ended=False)
    page = tab_of(session, "shap").page
    qtbot.waitUntil(lambda: page._found is not None)
    add_rounds(session, 2)
    assert page._found.asked.round == 3  # those who follow a run rest between answers
    assert "rounds 1 to 3" in page.phrase.text()
    page._found = page._found_of = None
    page.synchronize()
    assert page._found.asked.round == 3


def test_runs_that_went_back_are_asked_anew(qtbot, tab_of):
    session = made_session(4)
    page = tab_of(session, "shap").page
    qtbot.waitUntil(lambda: page._found is not None)
    before, run = page._found, session.shown.run
    run.retell([*run.rounds[:3], replace(run.rounds[3], trees=run.rounds[0].trees)])
    session.events.rounds.emit()
    qtbot.waitUntil(lambda: page._found is not before)
    assert not np.allclose(page._found.shares, before.shares)


def test_dots_stand_where_they_should():
    x = np.array([10.0, 10.5, 40.0])
    y = 20 + swarm(x, 10, 3.0)
    assert y[0] != y[1]
    assert y[2] == 20
    image = dots_image(x, y, np.array([0x112233, 0x445566, 0x778899], np.uint32), 60, 40, 1.6, 1.0)
    assert image.pixelColor(40, 20).name() == "#778899"
    assert image.pixelColor(30, 20).alpha() == 0
    shares = value_shares(np.array([3, np.nan, 1, 2, 2], np.float32))
    assert shares[2] == 0
    assert shares[0] == 1
    assert shares[3] == shares[4]
    assert np.isnan(shares[1])
