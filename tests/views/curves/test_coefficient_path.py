"""The path of a linear model's coefficients: live, labelled, and told by its λ."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt

from tests.views.curves.test_view import readout, spot, titles, view_of  # noqa: F401
from tests.views.made_runs import linear_study
from workbench.session.comparison.first_difference import Partings
from workbench.session.no_trees import LINEAR, no_trees
from workbench.views.curves.coefficient_path import NAMED, coefficient_path, decades, short_names
from workbench.views.runs.compare.findings import Findings, Pair, _shares
from workbench.views.runs.compare.panel import paths_of, sentence_of


@pytest.fixture(scope="module")
def study():
    return linear_study()


def test_the_largest_ten_have_their_names_and_the_others_are_faint(study):
    run = study.session.shown.run
    content = coefficient_path(run, 12)
    named = [line for line in content.lines if line.name]
    assert 0 < len(named) <= NAMED
    assert {"x0", "kind u"} <= {line.name for line in named}
    assert all(line.token == "ctl" for line in content.lines if not line.name)
    ends = {line.name: line.values[-1] for line in named}
    assert ends["x0"] == run.rounds[-1].linear.coefficients[0, 0]
    others = [abs(line.values[-1]) for line in content.lines if not line.name]
    assert max(others, default=0.0) <= min(map(abs, ends.values()))


def test_it_tells_the_penalty_of_the_shown_round(study):
    run = study.session.shown.run
    assert float(coefficient_path(run, 3).phrase.split("round 3: λ ")[1]) == pytest.approx(
        run.rounds[2].linear.reg_lambda, rel=5e-3
    )
    assert "round 12: λ 0.001" in coefficient_path(run, 12).phrase


def test_powers_of_ten_stand_where_the_path_passes_them():
    marks = decades(np.array([3.0, 1.0, 0.1, 0.03, 0.003]))
    assert [text for _, text in marks] == ["λ 1", "λ 0.1", "λ 0.01"]
    assert [x for x, _ in marks] == pytest.approx([2.0, 3.0, 4.4771], abs=1e-3)
    assert decades(np.array([0.5])) == ()


def test_classes_are_told_apart_by_few_letters():
    assert short_names(["Adelie", "Chinstrap", "Gentoo"]) == ["Ade", "Chi", "Gen"]
    assert short_names(["class 1", "class 2"]) == ["class 1", "class 2"]
    assert short_names(["a", "b"]) == ["a", "b"]


def test_the_plot_stands_under_the_metric_and_follows_the_ruler(qtbot, view_of, study):  # noqa: F811
    session = study.session
    view = view_of(session)
    assert titles(view) == ["RMSE", "Coefficients", "Objective", "Drop per round"]
    pane = view.board.shown[1]
    assert pane.rect.height() == pytest.approx(view.board.shown[0].rect.height(), abs=2)
    assert readout(view)["Penalty λ"] == "0.001000"
    qtbot.mouseClick(view.board.viewport(), Qt.MouseButton.LeftButton, pos=spot(view, 4, 1))
    assert session.shown.round == 4
    assert "round 4: λ" in view.board.shown[1].content.phrase
    reg_lambda = session.shown.run.rounds[3].linear.reg_lambda
    assert float(readout(view)["Penalty λ"]) == pytest.approx(reg_lambda, rel=1e-3)
    view.toggle_plot("coefficients")
    assert titles(view) == ["RMSE", "Objective", "Drop per round"]
    session.shown.select(round=None)


def test_there_is_no_tree_to_look_at(study):
    assert study.session.shown.tree is None
    assert no_trees(study.session.shown.run) == LINEAR



def test_two_linear_runs_are_compared_by_their_weights(study):
    first = study.runs[0]
    second = first.branch(at=6, reg_lambda=0.5).grow()
    pair = Pair(first.run, second.run, (12, 12))
    shares = _shares(pair)
    assert shares.measure == "weight"
    assert shares.names[0] == "x0"
    findings = Findings(pair, Partings(None, None, 12), shares, None, "")
    assert sentence_of(findings).startswith("Both are linear models; the share of ")
    told = paths_of(pair, 3)
    assert told[0].count(",") == 2
    assert "x0" in told[0]
    study.session.shown.show(first.run)
