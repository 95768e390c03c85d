from __future__ import annotations

import numpy as np
import pytest

from tests.reference.tables import fitted, random_dataset
from workbench.explain.importance import feature_importance


def test_importance_adds_up():
    ensemble = fitted(random_dataset("multiclass"), rounds=4)
    splits = [(t, n) for t in ensemble.trees for n in np.flatnonzero(~t.is_leaf)]
    expected = {
        "gain": lambda t, n: t.nodes["gain"][n],
        "cover": lambda t, n: t.nodes["sum_hessian"][n],
        "count": lambda t, n: 1,
    }
    for by, amount in expected.items():
        importance = feature_importance(ensemble, by)
        for f in range(6):
            total = sum(amount(t, n) for t, n in splits if t.nodes["feature"][n] == f)
            assert importance[f] == pytest.approx(total)
    assert feature_importance(ensemble).argmax() in (0, 1, 5)


def test_no_trees():
    ensemble = fitted(random_dataset(), rounds=1).first_rounds(0)
    assert feature_importance(ensemble).tolist() == [0.0] * 6
