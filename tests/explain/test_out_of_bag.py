"""Predictions and importance from rows that trees did not draw."""

from __future__ import annotations

import numpy as np
import pytest

import workbench
from workbench.explain.out_of_bag import out_of_bag_predictions, permuted_importance
from workbench.given import make_dataset


def trained(n_classes, **values):
    generator = np.random.default_rng(0)
    X = generator.normal(size=(400, 4))
    signal = 2 * X[:, 1] + X[:, 2] + generator.normal(scale=0.2, size=400)
    y = signal if not n_classes else np.digitize(signal, [-1, 1][: n_classes - 1])
    params = workbench.TrainingParams(**{"method": "forest", "rounds": 30} | values)
    return make_dataset(X, y, None, None, None, 0.0, params, (), None), workbench.fit(X, y, params=params)


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_predictions_have_the_error_that_the_run_told(n_classes):
    data, model = trained(n_classes)
    raw = out_of_bag_predictions(data, model.ensemble, model.params)
    assert raw.shape == (n_classes if n_classes > 2 else 1, 400)
    last = model.history[-1]
    if not n_classes:
        assert np.sqrt(np.mean((raw[0] - data.target) ** 2)) == pytest.approx(last["oob:rmse"], rel=1e-5)
    elif n_classes == 2:
        assert np.mean((raw[0] > 0.5) != data.target) == pytest.approx(last["oob:error"], abs=0.003)
    else:
        assert np.mean(raw.argmax(axis=0) != data.target) == pytest.approx(last["oob:merror"], abs=0.003)


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_columns_that_tell_the_target_matter(n_classes):
    data, model = trained(n_classes)
    first, second = (permuted_importance(data, model.ensemble, model.params) for _ in range(2))
    np.testing.assert_array_equal(first.rise, second.rise)
    assert first.rise.argmax() == 1
    assert first.rise[1] > first.rise[2] > 5 * np.abs(first.rise[[0, 3]]).max()
    assert (first.deviation < first.rise.max()).all()


def test_without_rows_left_out_there_is_none():
    data, model = trained(2, bootstrap=False)
    for call in (out_of_bag_predictions, permuted_importance):
        with pytest.raises(workbench.WorkbenchError, match="bootstrap"):
            call(data, model.ensemble, model.params)
