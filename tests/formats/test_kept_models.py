"""Models of programs that the tests do not install, kept with rows and what that program predicted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from workbench.formats.model import load_model

KEPT = sorted((Path(__file__).parent / "kept").glob("*.json"))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_predictions(path, tmp_path):
    kept = json.loads(path.read_text(encoding="utf-8"))
    (tmp_path / "model.json").write_text(json.dumps(kept["model"]))
    model = load_model(tmp_path / "model.json")
    rows = pd.DataFrame(kept["rows"], columns=kept["columns"])
    np.testing.assert_allclose(model.predict_raw(rows), kept["raw"], rtol=1e-6, atol=1e-6)
