"""A hold-out on which a metric is not defined has a sentence in the place of its curve."""

from __future__ import annotations

import numpy as np
import pandas as pd

from tests.views.made_forest import made_bench
from workbench.study.study import Study
from workbench.views.curves.pane import Pane
from workbench.views.curves.run_plots import Options, marks, plots
from workbench.views.ruler.round_ruler import RoundRuler
from workbench.views.runs.cards import card_of

N = 80


def study(**columns) -> Study:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"a": rng.normal(size=N), "part": np.repeat(["train", "valid"], [60, 20])})
    frame["y"] = np.where(np.arange(N) < 30, "no", "yes")  # all rows held out are of one class
    return Study(frame.assign(**columns), target="y")


def test_one_class_only_in_the_hold_out() -> None:
    told = study()
    told.hold_out(by="column", column="part")
    told.train(rounds=3, max_depth=2, more_metrics=("auc",))
    session, auc = told.session, Options(metric="auc")
    assert "AUC is not defined on the rows held out" in marks(session, auc).note
    assert [line.name for line in plots(session, auc)[0].lines] == ["Training"]
    assert marks(session, Options(metric="logloss")).note == ""


def test_a_metric_that_is_defined_nowhere_has_no_best_round() -> None:
    rng = np.random.default_rng(0)
    told = Study(pd.DataFrame({"a": rng.normal(size=N), "y": np.arange(N) % 5.0}), target="y")
    told.train(rounds=3, max_depth=2, metric="mape", objective="squared")
    found = marks(told.session, Options(metric="mape"))
    assert not plots(told.session, Options(metric="mape"))[0].lines
    assert found.best == 0, "it would stand at a line, and there is none"
    assert "the target is 0" in found.note


def test_a_metric_that_is_defined_nowhere_has_no_levels_and_no_best_elsewhere(qtbot) -> None:
    told = Study(pd.DataFrame({"a": np.arange(N, dtype=float), "y": np.arange(N) % 5.0}), target="y")
    told.train(rounds=3, max_depth=2, metric="mape", more_metrics=("rmse",), objective="squared")
    ruler, pane = RoundRuler(made_bench(told.session)), Pane()
    qtbot.addWidget(ruler)
    card = card_of(told.session.shown.run, frozenset())
    assert (card.best, "best" in card.facts, ruler.marks().best) == ("", False, 0)
    pane.show(plots(told.session, Options(metric="mape"))[0], (0.5, 3.5))
    assert not pane.span.ticks
    pane.show(plots(told.session, Options(metric="rmse"))[0], (0.5, 3.5))
    assert pane.span.ticks


def test_a_hold_out_of_weight_zero() -> None:
    told = study(w=np.where(np.arange(N) < 60, 1.0, 0.0))
    told.role("w", "weight")
    told.hold_out(by="column", column="part")
    told.train(rounds=3, max_depth=2)
    assert "weight 0" in marks(told.session, Options()).note
