"""The Ensemble view: importance of the features, computed elsewhere and shown here."""

from __future__ import annotations

import csv
from concurrent.futures import Executor
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from tests.views.made_forest import made_bench
from tests.views.made_run import add_rounds, end, made_session, with_tools
from workbench.ensembles.events import EndReason, TrainingEnded
from workbench.explain.what_if.rescoring import Values
from workbench.session.no_trees import NO_TREES
from workbench.session.session import Session
from workbench.session.what_if.question import WhatIf
from workbench.views.base import VIEWS
from workbench.views.ensemble import view as ensemble_view
from workbench.views.ensemble.view import NO_CUTS, EnsembleView, importance
from workbench.workers.jobs import Jobs

FEATURES = ("age", "thal", "sex")


class ByHand(Executor):
    """Keeps calls until they are run."""

    def __init__(self):
        self.calls = []

    def submit(self, call, /, *args, **kwargs):
        self.calls.append(lambda: call(*args, **kwargs))

    def drain(self):
        calls, self.calls = self.calls, []
        for call in calls:
            call()

    def shutdown(self, wait=True, *, cancel_futures=False):
        self.calls = []


@pytest.fixture
def hand():
    return ByHand()


@pytest.fixture
def view_of(qtbot, hand, monkeypatch):
    def computed(run, measure, rounds):
        return np.array({"gain": [30.0, 60.0, 10.0], "count": [9, 5, 1]}.get(measure, [1, 1, 2])) * rounds

    monkeypatch.setattr(ensemble_view, "importance", computed)

    kept = []

    def show(session, features=FEATURES):
        if session.shown.run is not None:
            session.shown.run.schema = SimpleNamespace(names=features)
        view = EnsembleView(made_bench(session, Jobs(hand)))
        holder = with_tools(qtbot, view)
        kept.append(holder)
        holder.resize(1016, 640)
        with qtbot.waitActive(holder):
            holder.show()
            holder.activateWindow()
        return view

    return show


def answer(qtbot, hand, view):
    with qtbot.waitSignal(view.list.bars.modelReset, raising=False, timeout=50):
        hand.drain()


def shown(view):
    bars = view.list.bars
    return [(name, bars.text(row)) for row, name in enumerate(bars.names)]


def test_features_stand_in_the_order_of_their_importance(qtbot, hand, view_of):
    session = made_session(20, 20)
    end(session)
    view = view_of(session)
    assert shown(view) == []
    answer(qtbot, hand, view)
    assert shown(view) == [("thal", "1,200"), ("age", "600"), ("sex", "200")]
    text = view.list.bars.data(view.list.bars.index(0), Qt.ItemDataRole.AccessibleTextRole)
    assert text == "thal, 1,200, 60.0 %"
    cells = {cell.label: cell.figure for cell in view.kpis.cells}
    assert (cells["Model after"], cells["Trees"], cells["Leaves"]) == ("Round 20", "20", "160")


def test_it_says_that_it_shows_the_stored_model_while_something_is_asked(qtbot, hand, view_of):
    session = made_session(20, 20)
    end(session)
    view = view_of(session)
    answer(qtbot, hand, view)
    assert not view.stored.isVisible()
    for values, is_said in ((Values(reg_lambda=3.0), True), (Values(), False)):
        session.shown.run.what_if = WhatIf(values, rescored=SimpleNamespace())
        session.events.what_if.emit()
        assert view.stored.isVisible() is is_said
    assert view.stored.text() == "As stored: What if changes nothing here."


def test_a_stale_answer_is_dropped(qtbot, hand, view_of):
    session = made_session(20, 20)
    end(session)
    view = view_of(session)
    view.choose("count")
    answer(qtbot, hand, view)
    assert shown(view) == [("age", "180"), ("thal", "100"), ("sex", "20")]


def test_scrubbing_asks_for_the_model_up_to_the_shown_round(qtbot, hand, view_of):
    session = made_session(20, 20)
    end(session)
    view = view_of(session)
    session.shown.select(round=10)
    session.shown.select(round=5)
    assert len(hand.calls) == 1, "one question at a time"
    answer(qtbot, hand, view)
    qtbot.waitUntil(lambda: len(hand.calls) == 1)
    hand.drain()
    qtbot.waitUntil(lambda: shown(view)[0] == ("thal", "300"))
    assert view.phrase.text() == "sum of the gains of its splits, trees of rounds 1 to 5"


def test_while_training_it_asks_twice_a_second_at_most(qtbot, hand, view_of):
    session = made_session(20, 50)
    view = view_of(session)
    answer(qtbot, hand, view)
    for last in range(21, 31):
        add_rounds(session, last)
    assert hand.calls == []
    qtbot.waitUntil(lambda: len(hand.calls) == 1)
    hand.drain()
    qtbot.waitUntil(lambda: shown(view)[0] == ("thal", "1,800"))


def test_it_shows_how_many_cuts_each_column_got(qtbot, hand, view_of, monkeypatch):
    monkeypatch.setattr(ensemble_view, "importance", importance)
    session = made_session(20, 20)
    view = view_of(session)
    view.choose("cuts")
    answer(qtbot, hand, view)
    assert shown(view) == []
    assert view.list.sentence == NO_CUTS
    session.runs.apply(session.shown.run, [TrainingEnded(EndReason.FINISHED, 20, 20, 2.1, (40, 3, 2))])
    answer(qtbot, hand, view)
    assert shown(view) == [("age", "40"), ("thal", "3"), ("sex", "2")]
    assert "last tree" in view.phrase.text()
    session.shown.select(round=5)
    assert hand.calls == [], "they are those of the last tree at every round"


def test_clicking_a_bar_selects_the_column(qtbot, hand, view_of):
    session = made_session(20, 20)
    view = view_of(session)
    answer(qtbot, hand, view)
    rect = view.list.visualRect(view.list.bars.index(1))
    qtbot.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert session.shown.selection.column == "age"
    qtbot.keyClick(view.list, Qt.Key.Key_Down)
    assert session.shown.selection.column == "sex"
    session.shown.select(column="thal")
    assert view.list.currentIndex().row() == 0


def test_empty_it_says_what_to_do(view_of):
    view = view_of(Session())
    assert view.list.sentence == NO_TREES
    assert VIEWS.get("ensemble") is EnsembleView


def test_thousands_of_features_scroll_and_export(qtbot, hand, view_of, monkeypatch, tmp_path):
    names = tuple(f"feature_{index}" for index in range(5000))
    monkeypatch.setattr(ensemble_view, "importance", lambda *_: np.arange(5000.0))
    view = view_of(made_session(20, 20), names)
    answer(qtbot, hand, view)
    qtbot.waitUntil(lambda: view.list.verticalScrollBar().maximum() > 100_000)
    view.list.grab()
    view.save_csv(tmp_path / "importance.csv")
    with (tmp_path / "importance.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[:2] == [["feature", "gain", "share"], ["feature_4999", "4999.0", str(4999 / 12_497_500)]]
    for ending in ("png", "svg"):
        view.save_picture(tmp_path / f"importance.{ending}")
    assert not QImage(str(tmp_path / "importance.png")).isNull()
    assert b"feature_4999" in (tmp_path / "importance.svg").read_bytes()
