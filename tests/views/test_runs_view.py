"""The tab of all runs: lanes, the common past drawn once, and two runs side by side."""

from __future__ import annotations

import time

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.views.made_forest import made_bench, show
from tests.views.made_runs import ROUNDS, linear_study, trained_study
from workbench.errors import Cancelled
from workbench.session.session import Session
from workbench.views.runs.compare.pair_table import lines_of
from workbench.views.runs.lanes import LANE, TOP
from workbench.views.runs.overlay import overlay
from workbench.views.runs.view import RunsView

SIZE = (1100, 820)


@pytest.fixture
def study():
    return trained_study()


@pytest.fixture
def session(study):
    return study.session


@pytest.fixture
def view(qtbot, session, jobs):
    made = RunsView(made_bench(session, jobs))
    show(qtbot, made, SIZE)
    qtbot.waitUntil(lambda: made.compare.findings is not None)
    return made


def lines(session) -> dict:
    facts = session.facts.metric("logloss")
    return {line.name: line for line in overlay(session, session.overlay.drawn, facts, ROUNDS).lines}


def wait_for(qtbot, view, second) -> None:
    panel = view.compare
    qtbot.waitUntil(lambda: panel.findings is not None and panel.findings.pair.second is second)


def test_the_common_past_is_drawn_once(session):
    unknown = {name: int(np.isnan(line.values).sum()) for name, line in lines(session).items()}
    assert unknown == {"Run 1": 0, "Run 2": 2, "Run 3": 4, "Run 4": 5}
    assert {name: line.width for name, line in lines(session).items()} == {
        "Run 1": 2.5, "Run 2": 2.5, "Run 3": 1.25, "Run 4": 1.25}


def test_where_the_run_between_is_not_drawn_a_branch_begins_at_the_run_above(session):
    session.overlay.tick(session.runs.all[3], False)
    assert int(np.isnan(lines(session)["Run 4"].values).sum()) == 4
    session.runs.delete(session.runs.all[3])
    assert int(np.isnan(lines(session)["Run 4"].values).sum()) == 4


def test_a_click_on_a_lane_shows_its_run_and_ctrl_compares_it(view, session, qtbot):
    lanes = view.lanes.lanes
    QTest.mouseClick(lanes, Qt.MouseButton.LeftButton, pos=QPoint(400, TOP + LANE))
    assert session.shown.run.number == 3
    control = Qt.KeyboardModifier.ControlModifier
    QTest.mouseClick(lanes, Qt.MouseButton.LeftButton, control, QPoint(400, TOP + 2 * LANE))
    assert session.overlay.partner.number == 4
    assert "Run 4: Max depth 2 → 4 at 6" in lanes.accessibleDescription()


def test_two_runs_are_told_side_by_side(view, session):
    findings = view.compare.findings
    assert [run.number for run in findings.pair.runs] == [1, 2]
    labels = {line.label: line[1:] for line in view.compare.pairs.lines}
    assert labels["Branched from"] == ("", "Run 1 at 3")
    assert labels["η"] == ("0.1", "0.1, 0.02 from 4")
    assert "from tree 4" in view.compare.sentence.text()
    assert findings.shares.first.sum() == pytest.approx(1.0)


def test_a_row_that_moved_is_selected_and_its_path_told_in_both(view, session, qtbot):
    moved = view.compare.moved
    place = moved.list.visualRect(moved.model.index(0)).center()
    QTest.mouseClick(moved.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert session.shown.selection.row == moved.model.table_row(0)
    qtbot.waitUntil(lambda: bool(moved.paths[0].text()))
    assert moved.paths[0].text().startswith("Run 1, tree ")
    assert moved.paths[1].text().startswith("Run 2, tree ")


def test_the_first_difference_is_shown_in_the_tree(view, session, qtbot):
    session.overlay.compare(session.runs.all[4])
    wait_for(qtbot, view, session.runs.all[4])
    with qtbot.waitSignal(view.view_wanted, check_params_cb=lambda name: name == "tree"):
        QTest.mouseClick(view.compare.show_button, Qt.MouseButton.LeftButton)
    found = view.compare.findings.partings
    question = found.question or found.weight
    assert (session.shown.round, session.shown.selection.node) == (question.round, question.nodes[0])


def test_another_tab_ends_what_is_worked_out(view, session, qtbot, monkeypatch):
    begun, left = [], []

    def look_until_left(_pair, _explainer, job):
        begun.append(job)
        while not job.cancelled():
            time.sleep(0.001)
        left.append(job)
        raise Cancelled

    monkeypatch.setattr("workbench.views.runs.compare.panel.find", look_until_left)
    session.overlay.compare(session.runs.all[3])
    qtbot.waitUntil(lambda: len(begun) > 0)
    view.hide()
    qtbot.waitUntil(lambda: left == begun)


def test_a_model_from_a_file_is_compared(view, study, session, qtbot, tmp_path):
    other = study.runs[3].model
    path = tmp_path / "other.json"
    other.save(path)
    view.compare.compare_file(path)
    qtbot.waitUntil(lambda: session.overlay.model is not None)
    wait_for(qtbot, view, session.overlay.model)
    assert "other.json" in {line.name for line in view.board.panes[0].content.lines}
    assert view.compare.findings.moved.of == len(session.shown.run.dataset.valid_rows)


def test_a_model_that_tells_only_its_trees_is_compared_for_these(view, study, session, qtbot, tmp_path):
    path = tmp_path / "bare.onnx"
    study.runs[2].model.save(path)
    view.compare.compare_file(path)
    qtbot.waitUntil(lambda: session.overlay.model is not None)
    wait_for(qtbot, view, session.overlay.model)
    findings = view.compare.findings
    assert findings.shares.measure == "count"
    assert findings.moved.of == len(session.shown.run.dataset.valid_rows)
    assert findings.partings.question.round == 6
    assert "bare.onnx" not in {line.name for line in view.board.panes[0].content.lines}


def test_a_file_that_is_no_model_is_said(view, session, qtbot, tmp_path):
    path = tmp_path / "no.json"
    path.write_text("{}")
    view.compare.compare_file(path)
    qtbot.waitUntil(lambda: session.notices.current is not None)
    assert session.notices.current.severity == "error"
    assert session.overlay.model is None


def test_figures_of_all_runs_are_taken_away(view, tmp_path):
    view.save_csv(tmp_path / "runs.csv")
    view.save_picture(tmp_path / "runs.png")
    rows = (tmp_path / "runs.csv").read_text().splitlines()
    assert rows[0] == "round,Run 1 (1),Run 2 (2),Run 3 (3),Run 4 (4)"
    assert len(rows) == ROUNDS + 1


def test_one_run_alone_is_not_compared(qtbot, jobs):
    made = RunsView(made_bench(Session(), jobs))
    show(qtbot, made, SIZE)
    qtbot.waitUntil(lambda: not made.compare._columns.isVisible())


def test_the_comparison_follows_the_ruler(view, session, qtbot):
    second = session.runs[1]
    session.overlay.compare(second)
    wait_for(qtbot, view, second)
    session.shown.select(round=3)  # up to which both are the same
    qtbot.waitUntil(lambda: view.compare.findings.pair.at == 3)
    assert view.compare.findings.pair.rounds == (3, 3)
    assert view.compare.sentence.text() == "At round 3: the trees of 3 rounds are the same in both."
    assert [line.label for line in view.compare.pairs.lines] == ["Branched from"]
    session.shown.select(round=5)
    qtbot.waitUntil(lambda: view.compare.findings.pair.at == 5)
    assert view.compare.sentence.text().startswith("At round 5: leaves differ from tree 4")
    assert "η" in [line.label for line in view.compare.pairs.lines]
    session.shown.select(round=None)
    qtbot.waitUntil(lambda: view.compare.findings.pair.rounds == (ROUNDS, ROUNDS))


def test_a_linear_model_counts_no_leaves_beside_a_tree():
    study = linear_study()
    linear = study.session.runs[0]
    study.train(method="cart", max_depth=2)
    found = {line.label: line for line in lines_of(linear, study.session.runs[-1], 1)}
    assert found["Leaves"].first == "–"
    assert found["Leaves"].second == "4"
