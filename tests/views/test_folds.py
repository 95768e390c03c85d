"""Folds are asked for beside the curves and drawn as a band on them; so is the noise floor."""

from __future__ import annotations

import json
import threading
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt

import workbench
from tests.views.made_forest import show
from tests.views.made_runs import frame, trained_study
from workbench.app import build_bench
from workbench.errors import WorkbenchError
from workbench.explain.predictions.row_source import AnsweredTable
from workbench.session.comparison.verdict import verdict
from workbench.session.project import fold_models
from workbench.session.project.validation_record import KeptValidation, kept_validation
from workbench.validation.fold_plan import FoldPlan
from workbench.validation.fold_source import FoldSource
from workbench.validation.noise import refits
from workbench.views.controls.parameter_field import ParameterField
from workbench.views.curves.run_plots import Options, plots
from workbench.views.curves.validated import validated
from workbench.views.curves.view import TrainingView
from workbench.views.predictions.rows_choice import FOLDS
from workbench.views.predictions.view import PredictionsView
from workbench.views.runs.compare.pair_table import lines_of
from workbench.views.runs.overlay import overlay
from workbench.workers.prediction_desk import predictor_of
from workbench.workers.training_controller import TrainingController

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def session():
    return trained_study().session


@pytest.fixture
def bench(session, jobs):
    ready = threading.Event()
    ready.set()
    return build_bench(session, TrainingController(session, lambda _params: ready), jobs)


@pytest.fixture
def view(qtbot, bench):
    made = TrainingView(bench)
    show(qtbot, made, (1100, 700))
    return made


def opened(qtbot, view):
    qtbot.mouseClick(view.folds_button, LEFT)
    panel = view.folds_button.panel
    qtbot.waitUntil(panel.isVisible)
    return panel


def metric_plot(session):
    return plots(session, Options())[0]


def test_folds_are_started_by_hand_and_drawn_as_a_band(qtbot, bench, view, session):
    run, said = session.shown.run, []
    view.status_changed.connect(said.append)
    panel = opened(qtbot, view)
    assert panel.by.currentText() == "Rows, class shares kept"
    assert panel.stop_button.isEnabled() is False
    field = panel.rows["folds"].findChild(ParameterField)
    field.selectAll()
    qtbot.keyClicks(field, "3")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.mouseClick(panel.start_button, LEFT)
    assert not panel.isVisible()
    assert session.validation.live is run
    qtbot.waitUntil(lambda: session.validation.live is None)
    result = session.validation.result(run)
    assert len(result.folds) == 3
    content = metric_plot(session)
    shade = content.shades[0]
    band = result.band("logloss")
    np.testing.assert_array_equal(shade.low, band.mean - band.sd)
    mean = next(line for line in content.lines if line.name == "Folds, mean")
    np.testing.assert_array_equal(mean.values, band.mean)
    assert "3 folds: mean dashed" in content.phrase
    assert sum(line.name.startswith("fold ") for line in content.lines) == 3
    assert "Dividing the rows of Run 1." in said
    assert view.folds_button.text() == "Folds"
    pane = view.board.panes[0]
    polygon = pane._shades[0].polygon()
    assert len(polygon) == 2 * len(band.mean)
    assert polygon[0].x() == 1.0
    panel = opened(qtbot, view)
    assert "mean and standard deviation of 3 folds" in panel.note.text()
    view.toggle_plot("folds")
    assert not plots(session, view.options)[0].shades
    panel.close()


def test_what_cannot_be_is_said_where_it_was_asked(qtbot, bench, view, session):
    panel = opened(qtbot, view)
    panel.by.setCurrentIndex(3)
    panel.by.activated.emit(3)
    assert panel.column.isVisible()
    assert not panel.start_button.isEnabled()
    assert not panel.rows["repeats"].isEnabled()
    place = panel.column.findText("age")
    panel.column.setCurrentIndex(place)
    panel.column.activated.emit(place)
    assert panel.start_button.isEnabled()
    session.validation.choose(FoldPlan(500))
    qtbot.mouseClick(panel.start_button, LEFT)
    qtbot.waitUntil(lambda: session.validation.live is None)
    panel = opened(qtbot, view)
    assert "500 folds need as many rows, and there are 160" in panel.note.text()
    panel.close()
    session.shown.begin_any([])
    session.events.runs.emit()
    panel = opened(qtbot, view)
    assert panel.note.text() == "Train a run first: folds take its parameters."
    assert not panel.start_button.isEnabled()
    panel.close()


def test_folds_can_be_stopped(qtbot, bench, view, session):
    run = session.shown.run
    bench.validating.cross_validate(run, FoldPlan(60, 100))  # more than a test waits for
    qtbot.waitUntil(lambda: (r := session.validation.result(run)) is not None and len(r.done) > 2)
    assert view.folds_button.text().startswith("Folds ")
    panel = opened(qtbot, view)
    qtbot.mouseClick(panel.stop_button, LEFT)
    assert session.validation.live is None
    assert "so far" in panel.note.text()
    panel.close()


def test_the_noise_floor_is_grey_and_only_beyond_it_a_run_is_better(qtbot, bench, view, session):
    first, second = session.runs.all[1], session.runs.all[2]
    floor = session.validation.measure(first)
    floor.refits += list(refits(first.dataset, first.params.change(objective="logistic"), 8, wanted=10))
    session.validation.leave_noise()
    assert not metric_plot(session).shades, "it is shown where it is wanted"
    session.validation.wants_noise = True
    shade, own = metric_plot(session).shades[0], first.history.column("valid:logloss")
    np.testing.assert_allclose(shade.high - own, floor.half_width("logloss"))
    assert shade.token == "ctl"
    assert "grey: noise floor of 10 refits" in validated(session, "logloss").phrases
    facts = session.facts.metric("logloss")
    content = overlay(session, session.overlay.drawn, facts, 8)
    assert len(content.shades) == 1
    assert "grey: noise floor of Run 1" in content.phrase
    found = verdict(first, second, session.validation)
    told = [line.label for line in lines_of(first, second, 0, found)]
    assert any(label.startswith("Within the noise, ±") for label in told)
    session.validation.wants_noise = False


@pytest.mark.parametrize("most", [1 << 26, 0])
def test_out_of_fold_predictions_of_a_project_follow_the_round_where_models_are_kept(
    qtbot, bench, session, monkeypatch, most
):
    monkeypatch.setattr(fold_models, "MOST_BYTES", most)
    run = session.shown.run
    bench.validating.cross_validate(run, FoldPlan(3, 1))
    qtbot.waitUntil(lambda: session.validation.live is None)
    folds, floors = session.validation.whole
    kept = KeptValidation(folds, floors).record()
    data = run.dataset
    table = AnsweredTable(data.features, data.target, data.table_rows)
    source = FoldSource(predictor_of(run), table, session.validation.result(run).folds)
    wanted, early = source.scored(10**6), source.scored(2)
    session.validation.put(*vars(kept_validation(json.loads(json.dumps(kept)), session.runs.all)).values())
    view = PredictionsView(bench)
    show(qtbot, view, (1100, 700))
    last = "" if most else ", last round"
    assert f"Out of fold, 160{last}" in [words for words, _ in view.rows.items(run)]
    view.rows.choose(FOLDS)
    qtbot.waitUntil(lambda: view.found is not None and len(view.found.rows.rows) == 160)
    np.testing.assert_allclose(view.found.rows.prediction, wanted.prediction, rtol=1e-6)
    read = FoldSource(predictor_of(run), table, session.validation.result(run).folds).scored(2)
    np.testing.assert_allclose(read.prediction, (early if most else wanted).prediction, rtol=1e-6)
    kept["folds"][0][2][0][-2][2] = 7
    with pytest.raises(WorkbenchError, match="other rows than it held out"):
        kept_validation(kept, session.runs.all)


def test_out_of_fold_predictions_open_under_predictions(qtbot, bench, session):
    run = session.shown.run
    bench.validating.cross_validate(run, FoldPlan(4, 2))
    qtbot.waitUntil(lambda: session.validation.live is None)
    view = PredictionsView(bench)
    show(qtbot, view, (1100, 700))
    assert "Out of fold, 160" in [words for words, _ in view.rows.items(run)]
    view.rows.choose(FOLDS)
    qtbot.waitUntil(lambda: view.found is not None and len(view.found.rows.rows) == 160)
    found, rows = session.validation.result(run).out_of_fold, view.found.rows
    wanted = np.zeros(160)
    np.add.at(wanted, found.rows, found.predictions / 2)  # a row has one of each repeat
    np.testing.assert_allclose(rows.prediction, wanted[run.dataset.table_rows[rows.rows]], rtol=1e-6)
    session.shown.select(round=2)
    qtbot.waitUntil(lambda: view.shown_subject is not None and view.shown_subject.round == 2)
    first = session.validation.result(run).folds[0]
    again = workbench.fit(
        frame().iloc[first.fold.train], target="ill", rounds=2, max_depth=2, positive="yes"
    )
    data = run.dataset
    source = FoldSource(
        predictor_of(run), AnsweredTable(data.features, data.target, data.table_rows), (first,)
    )
    held = frame().iloc[first.fold.valid].drop(columns="ill")
    np.testing.assert_allclose(source.scored(2).prediction, again.predict(held), rtol=1e-6)
    sure = replace(first.ensemble, base_margin=first.ensemble.base_margin + 20)  # in single precision all 1
    certain = FoldSource(source.predictor, source.table, (replace(first, ensemble=sure),))
    same = np.unique(source.scored(2).prediction, return_inverse=True)[1]
    np.testing.assert_array_equal(np.unique(certain.scored(2).prediction, return_inverse=True)[1], same)
    few = np.where(np.isin(np.arange(len(data.target)), first.fold.valid[:3]), data.target, np.nan)
    some = FoldSource(source.predictor, replace(source.table, target=few), (first,)).sample
    assert len(some.rows) == 3, "the others need no prediction"
    np.testing.assert_allclose(some.scored(2).prediction, source.scored(2).prediction[:3])
