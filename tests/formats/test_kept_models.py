"""Models of programs that the tests do not install, kept with rows and what that program predicted."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from workbench.errors import WorkbenchError
from workbench.formats.load import load_model

KEPT = sorted((Path(__file__).parent / "kept").glob("*.json"))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_predictions(path, tmp_path):
    kept = json.loads(path.read_text(encoding="utf-8"))
    if "packed" in kept:
        (tmp_path / "model").write_bytes(zlib.decompress(base64.b64decode(kept["packed"])))
    else:
        (tmp_path / "model").write_text(json.dumps(kept["model"]))
    model = load_model(tmp_path / "model")
    rows = pd.DataFrame(kept["rows"], columns=kept["columns"])
    found, expected = ("predict_raw", "raw") if "raw" in kept else ("predict", "prediction")
    np.testing.assert_allclose(getattr(model, found)(rows), kept[expected], rtol=1e-6, atol=1e-6)


def test_a_model_of_xgboost_1_6_that_asks_for_too_many_categories_is_refused(tmp_path, monkeypatch):
    kept = json.loads((Path(__file__).parent / "kept" / "xgboost_1_6_categories.json").read_text())
    (tmp_path / "model").write_bytes(zlib.decompress(base64.b64decode(kept["packed"])))
    monkeypatch.setattr("workbench.formats.xgboost.categories_of_1_6.MOST_ASKED", 40)
    with pytest.raises(WorkbenchError, match="asks for more than 40 categories in all"):
        load_model(tmp_path / "model")
