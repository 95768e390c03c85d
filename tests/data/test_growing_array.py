from __future__ import annotations

import numpy as np
import pytest

from workbench.data.growing_array import GrowingArray


@pytest.mark.parametrize("expected", [0, 10, 5_000, 1_000_000])
def test_all_that_was_added_is_there(expected):
    array = GrowingArray(np.float32, expected)
    pieces = [np.arange(n, dtype=np.float32) for n in (0, 1, 999, 3000, 7)]
    for piece in pieces:
        array.add(piece)
    assert len(array) == 4007
    np.testing.assert_array_equal(array.values, np.concatenate(pieces))
    whole = array.finish()
    np.testing.assert_array_equal(whole, np.concatenate(pieces))
    assert whole.base is None
    assert whole.dtype == np.float32
