from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from workbench.trees.bins.binning import MISSING_BIN, OTHER_BIN, bin_rows
from workbench.trees.bins.cuts import SAMPLE_ROWS, find_cuts, quantile_cuts
from workbench.trees.cut_thresholds import thresholds_between

floats = st.floats(width=32, allow_nan=False, allow_infinity=False)


def binned(columns, n_categories, max_bin=255):
    features = np.asfortranarray(np.column_stack(columns), np.float32)
    rows = np.arange(len(features))
    cuts = find_cuts(features, rows, n_categories, max_bin)
    return bin_rows(features, rows, cuts)


@given(st.lists(floats, min_size=1, max_size=60), st.integers(2, 40))
def test_bins_and_thresholds_agree(values, max_bin):
    column = np.array(values, np.float32)
    matrix = binned([column], [0], max_bin)
    n_bins = matrix.cuts.n_bins[0]
    cuts = matrix.cuts.cuts[0, :n_bins]
    assert 1 <= n_bins <= max_bin
    assert (np.diff(cuts) > 0).all()
    for b in range(n_bins - 1):
        np.testing.assert_array_equal(column < cuts[b], matrix.by_column[0] <= b)
    distinct = len(np.unique(column))
    if distinct <= max_bin:
        assert n_bins == distinct


@given(floats, floats)
def test_threshold_lies_between(a, b):
    below, above = np.float32(min(a, b)), np.float32(max(a, b))
    if below < above:
        t = thresholds_between(np.array([below]), np.array([above]))[0]
        assert below < t <= above


def test_equal_shares():
    values = np.random.default_rng(0).normal(size=50_000).astype(np.float32)
    counts = np.diff(np.searchsorted(np.sort(values), quantile_cuts(values, 64)), prepend=0)
    assert len(counts) == 64
    assert counts.min() > 700
    assert counts.max() < 860


def test_a_heavy_value_gets_its_own_bin():
    values = np.concatenate([np.zeros(9000), np.arange(1, 1001)]).astype(np.float32)
    cuts = quantile_cuts(values, 11)
    assert cuts[0] == 0.5
    assert len(cuts) == 11
    np.testing.assert_allclose(np.diff(cuts[:-1]), 100, atol=2)


def test_missing_and_constant_columns():
    nan = np.full(4, np.nan)
    matrix = binned([nan, np.ones(4), [1, np.nan, 2, 2]], [0, 0, 0])
    assert matrix.cuts.n_bins.tolist() == [0, 1, 2]
    assert (matrix.by_column[0] == MISSING_BIN).all()
    assert matrix.by_column[2].tolist() == [0, MISSING_BIN, 1, 1]
    assert matrix.cuts.cuts[1, 0] > 1
    assert np.isnan(matrix.cuts.cuts[1, 1])


def test_largest_floats_keep_a_finite_last_cut():
    top = np.finfo(np.float32).max
    cuts = quantile_cuts(np.array([-top, 0, top], np.float32), 10)
    assert np.isfinite(cuts).all()


def test_categories():
    matrix = binned([[0, 2, 1, np.nan, 2]], [4])
    assert matrix.cuts.n_bins[0] == 4
    assert matrix.by_column[0].tolist() == [0, 2, 1, MISSING_BIN, 2]
    unseen = bin_rows(np.array([[7.0], [-1.0], [np.nan]], np.float32), np.arange(3), matrix.cuts)
    assert unseen.by_column[0].tolist() == [OTHER_BIN, OTHER_BIN, MISSING_BIN]


def test_rare_categories_share_a_bin():
    codes = np.concatenate([np.arange(300), np.arange(100, 300)])
    matrix = binned([codes], [300])
    assert matrix.cuts.n_bins[0] == 254
    kept = matrix.cuts.codes[0]
    assert set(range(100, 300)) <= set(kept.tolist())
    assert (np.diff(kept) > 0).all()
    others = matrix.by_column[0] == OTHER_BIN
    assert others.sum() == 46
    assert not np.isin(codes[others], kept).any()
    np.testing.assert_array_equal(kept[matrix.by_column[0][~others]], codes[~others])


@pytest.mark.parametrize("d", [1, 7, 8, 9, 17])
def test_records_hold_the_bins(d):
    features = np.random.default_rng(d).normal(size=(50, d)).astype(np.float32)
    features[::5] = np.nan
    matrix = binned(list(features.T), [0] * d)
    for f in range(d):
        byte = (matrix.records[:, 1 + f // 8] >> np.uint64(8 * (f % 8))) & np.uint64(255)
        np.testing.assert_array_equal(byte, matrix.by_column[f])


def test_threads_change_nothing():
    features = np.asfortranarray(np.random.default_rng(0).normal(size=(9000, 5)), np.float32)
    rows = np.arange(0, 9000, 2)
    one, two = (find_cuts(features, rows, [0] * 5, 50, threads) for threads in (1, 2))
    np.testing.assert_array_equal(one.cuts, two.cuts)
    a, b = (bin_rows(features, rows, one, threads) for threads in (1, 2))
    np.testing.assert_array_equal(a.records, b.records)


def test_many_rows_are_sampled():
    values = np.random.default_rng(0).normal(size=450_000).astype(np.float32)
    cuts = quantile_cuts(values, 200)
    assert len(cuts) == 200
    assert cuts[-1] > values.max()
    rare = np.full(450_000, np.nan, np.float32)
    rare[1] = 3
    assert len(quantile_cuts(rare, 200)) == 1


@pytest.mark.parametrize("period", [2, 5])
def test_what_repeats_itself_is_sampled_too(period):
    rows = np.arange(SAMPLE_ROWS * period)
    features = (rows % period).astype(np.float32)[:, None]
    cuts = find_cuts(features, rows, [0], 255)
    assert cuts.cuts[0, : period - 1].tolist() == [i + 0.5 for i in range(period - 1)]
    other = find_cuts(np.random.default_rng(0).normal(size=(len(rows), 1)).astype(np.float32), rows, [0], 255)
    assert other.n_bins[0] == 254


@examples(50)
@given(st.integers(1, 300), st.integers(1, 40))
def test_records_begin_with_a_line_of_the_cache(rows, columns):
    features = np.zeros((rows, columns), np.float32)
    cuts = find_cuts(features, np.arange(rows), (0,) * columns, 255)
    records = bin_rows(features, np.arange(rows), cuts).records
    assert records.ctypes.data % 64 == 0
    assert records.flags.c_contiguous
    assert records.shape == (rows, 1 + -(-columns // 8))


@examples(200)
@given(
    seed=st.integers(0, 10**6), n=st.integers(1, 400), max_bin=st.sampled_from([2, 3, 64, 255]),
    spread=st.sampled_from([1e-44, 1e-6, 1.0, 30.0, 1e37]), shift=st.sampled_from([0.0, -7.5, 1e6]),
    crowd=st.sampled_from([1.0, 9.0]),
)  # fmt: skip
def test_bins_are_found_whatever_the_spread(seed, n, max_bin, spread, shift, crowd):
    """Even cuts, crowded ones, denormal and huge ones: the bin is the number of cuts that are at most x."""
    rng = np.random.default_rng(seed)
    drawn = rng.normal(size=n)
    values = (np.sign(drawn) * np.abs(drawn) ** crowd * spread + shift).clip(-3e38, 3e38).astype(np.float32)
    values[rng.random(n) < 0.1] = np.nan
    some, every = np.arange(0, n, 2), np.arange(n)
    cuts = find_cuts(values[:, None], some, [0], max_bin)
    bins = bin_rows(values[:, None], every, cuts).by_column[0]
    expected = np.searchsorted(cuts.of_column(0), values, side="right")
    assert np.array_equal(bins, np.where(np.isnan(values), MISSING_BIN, expected))
