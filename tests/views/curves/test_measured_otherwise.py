"""The plots of a branch that measures otherwise than the run that it leaves."""

from __future__ import annotations

import numpy as np

from tests.views.made_runs import frame
from workbench.session.objective_facts import known_objectives
from workbench.study.study import Study
from workbench.views.curves.run_plots import Options, marks, plots
from workbench.views.runs.overlay import overlay


def test_the_plots_say_since_when_and_draw_no_drop_between_two_measures():
    study = Study(frame(), target="ill")
    session = study.session
    session.data.objectives = known_objectives()
    run = study.train(rounds=5, max_depth=2)
    branch = run.branch(at=3, metric="rmse", scale_pos_weight=4.0)
    session.shown.show(branch.run)
    assert marks(session, Options()).note == "RMSE is measured from round 4 on."
    assert marks(session, Options()).best == 0
    branch.grow()
    metric, objective, drop, _gain = plots(session, Options())
    assert "measured from round 4 on" in metric.phrase
    assert [np.isfinite(line.values).sum() for line in metric.lines if line.name == "Validation"] == [2]
    assert "with Positive × 1 up to round 3" in objective.phrase
    fanned = overlay(session, session.overlay.drawn, session.facts.metric("logloss"), 5)
    assert fanned.phrase.endswith("; Run 1 weighed otherwise")
    assert {line.name: np.isnan(line.values).sum() for line in fanned.lines} == {"Run 1": 0, "Run 2": 3}
    hold_out = next(line.values for line in drop.lines if line.name == "hold-out")
    assert np.isnan(hold_out).tolist() == [False, False, False, True, False]
    assert "with Positive × 1 up to round 3" in plots(session, Options(metric="logloss"))[0].phrase
