"""What a model tells with the table that it was trained on: out-of-bag importance, its pruning path."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

import workbench
from workbench.errors import WorkbenchError


@pytest.fixture(scope="module")
def frame():
    draw = np.random.default_rng(0)
    made = pd.DataFrame(draw.normal(size=(200, 4)), columns=list("abcd"))
    made["y"] = np.where(made.a + 0.3 * draw.normal(size=200) > 0, "yes", "no")
    return made


@pytest.mark.parametrize("valid_fraction", [0.0, 0.25])
def test_out_of_bag_importance_finds_the_column_that_matters(frame, valid_fraction, tmp_path):
    params = workbench.TrainingParams(method="forest", rounds=12)
    model = workbench.fit(frame, target="y", params=params, valid_fraction=valid_fraction)
    model.save(tmp_path / "model.json")
    for one in (model, workbench.load_model(tmp_path / "model.json")):
        found = one.importance("out_of_bag", frame)
        assert found.sorted()[0][0] == "a"
        assert found["a"] > 0.2 > abs(found["d"])
        assert found.spread["a"] > 0.0
    with pytest.raises(WorkbenchError, match="not the rows"):
        model.importance("out_of_bag", frame[:100])
    with pytest.raises(WorkbenchError, match="Give the table"):
        model.importance("out_of_bag")


def test_the_pruning_path_is_scikit_learns():
    X, y = load_breast_cancer(return_X_y=True)
    X = X.astype(np.float32)
    model = workbench.fit(X, y, params=workbench.TrainingParams(method="cart"))
    path = model.pruning_path(X, y, folds=0)
    theirs = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y)
    assert path.alphas[-1] == pytest.approx(theirs.ccp_alphas[-1])
    assert path.impurities[-1] == pytest.approx(theirs.impurities[-1])
    assert path.leaves[-1] == 1
    boosted = workbench.fit(X, y, params=workbench.TrainingParams(rounds=1))
    with pytest.raises(WorkbenchError, match="method cart"):
        boosted.pruning_path(X, y)
