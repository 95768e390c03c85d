"""Hold-out rows: disjoint, repeatable, and fair to the classes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from workbench.data.splits import hold_out

CLASSES = st.lists(st.integers(0, 4), min_size=1, max_size=300).map(np.array)
FRACTION = st.floats(0, 0.9)


@given(CLASSES, FRACTION, st.integers(0, 9), st.booleans())
def test_parts_are_disjoint_ascending_and_whole(
    target: np.ndarray, fraction: float, seed: int, fair: bool
) -> None:
    train, valid = hold_out(target, fraction, seed, fair)
    assert train.size > 0
    assert np.array_equal(np.sort(np.concatenate([train, valid])), np.arange(len(target)))
    assert (np.diff(train) > 0).all()
    assert (np.diff(valid) > 0).all()
    again = hold_out(target, fraction, seed, fair)
    assert np.array_equal(again[1], valid)


@given(CLASSES, FRACTION, st.integers(0, 9))
def test_classes_keep_their_share(target: np.ndarray, fraction: float, seed: int) -> None:
    train, valid = hold_out(target, fraction, seed, stratified=True)
    for label, count in zip(*np.unique(target, return_counts=True), strict=True):
        assert (target[train] == label).any()
        assert abs((target[valid] == label).sum() - count * fraction) <= 1
    assert valid.size <= int(len(target) * fraction + 0.5)


def test_the_picture_of_the_window() -> None:
    train, valid = hold_out(np.array([0] * 164 + [1] * 139), 0.25, seed=7)
    assert (len(train), len(valid)) == (227, 76)


def test_nothing_is_held_out_at_zero_and_seeds_differ() -> None:
    assert len(hold_out(50, 0.0)[1]) == 0
    assert not np.array_equal(hold_out(50, 0.5, seed=1)[1], hold_out(50, 0.5, seed=2)[1])
