"""Metrics before the first tree, from what targets add up to: those of the rows themselves."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.cluster.measures import of_constant, tally_of
from workbench.cluster.tallies import TargetTally
from workbench.metrics.base import METRICS, measure
from workbench.objectives.base import OBJECTIVES
from workbench.parameters.training import TrainingParams

NAMES = {
    "squared": ("rmse", "mae", "r2"), "logistic": ("logloss", "error", "auc"),
    "poisson": ("poisson_deviance", "rmse", "mae"), "gamma": ("gamma_deviance", "rmse", "mae"),
    "tweedie": ("tweedie_deviance", "rmse", "mae"),
}  # fmt: skip


@pytest.mark.parametrize("objective", NAMES)
@pytest.mark.parametrize("weighted", [False, True])
def test_metrics_of_a_constant_are_those_of_the_rows(objective, weighted):
    rng, params = np.random.default_rng(3), TrainingParams(objective=objective)
    target = {"poisson": rng.poisson(2.0, 6000), "logistic": rng.random(6000) < 0.3}.get(objective)
    target = (rng.gamma(1.5, size=6000) if target is None else target).astype(np.float64)
    weight = rng.random(6000) if weighted else None
    classes = 2 if objective == "logistic" else 0
    parts = np.array_split(np.arange(6000), 4)
    tally = TargetTally.together(
        tally_of(target[rows], None if weight is None else weight[rows], classes, params, objective)
        for rows in parts
    )
    base = np.array([0.4], np.float32)
    found = of_constant(objective, NAMES[objective], params, tally, base)
    known = OBJECTIVES.get(objective).with_params(params)
    raw = np.full(6000, base[0], np.float32)
    for name in NAMES[objective]:
        wanted = measure(METRICS.get(name), known, target, raw, weight)
        assert found[name] == pytest.approx(wanted, rel=2e-4, abs=1e-6), name
