"""Models made by hand, whose numbers no format can say, are refused in one line."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.formats.making import make_model
from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS

WRITTEN = sorted(format_.name for format_ in FORMATS if format_.can_write)


def with_number(field, value):
    """A model in whose second tree the last leaf, or the first question about a number, is another one."""
    model = make_model(n_features=2, kinds=("number",))
    trees = list(model.trees)
    nodes = trees[1].nodes.copy()
    nodes[field][-1 if field == "leaf_value" else 0] = value
    trees[1] = replace(trees[1], nodes=nodes)
    return replace(model, ensemble=model.ensemble.with_trees(tuple(trees)))


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize(("field", "what"), [("leaf_value", "leaf"), ("threshold", "threshold")])
def test_leaves_and_thresholds(field, what, value, name, tmp_path):
    with pytest.raises(WorkbenchError, match=rf"^Tree 2 has a {what} that is no finite number \(node \d+\)"):
        with_number(field, value).save(tmp_path / "model", name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", WRITTEN)
def test_the_base(name, tmp_path):
    model = make_model()
    bad = replace(model.ensemble, base_margin=np.full_like(model.ensemble.base_margin, np.inf))
    with pytest.raises(WorkbenchError, match="base margin is no finite number"):
        replace(model, ensemble=bad).save(tmp_path / "model", name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", WRITTEN)
def test_the_largest_numbers_are_written(name, tmp_path):
    largest = np.finfo(np.float32).max
    for field in ("leaf_value", "threshold"):
        if name == "onnx":
            pytest.importorskip("onnx")
        with_number(field, -largest).save(tmp_path / "model", name)
        assert (tmp_path / "model").stat().st_size
