from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QLineEdit

from tests.views.made_forest import made_bench, made_session, show, weigh_newest
from workbench.explain.what_if.rescoring import STORED, Values
from workbench.session.session import Session
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.slider import Slider
from workbench.views.what_if.figures import score_text
from workbench.views.what_if.leaf_plot import covering, leaves_in_order
from workbench.views.what_if.panel import WhatIfPanel

LEFT = Qt.MouseButton.LeftButton
LONG = 60_000


@pytest.fixture
def panel(qtbot, bench, wait_for_scores):
    made = WhatIfPanel(bench)
    show(qtbot, made, (304, 800))
    wait_for_scores()
    return made


def type_value(qtbot, panel, name, text):
    field = panel.rows[name].findChild(QLineEdit)
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_stored_values_stand_under_the_rows_and_nothing_is_asked(panel, session):
    assert [row.note for row in panel.rows.values()] == ["stored 1", "stored 0", "stored 0"]
    assert panel.rows["reg_lambda"].value == 1.0
    assert not panel.apply_button.isEnabled()
    assert not panel.back_button.isEnabled()
    assert panel.retraining.isHidden()
    stored = sum(tree.n_leaves for event in session.shown.run.rounds for tree in event.trees)
    assert panel.table.texts(0)[1] == str(stored)
    assert panel.table.texts(1) == ["–"] * 6


def test_typing_a_value_scores_the_trees_and_going_back_forgets_it(qtbot, panel, session):
    type_value(qtbot, panel, "gamma", "0.3")
    asked = session.shown.run.what_if
    assert asked.values == Values(gamma=0.3)
    assert panel.rows["gamma"].is_changed
    assert panel.table.texts(1)[:2] == [str(asked.rescored.n_splits), str(asked.rescored.n_leaves)]
    assert asked.rescored.n_splits < asked.stored.n_splits
    qtbot.mouseClick(panel.back_button, LEFT)
    assert session.shown.run.what_if.values == STORED
    assert not panel.rows["gamma"].is_changed
    assert panel.table.texts(1) == ["–"] * 6


def test_dragging_a_slider_scores_at_every_step(qtbot, panel, session):
    slider = panel.rows["reg_lambda"].findChild(Slider)
    y = slider.height() // 2
    qtbot.mousePress(slider, LEFT, pos=QPoint(10, y))
    scores = []
    for x in (20, 30, 40, 50):
        qtbot.mouseMove(slider, QPoint(x, y))
        scores.append(session.shown.run.what_if.rescored.structure_score)
    qtbot.mouseRelease(slider, LEFT, pos=QPoint(50, y))
    assert scores == sorted(scores)  # a larger λ takes less off
    assert len(set(scores)) == 4


def test_the_reset_of_a_row_goes_back_to_what_is_stored(qtbot, panel, session):
    type_value(qtbot, panel, "reg_lambda", "5")
    assert panel.rows["reg_lambda"]._tail.toolTip() == "Back to 1"
    qtbot.mouseClick(panel.rows["reg_lambda"]._tail, LEFT)
    assert session.shown.run.what_if.values == STORED


@pytest.fixture
def mixed(qtbot, session, bench, wait_for_scores):
    """The panel on a run whose λ was changed live from 1 to 5."""
    weigh_newest(session, 5.0)
    made = WhatIfPanel(bench)
    show(qtbot, made, (304, 800))
    wait_for_scores()
    return made


def test_trees_of_several_lambdas_show_none_of_them_as_theirs(mixed, session):
    row = mixed.rows["reg_lambda"]
    assert row.findChild(QLineEdit).text() == "mixed"
    assert row.note == "stored 1 to 5, the newest 5"
    assert not row.is_changed
    assert session.shown.run.what_if.values == STORED
    assert [mixed.rows[name].findChild(QLineEdit).text() for name in ("gamma", "reg_alpha")] == ["0", "0"]


def test_the_newest_value_can_be_asked_for_all_trees_and_given_back(qtbot, mixed, session):
    row = mixed.rows["reg_lambda"]
    type_value(qtbot, mixed, "reg_lambda", "5")
    assert session.shown.run.what_if.values == Values(reg_lambda=5.0)
    assert row.is_changed
    what_if = session.shown.run.what_if
    assert what_if.rescored.structure_score > what_if.stored.structure_score
    assert mixed.table.texts(1)[2] not in ("–", mixed.table.texts(0)[2])
    assert mixed.back_button.isEnabled()
    assert row._tail.toolTip() == "Back to mixed"
    qtbot.mouseClick(row._tail, LEFT)
    assert session.shown.run.what_if.values == STORED
    assert row.findChild(QLineEdit).text() == "mixed"
    assert not row.is_changed


def test_a_click_on_the_handle_where_it_rests_asks_for_that_value(qtbot, mixed, session):
    row = mixed.rows["reg_lambda"]
    slider = row.findChild(Slider)
    assert slider.current == 5.0
    assert not slider.is_changed
    qtbot.mouseClick(slider, LEFT, pos=QPoint(round(slider._x(5.0)), slider.height() // 2))
    assert session.shown.run.what_if.values.reg_lambda == pytest.approx(5.0, rel=0.1)
    assert slider.is_changed
    qtbot.mouseClick(mixed.back_button, LEFT)
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    qtbot.keyClick(slider, Qt.Key.Key_Left)
    assert session.shown.run.what_if.values == Values(reg_lambda=5.0)  # and not what is stored


def test_metrics_come_when_they_are_there(qtbot, panel, session):
    type_value(qtbot, panel, "reg_lambda", "5")
    assert panel.table.texts(1)[3] == "…"
    qtbot.waitUntil(lambda: panel.table.texts(1)[3] not in "…–", timeout=LONG)
    scores = session.shown.run.what_if.metrics
    assert float(panel.table.texts(1)[3]) == pytest.approx(scores.train["logloss"], abs=1e-3)


def test_applying_adds_a_run_without_what_was_pruned(qtbot, panel, session):
    run = session.shown.run
    type_value(qtbot, panel, "gamma", "0.3")
    left = run.what_if.rescored.n_leaves
    qtbot.mouseClick(panel.apply_button, LEFT)
    qtbot.waitUntil(lambda: session.shown.run is not run, timeout=LONG)
    assert len(session.runs) == 2
    assert sum(event.leaves for event in session.shown.run.rounds) == left
    assert [row.note for row in panel.rows.values()][1] == "stored 0.3"


def test_without_a_finished_run_it_says_what_to_do(qtbot, jobs):
    panel = WhatIfPanel(made_bench(Session(), jobs))
    show(qtbot, panel, (304, 800))
    assert panel.empty.text() == "No trees yet. Choose the target, then Train."
    assert panel.empty.isVisible()
    panel = WhatIfPanel(made_bench(made_session(2, ended=False), jobs))
    show(qtbot, panel, (304, 800))
    assert "has not ended" in panel.empty.text()


def test_every_control_has_a_name(panel):
    for row in panel.rows.values():
        assert row.findChild(QLineEdit).accessibleName()
    assert all(cell.accessibleName() for cells in panel.table.cells for cell in cells)
    assert "becomes" in panel.leaves.accessibleDescription()


def test_leaves_stand_from_left_to_right_and_pruned_ones_under_their_new_leaf(qtbot, panel, session):
    tree = session.shown.run.trees(2)[0]
    order = leaves_in_order(tree)
    assert sorted(order) == np.flatnonzero(tree.is_leaf).tolist()
    leftmost = 0
    while not tree.is_leaf[leftmost]:
        leftmost = tree.nodes["left"][leftmost]
    assert order[0] == leftmost
    type_value(qtbot, panel, "gamma", "1000")
    own = session.shown.run.what_if.rescored.tree(1)
    assert (covering(tree, own) == 0).all()


def test_a_model_without_sums_says_why_it_cannot_be_scored(qtbot, jobs):
    session = made_session(2)
    run = session.shown.run
    for place, event in enumerate(run.rounds):
        nodes = event.trees[0].nodes.copy()
        nodes["sum_gradient"] = nodes["structure_score"] = np.nan
        run.rounds[place] = replace(event, trees=(replace(event.trees[0], nodes=nodes),))
    panel = WhatIfPanel(made_bench(session, jobs))
    show(qtbot, panel, (304, 800))
    qtbot.waitUntil(lambda: "keeps no G and H" in panel.honesty.text(), timeout=LONG)
    type_value(qtbot, panel, "gamma", "0.3")
    assert panel.table.texts(1) == ["–"] * 6
    assert not panel.apply_button.isEnabled()
    assert panel.retrain_button.isEnabled()
    assert {row.note for row in panel.rows.values()} == {""}
    assert not panel.grab().isNull()


@pytest.mark.parametrize("score", [-0.0123, -1118.64, -98_765.4, -1_320_900.0, -281_886_941.2, -4.2e19])
def test_structure_metrics_of_any_size_leave_room_for_their_name(score):
    assert len(score_text(score)) <= len("−1.234e10")


def test_a_metric_whose_words_have_no_room_goes_by_its_name(qtbot):
    label = ElidedLabel("Mean absolute error")
    qtbot.addWidget(label)
    label.set_shorter("mae")
    label.resize(200, 24)
    assert label.shown == "Mean absolute error"
    label.resize(70, 24)
    assert label.shown == "mae"
    QApplication.sendEvent(label, QHelpEvent(QEvent.Type.ToolTip, QPoint(2, 2), QPoint(2, 2)))
    assert label.toolTip() == "Mean absolute error"


@pytest.mark.parametrize(("method", "words"), [
    ("linear", "A linear model has no trees."), ("forest", "Random forest has no λ, γ and α"),
    ("adaboost", "AdaBoost has no λ, γ and α"),
])
def test_a_method_without_penalties_of_leaves_offers_none(panel, session, method, words):
    run = session.shown.run
    run.params = run.params.change(method=method)
    panel.synchronize()
    assert panel.empty.text().startswith(words)
    assert not panel.retrain_button.isVisible()
