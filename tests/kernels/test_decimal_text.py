"""Numbers as text, beside Python's and numpy's own."""

from __future__ import annotations

import json

import numpy as np
import pytest

from workbench.formats.bytes import number_lists
from workbench.formats.bytes.number_lists import json_text, list_of, list_texts

EXTREMES = [
    0.0, -0.0, 1.0, 0.1, 1e16, 1e15, 123456789012345678, 9999999999999998, 1e-4, 1e-5, 0.00012345, 1e22, 1e23,
    5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 2.225073858507201e-308, 9007199254740993.0, 4.35,
    0.3, 2 / 3, 1e100, 1e-100, 2.0**-1074, 2.0**63, 9.5e-3, 100.0, 1e21, np.nan,
]  # fmt: skip


def test_floats_are_written_as_python_does():
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2**63, 4000).view(np.float64)
    doubles = np.concatenate([
        EXTREMES, bits[np.isfinite(bits)], -rng.normal(size=2000), np.round(rng.normal(size=2000), 3),
        2.0 ** np.arange(-1074, 1024), rng.integers(0, 10**6, 500).astype(float),
        10.0 ** np.arange(-300, 300),
    ])  # fmt: skip
    with np.errstate(over="ignore", invalid="ignore"):
        singles = doubles.astype(np.float32)
        patterns = rng.integers(0, 2**31, 4000).astype(np.uint32).view(np.float32)
        singles = np.concatenate([singles[~np.isinf(singles)], patterns[np.isfinite(patterns)]])
    for array in (doubles, singles):
        found = list_texts([array])[0][1:-1].split(",")
        assert found == ["null" if v is None else repr(v) for v in list_of(array)]


def test_whole_numbers():
    values = np.array([0, 1, -1, 9, 10, 99, 100, 2**31 - 1, -(2**31), 2**62, 2**63 - 1, 10**18, 10**18 - 1])
    assert list_texts([values]) == [json.dumps(values.tolist(), separators=(",", ":"))]


def test_arrays_in_a_document_are_lists_of_it(monkeypatch):
    document = {
        "a": [np.array([1.5, np.nan]), np.array([], np.int64), {"b": np.array([0.1, 2], np.float32)}],
        "c": np.array([True, False]).astype(int), "d": "é\n", "e": np.array([7], np.int32), "f": np.array([]),
    }  # fmt: skip
    expected = '{"a":[[1.5,null],[],{"b":[0.1,2.0]}],"c":[1,0],"d":"é\\n","e":[7],"f":[]}'
    assert json_text(document) == expected
    monkeypatch.setattr(number_lists, "FEWEST_FOR_KERNELS", 0)
    assert json_text(document) == expected
    with_place = {"name": number_lists.PLACE, "numbers": np.array([1])}
    assert json.loads(json_text(with_place)) == {"name": number_lists.PLACE, "numbers": [1]}
    for wrong in (np.inf, -np.inf):
        with pytest.raises(ValueError, match="not JSON compliant"):
            json_text({"x": np.array([1.0, wrong])})
