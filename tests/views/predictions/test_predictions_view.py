"""The tab Predictions: pictures of a made run, the threshold that they share, and what follows the ruler."""

from __future__ import annotations

import csv
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from sklearn import metrics

from tests.views.made_forest import add_rounds, made_bench, made_session, show
from workbench.data.statistics import ColumnSummary
from workbench.data.table import Column, Table
from workbench.ensembles.prediction import leaf_indices, raw_predictions
from workbench.explain.predictions.query_metrics import query_metrics
from workbench.explain.replay import Replay
from workbench.objectives.base import OBJECTIVES
from workbench.session.no_trees import FIRST_TREE
from workbench.session.plan import Plan
from workbench.session.session import Session
from workbench.views.predictions import threshold as threshold_module
from workbench.views.predictions.view import PredictionsView


@pytest.fixture(scope="module")
def _kernels():
    """Compiled before anything waits for predictions."""
    session = made_session()
    run = session.shown.run
    Replay(run.dataset, run.started.ensemble, run.params, run.rounds).after(3)
    leaf_indices(run.trees(1), run.dataset.features)
    query_metrics(np.zeros(2), np.zeros(2, np.float32), np.zeros(2, np.int64))


@pytest.fixture
def view_of(qtbot, jobs, _kernels):
    def make(session, size=(1016, 620)):
        view = PredictionsView(made_bench(session, jobs))
        show(qtbot, view, size)
        return view

    return make


@pytest.fixture
def view(qtbot, view_of, session):
    made = view_of(session)
    qtbot.waitUntil(lambda: made.found is not None)
    return made


def truth_and_score(session, after, part="valid"):
    run = session.shown.run
    data, ensemble = run.dataset, run.ensemble(after)
    rows = data.valid_rows if part == "valid" else data.train_rows
    objective = OBJECTIVES.get(ensemble.objective)
    return data.target[rows], objective.transform(raw_predictions(ensemble, data.features))[rows]


def cells(view):
    return {cell.label: cell.figure for cell in view.kpis.cells}


def test_the_figures_follow_the_ruler(qtbot, session, view):
    for after in (3, 1, 2):
        session.shown.select(round=after)
        qtbot.waitUntil(lambda after=after: view.found is not None and f"Round {after}" in cells(view))
        y, score = truth_and_score(session, after)
        assert cells(view)["AUC"] == f"{metrics.roc_auc_score(y, score):.3f}"
        wanted = metrics.confusion_matrix(y, score > 0.5, labels=[0, 1])
        np.testing.assert_array_equal(view.board.matrix.matrix.cells, wanted)


def test_all_plots_share_the_threshold(qtbot, session, view):
    y, score = truth_and_score(session, 3)
    matrix = view.board.matrix
    qtbot.mouseMove(matrix, matrix.plot_rect.topLeft().toPoint() + QPoint(9, 9))  # and rests there
    view.bar.field.setFocus()
    view.bar.field.selectAll()
    middle = float(np.median(score)) + 1e-4
    qtbot.keyClicks(view.bar.field, f"{middle:.6f}")
    qtbot.keyClick(view.bar.field, Qt.Key.Key_Return)
    wanted = metrics.confusion_matrix(y, score > round(middle, 6), labels=[0, 1])
    np.testing.assert_array_equal(matrix.matrix.cells, wanted)
    assert matrix.reading.startswith(f"{wanted[0, 0]} of no taken rightly")
    assert cells(view)["Recall"] == f"{metrics.recall_score(y, score > middle):.3f}"
    assert view.board.roc._at == view.found.of_class.curve.cut(middle)
    qtbot.mouseClick(view.chosen.reset, Qt.MouseButton.LeftButton)
    assert view.bar.slider.current == 0.5


def test_a_click_on_a_curve_sets_the_threshold(qtbot, view):
    roc = view.board.roc
    place = QPoint(round(roc.across(0.4)), round(roc.up(0.6)))
    qtbot.mouseClick(roc, Qt.MouseButton.LeftButton, pos=place)
    curve = view.found.of_class.curve
    assert view.cut.value == curve.threshold(roc.cut_at(*roc.value_at(place.toPointF())))
    assert view.bar.slider.current == view.cut.value


def test_a_threshold_is_not_that_of_another_question(view):
    view.cut.move(0.25)
    found, subject = view.found, view.shown_subject
    view.cut.take(found, subject, "", is_other=True)
    assert view.cut.value == 0.25
    view.cut.take(replace(found, rows=replace(found.rows, labels=("p", "q"))), subject, "", is_other=True)
    assert view.cut.value is None


def test_costs_lead_to_the_best_threshold(qtbot, view):
    for field, text in ((view.bar.false_cost, "1"), (view.bar.missed_cost, "20")):
        field.setFocus()
        field.selectAll()
        qtbot.keyClicks(field, text)
        qtbot.keyClick(field, Qt.Key.Key_Return)
    curve = view.found.of_class.curve
    cut, _ = curve.cheapest(1.0, 20.0)
    assert view.board.roc._best == cut
    qtbot.mouseClick(view.bar.best_button, Qt.MouseButton.LeftButton)
    assert view.cut.value == curve.threshold(cut)
    view.bar.false_cost.setFocus()
    view.bar.false_cost.selectAll()
    qtbot.keyClicks(view.bar.false_cost, "much")
    qtbot.keyClick(view.bar.false_cost, Qt.Key.Key_Return)
    assert view.bar.false_cost.property("wrong") == "true"
    assert view.bar.costs == (1.0, 20.0)


def test_other_rows_and_another_class(qtbot, session, view):
    view.choose_part("train")
    qtbot.waitUntil(lambda: len(view.found.rows) == 40)
    y, score = truth_and_score(session, 3, "train")
    view.choose_class(0)
    qtbot.waitUntil(lambda: view.found.of_class.k == 0)
    assert cells(view)["Average precision"] == f"{metrics.average_precision_score(1 - y, 1 - score):.3f}"


def test_one_plot_alone_and_its_figures(qtbot, view, tmp_path):
    view.choose_plot("roc")
    assert [plot.title for plot in view.board.shown] == ["ROC"]
    view.export.save_csv(tmp_path / "roc.csv")
    with (tmp_path / "roc.csv").open(encoding="utf-8", newline="") as stream:
        lines = list(csv.reader(stream))
    assert lines[0] == ["threshold", "false positive rate", "true positive rate"]
    assert [float(text) for text in lines[-1][1:]] == [1.0, 1.0]
    view.choose_plot("all")
    for ending in ("png", "svg"):
        view.export.save_picture(tmp_path / f"all.{ending}")
    assert not QImage(str(tmp_path / "all.png")).isNull()
    assert b"Confusion matrix" in (tmp_path / "all.svg").read_bytes()
    assert "ROC\n" in view.export.values_text()


@pytest.mark.parametrize("at_once", [0, threshold_module.AT_ONCE])
def test_several_classes_have_a_matrix_under_a_threshold(qtbot, view_of, monkeypatch, at_once):
    monkeypatch.setattr(threshold_module, "AT_ONCE", at_once)
    session = made_session(classes=("no", "some", "yes"))
    view = view_of(session)
    qtbot.waitUntil(lambda: view.found is not None)
    y, shares = truth_and_score(session, 3)
    told = {"labels": [0, 1, 2]}
    np.testing.assert_array_equal(
        view.board.matrix.matrix.cells, metrics.confusion_matrix(y, shares.argmax(axis=1), **told))
    session.shown.select(class_index=1)
    qtbot.waitUntil(lambda: view.found.of_class.k == 1)
    nearest = float(np.sort(shares[:, 1])[len(shares) // 2])
    is_above = nearest > round(nearest, 3)  # so that a threshold of three digits is on its other side
    threshold = nearest + 1e-7 if is_above else nearest - 1e-7
    view.cut.move(threshold)
    wanted = metrics.confusion_matrix(y, view.found.rows.taken_for(1, threshold), **told)
    qtbot.waitUntil(lambda: np.array_equal(view.board.matrix.matrix.cells, wanted))


def test_the_matrix_of_another_round_is_not_left_standing(qtbot, view_of, monkeypatch):
    session = made_session(classes=("no", "some", "yes"))
    view = view_of(session)
    qtbot.waitUntil(lambda: view.found is not None)
    view.cut.move(0.3)
    monkeypatch.setattr(threshold_module, "AT_ONCE", 0)
    monkeypatch.setattr(view._bench.predictions, "matrix", lambda *_, **__: None)  # it is still counted
    session.shown.select(round=1)
    qtbot.waitUntil(lambda: view.shown_subject.round == 1)
    assert view.board.matrix.sentence.startswith("Counting")
    assert not view.board.classes.values()
    assert cells(view)["Accuracy"] == "–"
    monkeypatch.undo()
    view.cut.show()
    assert not view.board.matrix.sentence
    assert len(view.board.classes.values()) == 4


def test_while_a_run_trains_the_matrix_counted_last_stands_and_says_its_round(qtbot, view_of, monkeypatch):
    session = made_session(classes=("no", "some", "yes"), ended=False)
    view = view_of(session)
    qtbot.waitUntil(lambda: view.found is not None)
    monkeypatch.setattr(threshold_module, "AT_ONCE", 0)
    view.cut.move(0.3)
    matrix = view.board.matrix
    qtbot.waitUntil(lambda: not matrix.sentence and view.cut._counted is not None)
    with monkeypatch.context() as counting:
        counting.setattr(view._bench.predictions, "matrix", lambda *_, **__: None)
        add_rounds(session, 1)
        qtbot.waitUntil(lambda: view.shown_subject.round == 4)
        assert (matrix.sentence, matrix.phrase[-19:]) == ("", "wrong after round 3")
        assert "after round 3" in view.board.classes.phrase.text()
        assert cells(view)["Accuracy"] == "–"
        view.cut.move(0.4)
        assert matrix.sentence.startswith("Counting")  # it would be of another threshold
    view.synchronize()
    qtbot.waitUntil(lambda: not matrix.sentence)
    assert "after" not in matrix.phrase


def test_rows_of_one_class_only_have_sentences(qtbot, view_of):
    session = made_session()
    session.shown.run.dataset.target[session.shown.run.dataset.valid_rows] = 1.0
    view = view_of(session)
    qtbot.waitUntil(lambda: view.found is not None)
    assert view.board.roc.sentence.startswith("Every row is yes")
    assert cells(view)["AUC"] == "–"
    assert not view.board.matrix.sentence
    assert view.board.precision_recall.reading.startswith("precision")
    view.choose_class(0)
    qtbot.waitUntil(lambda: view.found.of_class.k == 0)
    assert view.board.precision_recall.sentence.startswith("No row is no")
    assert not view.board.precision_recall.reading + view.board.precision_recall.phrase
    view.grab()


def test_what_is_chosen_while_a_run_trains_does_not_wait(qtbot, view_of):
    session = made_session(2, ended=False)
    view = view_of(session)
    qtbot.waitUntil(lambda: "Round 2" in cells(view))
    view._bench.predictions.quick._rest.add(60.0)  # for hours
    add_rounds(session, 1)
    assert "Round 2" in cells(view)
    view.choose_part("train")
    qtbot.waitUntil(lambda: "Round 3" in cells(view))
    assert len(view.found.rows) == 40


def test_rows_that_all_weigh_nothing_have_sentences(qtbot, view_of):
    session = made_session()
    run = session.shown.run
    run.dataset = replace(run.dataset, weight=np.zeros(len(run.dataset.target)))
    view = view_of(session)
    qtbot.waitUntil(lambda: view.found is not None)
    for name in view.board.choices("classes"):
        view.choose_plot(name)
        assert view.board.shown == [view.board.all[name]]
    assert all(plot.sentence for plot in view.board.plots if plot.title in (
        "Confusion matrix", "Scores by class", "Calibration", "ROC", "Precision and recall", "Gain and lift",
        "Residuals"))
    assert not any("nan" in plot.phrase for plot in view.board.plots)
    assert {cells(view)[name] for name in ("AUC", "Accuracy", "Precision")} == {"–"}


def test_it_moves_while_the_run_trains(qtbot, view_of):
    session = made_session(2, ended=False)
    view = view_of(session)
    qtbot.waitUntil(lambda: "Round 2" in cells(view))
    add_rounds(session, 3)
    qtbot.waitUntil(lambda: "Round 5" in cells(view))


def test_without_a_run_it_says_what_to_do(view_of):
    view = view_of(Session())
    assert view.empty.isVisible()
    assert view.empty.text()
    assert not view.chosen.export.isEnabled()


def test_a_model_without_its_rows_says_so(view_of, session):
    session.shown.run.dataset = session.shown.run.plan = None
    view = view_of(session)
    assert "without its rows" in view.empty.text()
    assert view.chosen.parts.isEnabled()


def test_nobody_looks_nothing_is_worked_out(qtbot, session, view):
    view.hide()
    session.shown.select(round=1)
    assert view._bench.predictions.quick._job is None


def test_wrong_rows_are_selected_everywhere_and_their_leaf_opens(qtbot, session, view):
    y, score = truth_and_score(session, 3)
    qtbot.mouseClick(view.board.matrix.wrong_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.shown.selection.rows is not None)
    data, chosen = session.shown.run.dataset, session.shown.selection.rows
    np.testing.assert_array_equal(chosen.rows, data.table_rows[data.valid_rows[(score > 0.5) != y]])
    qtbot.waitUntil(lambda: view.panel.leaves[0].isVisible())
    assert f"of the {len(chosen)} wrong rows meet in" in view.panel.note.text()
    leaf = view.panel.leaves[0].leaf
    with qtbot.waitSignal(view.view_wanted) as wanted:
        qtbot.mouseClick(view.panel.leaves[0], Qt.MouseButton.LeftButton)
    assert wanted.args == ["tree"]
    selection = session.shown.selection
    assert (selection.round, selection.node) == (leaf.round, leaf.node)
    assert len(view.panel.contrasts.contrasts) == 4
    session.shown.select(round=3)
    qtbot.waitUntil(lambda: view.board.scores._marked.sum() == len(chosen))
    view.panel.grab()
    qtbot.mouseClick(view.panel.close_button, Qt.MouseButton.LeftButton)
    assert session.shown.selection.rows is None
    assert not view.panel.isVisible()


def test_a_drag_over_scores_selects_their_rows(qtbot, session, view):
    _, score = truth_and_score(session, 3)
    plot = view.board.scores
    y = round(plot.plot_rect.center().y())
    begin, end = (QPoint(round(plot.across(value)), y) for value in (0.35, 0.6))
    low, high = (plot.value_at(place.toPointF())[0] for place in (begin, end))
    qtbot.mousePress(plot, Qt.MouseButton.LeftButton, pos=begin)
    qtbot.mouseMove(plot, end)
    plot.grab()
    qtbot.mouseRelease(plot, Qt.MouseButton.LeftButton, pos=end)
    qtbot.waitUntil(lambda: session.shown.selection.rows is not None)
    data = session.shown.run.dataset
    wanted = data.table_rows[data.valid_rows[(score > low) & (score <= high)]]
    np.testing.assert_array_equal(session.shown.selection.rows.rows, wanted)
    assert view.cut.value is None


def test_a_drag_over_the_whole_axis_selects_every_row(qtbot, session, view):
    data = session.shown.run.dataset
    for plot in (view.board.scores, view.board.calibration, view.board.roc, view.board.gain):
        least = float(view.found.of_class.curve.scores[-1])
        plot.set_x(*((least, 1.0) if plot is view.board.scores else (0.0, 1.0)))
        histogram = view.board.scores.histogram
        view.board.scores.histogram = histogram._replace(edges=np.linspace(least, 1.0, 41))
        y = round(plot.plot_rect.center().y())
        begin, end = (QPoint(round(x), y) for x in (plot.plot_rect.left() - 5, plot.plot_rect.right() + 5))
        qtbot.mousePress(plot, Qt.MouseButton.LeftButton, pos=begin)
        qtbot.mouseMove(plot, end)
        qtbot.mouseRelease(plot, Qt.MouseButton.LeftButton, pos=end)
        qtbot.waitUntil(lambda: session.shown.selection.rows is not None)
        np.testing.assert_array_equal(session.shown.selection.rows.rows, data.table_rows[data.valid_rows])
        view.selected.select_none()


def test_a_second_table_with_answers_is_looked_at_by_round(qtbot, session, view, tmp_path):
    path = tmp_path / "more.csv"
    lines = [f"{30 + place},normal,2021-01-01,yes,{'yes' if place % 3 else 'no'}" for place in range(40)]
    path.write_text("\n".join(["age,thal,first_visit,smoker,disease", *lines]))
    view.rows.open(path)
    qtbot.waitUntil(lambda: view.found is not None and len(view.found.rows) == 40)
    assert view.chosen.parts.currentText() == "more.csv"
    before = view.found.rows.prediction
    session.shown.select(round=1)
    qtbot.waitUntil(lambda: view.found is not None and view.found.rows.prediction is not before)
    assert not np.array_equal(view.found.rows.prediction, before)
    qtbot.mouseClick(view.board.matrix.wrong_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.panel.heading.note == "wrong rows")
    assert session.shown.selection.rows is None, "they are no rows of the window's table"


def bare_session():
    rng = np.random.default_rng(0)
    truth, score = rng.integers(0, 2, 80), rng.random(80)
    columns = [Column(name, "number", np.asarray(values, np.float32)) for name, values in
               (("truth", truth), ("prediction", score), ("other", 1 - score))]
    session = Session()
    table = Table("scored.csv", tuple(columns))
    summaries = {c.name: ColumnSummary(c.name, c.kind, 80, 0, 5, np.ones(1, np.int64)) for c in columns}
    session.open_table(table, Plan({c.name: "feature" for c in columns}, "auto"), summaries)
    return session, truth, score


def test_where_a_run_begins_nobody_is_asked_which_columns_are_predicted(view_of):
    session, *_ = bare_session()
    view = view_of(session)
    assert view.bare_bar.isVisible()
    session.new_run()
    assert not view.bare_bar.isVisible()
    assert view.empty.isVisible()
    assert view.empty.text() == FIRST_TREE


def test_bare_predictions_open_without_a_model(qtbot, view_of):
    session, truth, score = bare_session()
    view = view_of(session)
    qtbot.waitUntil(lambda: view.found is not None)
    assert cells(view)["AUC"] == f"{metrics.roc_auc_score(truth, score.astype(np.float32)):.3f}"
    place = view.bare_bar.predicted.findText("other")
    view.bare_bar.predicted.setCurrentIndex(place)
    view.bare_bar.predicted.activated.emit(place)
    wanted = f"{1 - metrics.roc_auc_score(truth, score):.3f}"
    qtbot.waitUntil(lambda: cells(view).get("AUC") == wanted)
    qtbot.mouseClick(view.board.matrix.wrong_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.shown.selection.rows is not None)
    np.testing.assert_array_equal(
        session.shown.selection.rows.rows, np.flatnonzero((np.float32(1) - score > 0.5) != truth))
    place = view.bare_bar.weight.findText("prediction")
    view.bare_bar.weight.setCurrentIndex(place)
    view.bare_bar.weight.activated.emit(place)
    told = {"sample_weight": score.astype(np.float32)}
    weighted = f"{metrics.roc_auc_score(truth, 1 - score, **told):.3f}"
    qtbot.waitUntil(lambda: cells(view).get("AUC") == weighted)
