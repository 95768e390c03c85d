from __future__ import annotations

import numpy as np
import pytest

from tests.reference.tables import random_dataset
from workbench.ensembles.goss import draw_by_gradient
from workbench.ensembles.own_parts import NOTHING_OWN
from workbench.ensembles.row_sampling import SampledRows, draw_rows
from workbench.ensembles.run.first_predictions import first_predictions
from workbench.ensembles.run.setup import RunSetup
from workbench.ensembles.run.training_loss import TrainingLoss
from workbench.objectives.base import gradients
from workbench.parameters.training import TrainingParams


def begun(weighted):
    data = random_dataset("binary", weighted=weighted)
    setup = RunSetup(data, TrainingParams(threads=1), None, NOTHING_OWN)
    rows = first_predictions(setup, data, np.array([0.25], np.float32)).train
    return setup.objective, rows, TrainingLoss(setup.objective, rows, setup.team)


def naive(rows):
    probability = 1 / (1 + np.exp(-rows.raw[0].astype(float)))
    return -rows.weights * np.log(np.where(rows.target == 1, probability, 1 - probability))


@pytest.mark.parametrize("weighted", [False, True])
def test_it_follows_the_raw_predictions(weighted):
    objective, rows, loss = begun(weighted)
    for _ in range(2):
        assert loss.total == pytest.approx(naive(rows).sum())
        assert loss.mean == pytest.approx(naive(rows).sum() / rows.weights.sum())
        g, h = gradients(objective, rows.target, rows.raw[0], rows.weights)
        np.testing.assert_allclose(loss.gradients[0], g)
        np.testing.assert_allclose(loss.hessians[0], h)
        rows.raw[0, ::2] -= 1
        loss.update()


@pytest.mark.parametrize("share", [0.2, 0.8, 1.0])
def test_over_a_sample(share):
    _, rows, loss = begun(weighted=True)
    rows.raw[0, ::2] -= 1
    loss.tell_rows()
    sample = SampledRows(draw_rows(len(rows), share, 3, 1))
    assert loss.over(sample) == pytest.approx(naive(rows)[sample.rows.drawn].sum())
    goss = draw_by_gradient(loss.gradients, loss.hessians, 0.1, share / 2, 3, 1)
    assert loss.over(goss) == pytest.approx((naive(rows) * goss.factors)[goss.rows.drawn].sum())
