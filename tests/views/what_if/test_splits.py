from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt

from tests.views.made_forest import made_bench, made_session, show, weigh_newest
from workbench.explain.what_if.critical_values import Survivors
from workbench.explain.what_if.rescoring import STORED, Values
from workbench.round_numbers import axis_end, ticks_from_zero
from workbench.session.session import Session
from workbench.views.curves.ink import write
from workbench.views.what_if.figures import what_if_column
from workbench.views.what_if.penalty_axis import PenaltyAxis
from workbench.views.what_if.splits_view import SplitsView
from workbench.views.what_if.survivors_plot import SWITCH, Survival, SurvivorsPlot

LEFT = Qt.MouseButton.LeftButton
LONG = 60_000


@pytest.fixture
def view(qtbot, bench, wait_for_scores):
    made = SplitsView(bench)
    show(qtbot, made, (1000, 280))
    wait_for_scores()
    qtbot.waitUntil(lambda: len(made.list.splits.rows) > 0)
    return made


def test_the_splits_of_the_shown_tree_stand_weakest_first(view, session):
    rows = view.list.splits.rows
    tree = session.shown.tree
    assert len(rows) == tree.n_leaves - 1
    assert [row.critical_gamma for row in rows] == sorted(row.critical_gamma for row in rows)
    assert all(row.stays == (row.critical_gamma >= 0) for row in rows)


def test_what_dies_says_so(qtbot, view, session, bench):
    lowest, next_one = np.unique([row.critical_gamma for row in view.list.splits.rows])[:2]
    gamma = 0.5 * (lowest + next_one)
    bench.what_if.try_values(Values(gamma=gamma))
    qtbot.waitUntil(lambda: view.list.splits.rows[0].gamma_words.startswith("dies, "))
    rows = view.list.splits.rows
    assert [row.stays for row in rows] == [row.critical_gamma >= gamma for row in rows]
    asked = session.shown.run.what_if
    said = f"{asked.rescored.n_splits} of {asked.stored.n_splits} splits survive"
    assert said in view.plot.accessibleDescription()
    assert not view.grab().isNull()


def test_while_the_trees_are_scored_it_says_so(view, session):
    session.runs.set_what_if(session.shown.run, values=Values(gamma=0.05), rescored=None)
    assert view.empty.isVisible()
    assert view.empty.text() == "Scoring the trees again."
    assert what_if_column(session.shown.run).texts[:4] == ("…", "…", "…", "…")


def test_trees_of_several_gammas_stand_at_none_of_them(view, session, bench):
    for tree in session.shown.run.rounds[0].trees:
        assert tree.gamma == 0.0
    newest = session.shown.run.rounds[-1]
    object.__setattr__(newest, "trees", tuple(replace(tree, gamma=0.3) for tree in newest.trees))
    view.synchronize()
    splits = session.shown.run.what_if.stored.n_splits
    assert view.plot.accessibleDescription() == f"γ 0 to 0.3, as stored: {splits} of {splits} splits survive"
    bench.what_if.try_values(Values(gamma=0.2))
    assert view.plot.accessibleDescription().startswith("γ 0.2: ")


def test_labels_say_the_lambda_of_the_shown_tree_and_the_range_of_all(qtbot, view, session, bench):
    weigh_newest(session, 5.0)
    for number, own in ((1, "λ 1"), (4, "λ 5")):
        session.shown.select(round=number)
        qtbot.waitUntil(lambda own=own: view.heading.note.endswith(f"critical γ at {own}"))
    bench.what_if.try_values(Values(reg_lambda=2.0))
    assert view.plot._shown.words == ("λ 1 to 5, as stored", "λ 2")
    qtbot.waitUntil(lambda: view.heading.note.endswith("critical γ at λ 2"))


def test_dragging_in_the_curve_asks_for_that_gamma(qtbot, view, session):
    rect = view.plot._rect
    middle = QPoint(round(rect.center().x()), round(rect.center().y()))
    qtbot.mousePress(view.plot, LEFT, pos=middle)
    first = session.shown.run.what_if.values.gamma
    qtbot.mouseMove(view.plot, middle + QPoint(60, 0))
    assert session.shown.run.what_if.values.gamma > first > 0
    qtbot.mouseRelease(view.plot, LEFT, pos=middle + QPoint(60, 0))
    qtbot.mousePress(view.plot, LEFT, pos=QPoint(5, middle.y()))
    assert session.shown.run.what_if.values == STORED  # at the left end γ is 0, as stored


def test_a_click_on_a_split_selects_its_node(qtbot, view, session):
    place = view.list.visualRect(view.list.splits.index(1)).center()
    qtbot.mouseClick(view.list.viewport(), LEFT, pos=place)
    assert session.shown.selection.node == view.list.splits.rows[1].node


def test_the_critical_lambda_stands_where_there_is_one(view, session, bench):
    bench.what_if.try_values(Values(gamma=0.05))
    rows = view.list.splits.rows
    assert all(row.lambda_words.startswith("λ ") for row in rows if np.isfinite(row.critical_lambda))
    assert any(row.lambda_words for row in rows)
    text = view.list.splits.data(view.list.splits.index(0), Qt.ItemDataRole.AccessibleTextRole)
    assert "critical γ" in text


def test_without_trees_it_says_what_to_do(qtbot, jobs):
    view = SplitsView(made_bench(Session(), jobs))
    show(qtbot, view)
    assert view.empty.text() == "No trees yet. Choose the target, then Train."


@pytest.mark.parametrize(("value", "end"), [(0.37, 0.4), (1.0, 1.0), (7.2, 8.0), (501, 600), (0.0, 1.0)])
def test_axes_end_at_round_numbers(value, end):
    assert axis_end(value) == end
    assert ticks_from_zero(end, 5)[0] == 0
    assert len(ticks_from_zero(end, 5)) <= 7


def test_the_axis_is_logarithmic_where_critical_values_crowd():
    rng = np.random.default_rng(0)
    even = PenaltyAxis.over(rng.uniform(0, 4, 500), 0.8)
    crowded = PenaltyAxis.over(rng.lognormal(0, 3, 500), 0.8)
    assert even.first == 0 < crowded.first
    for axis in (even, crowded):
        shares = np.linspace(0, 1, 50)
        assert np.allclose(axis.shares(axis.values(shares)), shares)
        assert axis.at(0.0) == 0
        assert axis.ticks(6)[0] == 0
        assert axis.end >= 0.8
    assert PenaltyAxis.over(np.array([-1.0]), 3.0).end >= 3.0


def test_survivors_against_lambda(qtbot, view, session, bench):
    """The curve falls where splits are gone for good; dragging asks for that λ, and the count is of now."""
    bench.what_if.try_values(Values(gamma=0.05))
    qtbot.mouseClick(view.switch.button("reg_lambda"), LEFT)
    qtbot.waitUntil(lambda: view.plot.accessibleDescription().startswith("λ "), timeout=LONG)
    rect = view.plot._rect
    qtbot.mousePress(view.plot, LEFT, pos=QPoint(round(rect.left() + 0.6 * rect.width()), 60))
    qtbot.mouseRelease(view.plot, LEFT, pos=QPoint(round(rect.left() + 0.6 * rect.width()), 60))
    asked = session.shown.run.what_if
    assert asked.values.reg_lambda > 1
    said = f"{asked.rescored.n_splits} of {asked.stored.n_splits} splits survive"
    qtbot.waitUntil(lambda: said in view.plot.accessibleDescription(), timeout=LONG)
    shown = view.plot._shown
    assert shown.value == asked.values.reg_lambda
    assert int(shown.asked.count(np.array([shown.value]))[0]) >= asked.rescored.n_splits
    assert not view.grab().isNull()
    qtbot.mouseClick(view.switch.button("gamma"), LEFT)
    assert "γ 0.05: " in view.plot.accessibleDescription()


def test_while_a_run_trains_it_says_to_wait_as_the_panel_does(qtbot, jobs):
    view = SplitsView(made_bench(made_session(2, ended=False), jobs))
    show(qtbot, view, (1000, 280))
    assert view.empty.text().startswith("Scoring again takes a finished run.")


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0, 4.0])
@pytest.mark.parametrize("value", [0.02, 0.3, 0.7])
def test_names_of_curves_lie_on_no_curve(qtbot, monkeypatch, power, value):
    placed = []
    monkeypatch.setattr("workbench.views.what_if.survivors_plot.write", spy(write, placed))
    stored = np.random.default_rng(5).random(500) ** power
    plot = SurvivorsPlot()
    qtbot.addWidget(plot)
    plot.resize(700, 260)
    plot.show_survival(Survival("γ", Survivors(stored), Survivors(stored * 0.8), value, 100, 3,
                                ("λ 1, as stored", "λ 3"), "one tick is one split"))
    plot.grab()

    rect, axis = plot._rect, plot._axis
    names = [box for text, box in placed if text.startswith("λ")]
    assert len(names) == 2
    assert not names[0].intersects(names[1])
    for box in names:
        x = np.linspace(box.left(), box.right(), 200)
        values = axis.values((x - rect.left()) / rect.width())
        for critical in (stored, stored * 0.8):
            y = rect.bottom() - Survivors(critical).count(values) / plot._top * rect.height()
            assert not ((y > box.top()) & (y < box.bottom())).any()


def test_the_name_of_a_curve_that_falls_at_once_stands_in_the_plot(qtbot, monkeypatch):
    placed = []
    monkeypatch.setattr("workbench.views.what_if.survivors_plot.write", spy(write, placed))
    stored = np.random.default_rng(5).random(340) ** 4 * 0.4
    plot = SurvivorsPlot()
    qtbot.addWidget(plot)
    plot.resize(650, 235)
    plot.show_survival(Survival("γ", Survivors(stored), Survivors(stored * 0.05 - 1e-4), 0.0, 311, 15,
                                ("λ 1, as stored", "λ 30"), "one tick is one split"))
    plot.grab()
    assert all(plot._rect.contains(box) for text, box in placed if text in ("λ 1, as stored", "λ 30"))


@pytest.mark.parametrize("value", [0.0, 0.2, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("wide", [420, 700])
def test_how_many_survive_stands_beside_the_buttons(qtbot, monkeypatch, value, wide):
    placed = []
    monkeypatch.setattr("workbench.views.what_if.survivors_plot.write", spy(write, placed))
    stored = np.random.default_rng(5).random(3516)
    plot = SurvivorsPlot()
    qtbot.addWidget(plot)
    plot.resize(wide, 235)
    plot.show_survival(Survival("γ", Survivors(stored), Survivors(stored), value, 1442, 480))
    plot.show()
    plot.grab()
    box = next(box for text, box in placed if text.endswith("splits survive"))
    assert box.left() >= 0
    assert box.right() <= plot.width() - SWITCH


def spy(write, placed):
    """Writes, and notes where."""
    def noting(painter, text, x, y, **named):
        taken = write(painter, text, x, y, **named)
        placed.append((text, QRectF(x, y - 5, taken, 10)))
        return taken
    return noting
