"""Nodes that hold shares of classes: impurity and its decrease as formulas; how a single tree is pruned."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import Qt

from tests.views.made_forest import made_bench, show
from workbench.data.samples import sample_file
from workbench.explain.impurity.figures import decrease, node_impurities
from workbench.study.study import Study
from workbench.views.curves.view import TrainingView
from workbench.views.formula.digits import value
from workbench.views.inspector.node.inspector import NodeInspector


@pytest.fixture(scope="module")
def study():
    return Study(pd.read_csv(sample_file("penguins")).dropna(), target="species")


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification"])
def test_impurity_and_decrease_follow_from_what_is_shown(qtbot, jobs, study, criterion):
    run = study.train(method="cart", criterion=criterion, max_depth=3)
    trees = study.session.shown.run.trees(1)
    for node in np.flatnonzero(~trees[0].is_leaf)[:4].tolist():
        family = node_impurities(trees, (node, int(trees[0].nodes["left"][node]),
                                         int(trees[0].nodes["right"][node])), criterion)  # fmt: skip
        counts = np.array([tree.nodes["weight"][node] * tree.nodes["sum_hessian"][node] for tree in trees])
        p = counts / counts.sum()
        wanted = {"gini": (p * (1 - p)).sum(), "entropy": -(p[p > 0] * np.log2(p[p > 0])).sum(),
                  "misclassification": 1 - p.max()}[criterion]  # fmt: skip
        assert family[0].impurity == pytest.approx(wanted, abs=1e-9)
        assert decrease(family) >= -1e-9
    inspector = NodeInspector(made_bench(study.session, jobs))
    show(qtbot, inspector, (1100, 340))
    study.session.shown.select(node=0)
    symbols, numbers = inspector.formula.formulas[0].text.splitlines()
    assert symbols.strip() == "Δ = n · i − n_L · i_L − n_R · i_R"
    *terms, result = numbers.replace("=", "−").replace("·", "−").split("−")[1:]
    n, i, n_left, i_left, n_right, i_right = map(value, terms)
    assert float(n * i - n_left * i_left - n_right * i_right) == pytest.approx(float(value(result)), abs=6e-4)
    assert inspector.table.text.splitlines()[0].split("\t") == [
        "", "Rows", "n", "i", "p Adelie", "p Chinstrap", "p Gentoo"
    ]
    assert run.number


def test_adaboost_of_several_classes_is_shown_by_impurity_under_row_weights(qtbot, jobs, study):
    study.train(method="adaboost", rounds=3)
    inspector = NodeInspector(made_bench(study.session, jobs))
    show(qtbot, inspector, (1100, 340))
    study.session.shown.select(round=3, node=0)
    assert inspector.formula.formulas[0].text.startswith("Δ = n · i")
    assert "by its row weight ω" in inspector.missing.text()
    shown = inspector.formula.formulas[0].text.splitlines()[1]
    gain = study.session.shown.run.trees(3)[0].nodes["gain"][0]
    assert float(value(shown.split("=")[-1].strip())) == pytest.approx(gain, abs=6e-4)


def test_a_click_on_the_pruning_path_takes_its_alpha(qtbot, jobs, study):
    study.train(method="cart")
    view = TrainingView(made_bench(study.session, jobs))
    show(qtbot, view, (900, 600))
    qtbot.waitUntil(lambda: "standard error" in view.pruning.sentence, timeout=20_000)
    assert view.pruning.isVisible()
    assert not view.board.isVisible()
    path = view.pruning._path
    plot, place = view.pruning, path.one_deviation
    spot = plot._rect.center().toPoint()
    spot.setX(round(plot._x(path.leaves[place])))
    qtbot.mouseClick(plot, Qt.MouseButton.LeftButton, pos=spot)
    alpha = study.session.hyperparameters.wanted.ccp_alpha
    assert path.alphas[place] <= alpha
    study.train(method="cart", ccp_alpha=alpha)
    assert study.session.shown.run.trees(1)[0].n_leaves == path.leaves[place]
