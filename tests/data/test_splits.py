"""Hold-out rows: disjoint, repeatable, and fair to the classes."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.data.splits import hold_out, hold_out_groups

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


@pytest.mark.parametrize("fraction", [0.0, 0.1, 0.25, 0.5, 0.99])
@pytest.mark.parametrize("n_groups", [1, 2, 30, 3000])
def test_groups_stay_whole_and_the_share_is_near(n_groups, fraction):
    rng = np.random.default_rng(n_groups)
    groups = rng.integers(0, n_groups, 4 * n_groups + 3).astype(np.float32)
    groups[groups == 0] = np.nan
    train, valid = hold_out_groups(groups, fraction, seed=3)
    np.testing.assert_array_equal(np.sort(np.concatenate([train, valid])), np.arange(len(groups)))
    codes = np.nan_to_num(groups, nan=-1)
    assert not set(codes[train]) & set(codes[valid])
    assert len(train)
    if n_groups >= 30 and fraction < 0.9:
        assert len(valid) == int(np.floor(len(groups) * fraction + 0.5))
    again = hold_out_groups(groups, fraction, seed=3)
    np.testing.assert_array_equal(valid, again[1])
    if n_groups >= 30 and fraction == 0.25:
        assert not np.array_equal(valid, hold_out_groups(groups, fraction, seed=4)[1])


@pytest.mark.parametrize("seed", range(20))
def test_of_few_groups_the_nearest_sum_is_found(seed):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 40, 9)
    groups = np.repeat(np.arange(9.0), sizes)
    fraction = rng.uniform(0.05, 0.95)
    _, valid = hold_out_groups(groups, fraction, seed)
    wanted = int(np.floor(len(groups) * fraction + 0.5))
    sums = [sum(part) for k in range(9) for part in combinations(sizes.tolist(), k)]
    assert abs(len(valid) - wanted) == min(abs(s - wanted) for s in sums)
