"""Trees that are averaged predict the same in stock XGBoost, and come back from our file as they were."""

from __future__ import annotations

import numpy as np
import pytest

import workbench

xgboost = pytest.importorskip("xgboost")


@pytest.mark.parametrize("n_classes", [0, 2, 4])
@pytest.mark.parametrize("values", [
    {"method": "forest", "rounds": 7}, {"method": "bagging", "rounds": 3, "combining": "vote"},
    {"method": "extra_trees", "rounds": 5}, {"method": "cart", "ccp_alpha": 0.01},
])  # fmt: skip
def test_the_file_predicts_the_same_there_and_here(tmp_path, n_classes, values):
    generator = np.random.default_rng(0)
    X = generator.normal(size=(200, 4)).astype(np.float32)
    X[generator.random(X.shape) < 0.1] = np.nan
    y = generator.normal(size=200) if not n_classes else generator.integers(0, n_classes, 200)
    model = workbench.fit(X, y, **values)
    model.save(tmp_path / "model.json")
    predicted = model.predict(X)
    matrix = xgboost.DMatrix(X, feature_names=list(model.schema.names))
    theirs = xgboost.Booster(model_file=str(tmp_path / "model.json")).predict(matrix)
    np.testing.assert_array_equal(theirs.reshape(predicted.shape), predicted)
    back = workbench.load_model(tmp_path / "model.json")
    np.testing.assert_array_equal(back.predict(X), predicted)
    assert back.ensemble.averages == (values["method"] != "cart")
    np.testing.assert_array_equal(back.predict(X, rounds=1), model.predict(X, rounds=1))
