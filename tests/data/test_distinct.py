from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.data.distinct import distinct, distinct_codes

VALUES = st.lists(st.one_of(st.integers(-3, 9), st.floats(-2, 70_000, width=32)), max_size=30)


@given(VALUES, st.sampled_from([np.float32, np.float64]))
def test_agrees_with_numpy(values, dtype):
    array = np.array(values, dtype)
    expected = np.unique(array, return_inverse=True, return_counts=True)
    for ours, theirs in zip(distinct_codes(array), expected, strict=True):
        assert np.array_equal(ours, theirs)
    assert np.array_equal(distinct(array), expected[0])


@pytest.mark.parametrize("most", [60, 200_000, 10**12])
def test_numbers_of_rows(most):
    rows = np.random.default_rng(0).integers(0, most, 60_000)
    assert np.array_equal(distinct(rows), np.unique(rows))


@pytest.mark.parametrize(
    "array", [np.array(["b", "a", "b"]), np.array([2, 0, 2], np.int64), np.array([True, False])]
)
def test_other_kinds_of_values(array):
    values, codes, counts = distinct_codes(array)
    assert np.array_equal(values[codes], array)
    assert counts.sum() == len(array)
