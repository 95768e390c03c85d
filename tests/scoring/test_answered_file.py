"""A second table read as a model reads it, with its answers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import workbench
from workbench.errors import WorkbenchError
from workbench.scoring.answered_file import answered_file


@pytest.fixture(scope="module")
def model():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=60), "kind": rng.choice(["a", "b"], 60)})
    frame["y"] = np.where(frame.x > 0, "yes", "no")
    return workbench.fit(frame, target="y", rounds=3, valid_fraction=0.0)


def test_features_and_targets_are_the_models(model, tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("kind,y,x,more\nb,yes,0.5,1\nc,no,-1,2\na,,3,4\n")
    found = answered_file(model, path)
    np.testing.assert_array_equal(found.rows.features, np.array([[0.5, 1], [-1, 2], [3, 0]], np.float32))
    np.testing.assert_array_equal(found.rows.target, [1, 0, np.nan])
    assert any("kind" in one.text for one in found.differences)


def test_without_answers_it_is_refused(model, tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("kind,x\nb,0.5\na,1\n")
    with pytest.raises(WorkbenchError, match="knows no answers"):
        answered_file(model, path)
