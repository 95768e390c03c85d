"""Distinct values and their counts, some at a time, against NumPy's of all at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from workbench.data import tallies

ANY = st.floats(width=32, allow_infinity=False)
ODD = st.sampled_from([0.0, -0.0, float("nan"), 1e-45, -1e-45, 3.4028235e38, -3.4028235e38, 1.0, -1.0])


@pytest.mark.parametrize("most", [1 << 24, 16, 1])
@given(arrays(np.float32, st.integers(0, 150), elements=ANY | ODD | st.integers(-4, 4).map(float)))
def test_all_values_are_counted_once(most: int, values: np.ndarray) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tallies, "MOST_SORTED", most)
        patch.setattr(tallies, "PARTS", 150)
        pieces = list(tallies.tallies(values))
        found, counts = np.unique(values[~np.isnan(values)], return_counts=True)
        assert all(len(some) for some, _ in pieces)
        np.testing.assert_array_equal(np.concatenate([values[:0], *(some for some, _ in pieces)]), found)
        assert [n for _, ends in pieces for n in ends.tolist()] == counts.cumsum().tolist()
        assert tallies.all_differ(values) == (counts <= 1).all()
        least, times = tallies.least_tally(values, 3)
        assert (least.tolist(), times.tolist()) == (found[:3].tolist(), counts[:3].tolist())
