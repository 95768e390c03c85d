"""What the window says about why a node was split: numbers against the rows, and clicks as a hand would."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu

from tests.reference.tables import random_dataset, train
from tests.views.made_forest import show
from workbench.explain.candidates import Candidate, rank_columns
from workbench.explain.node_figures import Test
from workbench.explain.node_rows import node_rows
from workbench.explain.node_text import gain_text
from workbench.session.session import Session
from workbench.views.inspector.node.inspector import NodeInspector
from workbench.views.inspector.why.candidate_table import CandidateTable
from workbench.views.inspector.why.candidates_model import GAIN, HOLD_OUT, MARGIN, TEST, TONE

PARAMS = {"rounds": 4, "max_depth": 2, "threads": 1, "min_child_weight": 12.0}


@pytest.fixture
def session():
    data = random_dataset("binary", n=300, n_valid=80)
    started, rounds, ended = train(data, **PARAMS)
    made = Session()
    made.hyperparameters.change(**PARAMS)
    made.data.set_objective(started.ensemble.objective)
    run = made.new_run()
    made.runs.dataset_ready(run, data)
    made.runs.apply(run, [started, *rounds, ended])
    return made


@pytest.fixture
def inspector(qtbot, bench):
    made = NodeInspector(bench)
    show(qtbot, made, (1140, 330))
    return made


def look_at(qtbot, inspector, session, node):
    """Select a node, and wait until its scan is there."""
    session.shown.select(node=node)
    why = inspector.why

    def is_shown():
        found = why._explainer.nodes.known(why._subject)
        assert found is not None
        assert why.table.model().rowCount() == len(found.ranking.ranked)
        is_leaf = session.shown.tree.is_leaf[node]
        newest = why._explainer.whole_trees.holdout.newest
        assert is_leaf or (why.scan.plot.curve is not None and newest is not None)

    qtbot.waitUntil(is_shown, timeout=60_000)
    return why


def test_the_candidates_are_those_of_the_rows(qtbot, inspector, session):
    why = look_at(qtbot, inspector, session, 0)
    replay = inspector._bench.explainer.replays.of(session.shown.run)
    expected = rank_columns(node_rows(replay, 4, 0, 0))
    table = why.table.model()
    assert table.rowCount() == len(expected.ranked)
    for row, candidate in enumerate(expected.ranked):
        assert table.index(row, TEST).data() == candidate.test.text
        assert table.index(row, GAIN).data() == gain_text(candidate.gain)
        assert table.index(row, HOLD_OUT).data() == gain_text(candidate.holdout_gain)
    assert table.index(0, MARGIN).data() == "chosen"
    gain = session.shown.tree.nodes["gain"][0]
    assert table.index(0, GAIN).data() == gain_text(float(gain))
    assert inspector.holdout_text.startswith("Hold-out gain ")
    assert " on 80 rows." in inspector.holdout_text


def test_the_scan_marks_the_winner_and_what_is_refused(qtbot, inspector, session):
    why = look_at(qtbot, inspector, session, 0)
    curve, tree = why.scan.plot.curve, session.shown.tree
    assert curve.feature.name == f"x{tree.nodes['feature'][0]}"
    assert curve.gain[curve.made] == pytest.approx(tree.nodes["gain"][0])
    assert curve.made == curve.best
    assert {why for _, _, why in curve.refused_ranges} == {"a child has H below 12"}
    assert "cuts of x" in why.scan.plot.accessibleDescription()
    assert not inspector.grab().isNull()


def test_a_candidate_that_is_clicked_shows_its_scan(qtbot, inspector, session):
    why = look_at(qtbot, inspector, session, 0)
    name = why.table.model().index(1, TEST).data().split(" ")[0]
    cell = why.table.visualRect(why.table.model().index(1, TEST)).center()
    qtbot.mouseClick(why.table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(cell))
    qtbot.waitUntil(lambda: why.scan.plot.curve.feature.name == name, timeout=60_000)
    assert why.scan.plot.curve.made == -1

    session.shown.select(node=1)
    own = session.shown.tree.nodes["feature"][1]
    qtbot.waitUntil(lambda: why.scan.plot.curve.feature.name == f"x{own}", timeout=60_000)


def test_another_feature_is_laid_over(qtbot, inspector, session):
    why = look_at(qtbot, inspector, session, 0)
    why.scan.over.setCurrentIndex(2)
    why.scan.over.activated.emit(2)
    name = why.scan.over.currentText()
    qtbot.waitUntil(lambda: why.scan.plot.over is not None, timeout=60_000)
    assert why.scan.plot.over.feature.name == name
    assert not inspector.grab().isNull()


def test_arrows_read_the_cuts_and_values_are_copied(qtbot, inspector, session):
    why = look_at(qtbot, inspector, session, 0)
    plot = why.scan.plot
    plot.setFocus()
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    assert why.scan.heading.note == plot.curve.words(plot.curve.made)
    place = QPoint(9, 9)
    QApplication.sendEvent(plot, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, place))
    plot.findChild(QMenu).actions()[0].trigger()
    assert len(QGuiApplication.clipboard().text().splitlines()) == len(plot.curve) + 1
    plot.findChild(QMenu).close()


def test_distributions_count_every_row(qtbot, inspector, session):
    why = look_at(qtbot, inspector, session, 0)
    qtbot.mouseClick(why.scan.buttons["Distributions"], Qt.MouseButton.LeftButton)
    assert why.scan.spread.isVisible()
    assert why.scan.heading.title == f"Rows of this node by {why.scan.plot.curve.feature.name}"
    assert why.scan.heading.note == ""
    spread = why.scan.spread._spread
    tree = session.shown.tree
    assert spread.hessians.yes.sum() == tree.nodes["count"][tree.nodes["left"][0]]
    assert not inspector.grab().isNull()


def test_where_there_is_room_for_one_the_best_cuts_stand_in_place_of_the_scan(qtbot, inspector, session):
    why = look_at(qtbot, inspector, session, 0)
    assert why.scan.isVisible()
    assert why.table.isVisible()
    assert not why.scan.cuts_button.isVisible()

    inspector.window().resize(760, 330)
    qtbot.waitUntil(lambda: not why.table.isVisible())
    qtbot.mouseClick(why.scan.cuts_button, Qt.MouseButton.LeftButton)
    assert why.table.isVisible()
    assert not why.scan.isVisible()
    qtbot.mouseClick(why.back_button, Qt.MouseButton.LeftButton)
    assert why.scan.isVisible()
    assert not why.table.isVisible()


def test_a_leaf_says_why_it_is_one(qtbot, inspector, session):
    leaf = int(np.flatnonzero(session.shown.tree.nodes["depth"] == 2)[0])
    why = look_at(qtbot, inspector, session, leaf)
    assert why.others.text().startswith("A leaf: 2 questions are the most on a path")


def test_a_model_without_rows_says_so(qtbot, inspector, session):
    session.shown.run.dataset = None
    session.shown.select(node=0)
    qtbot.waitUntil(lambda: "without the rows it was trained on" in inspector.why.message.text())
    assert inspector.holdout.text() == ""


@pytest.mark.parametrize(("margin", "text", "tone"), [
    (74.78, "+7,478 %", "text2"), (1e6, ">9,999 %", "text2"), (0.03, "tie +3.0 %", "badge"),
    (1e-9, "tie 0.0 %", "badge"), (-0.03, "tie 3.0 %", "badge"), (-0.75, "−75 %", "text2"),
])
def test_what_gains_more_than_a_forced_split_has_a_plus(qtbot, margin, text, tone):
    made = Candidate(0, Test("age", "<", "50"), np.float32(50), (), True, 1.0, 1.0, 0.0, 1.0, True)
    table = CandidateTable()
    qtbot.addWidget(table)
    table.show_candidates([made, replace(made, feature=1, margin=margin, is_chosen=False)], 0)
    assert table.model().index(1, MARGIN).data() == text
    assert table.model().index(1, MARGIN).data(TONE) == tone


def test_small_gains_keep_their_digits():
    texts = [gain_text(gain) for gain in (0.0, 1e-17, 0.00012345, -0.00012345, 2e-6, 0.0012, 12.3456)]
    assert texts == ["0.000", "0.000", "0.00012", "−0.00012", "2.0e−6", "0.001", "12.346"]


def test_beside_a_scan_that_is_there_first_the_wait_for_the_other_columns_is_told(
    qtbot, inspector, session, monkeypatch
):
    why = inspector.why
    why._late.setInterval(0)
    with monkeypatch.context() as waiting:
        waiting.setattr(why._explainer.nodes, "known", lambda _subject: None)
        session.shown.select(node=0)
        qtbot.waitUntil(lambda: why.scan.plot.curve is not None, timeout=60_000)
        qtbot.waitUntil(lambda: why._pages.currentIndex() == 1, timeout=60_000)
        columns = len(session.shown.run.schema.names)
        qtbot.waitUntil(lambda: why.others.text() == f"Scanning {columns} columns at this node.")


def test_candidates_of_another_node_do_not_stand_beside_the_scan_of_this_one(
    qtbot, inspector, session, monkeypatch
):
    why = look_at(qtbot, inspector, session, 0)
    before, tree = why.scan.plot.curve, session.shown.tree
    why._late.setInterval(60_000)
    with monkeypatch.context() as waiting:
        waiting.setattr(why._explainer.nodes, "known", lambda _subject: None)
        session.shown.select(node=int(np.flatnonzero(~tree.is_leaf)[1]))
        qtbot.waitUntil(lambda: why.scan.plot.curve is not before, timeout=60_000)
        assert (why.table.model().rowCount(), why.others.text()) == (0, "")
        assert not why.take_button.isEnabled()
