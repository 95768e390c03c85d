"""Cuts chosen for every tree, weighted by the hessian."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench
from workbench.given import make_dataset
from workbench.trees.bins.cuts import quantile_cuts


@given(st.integers(0, 10**6), st.integers(50, 800), st.integers(2, 20))
def test_bins_hold_about_as_much_weight(seed, n, max_bin):
    rng = np.random.default_rng(seed)
    values, weight = rng.normal(size=n).astype(np.float32), rng.exponential(size=n)
    cuts = quantile_cuts(values, max_bin, None, weight)
    assert len(cuts) <= max_bin
    assert (np.diff(cuts) > 0).all()
    sums = np.bincount(np.searchsorted(cuts, values, side="right"), weight)
    assert sums.max() <= weight.sum() / max_bin + weight.max() * 2


def test_equal_weights_change_nothing():
    values = np.random.default_rng(0).normal(size=5000).astype(np.float32)
    assert np.array_equal(quantile_cuts(values, 50), quantile_cuts(values, 50, None, np.full(5000, 0.3)))


def test_cuts_stand_where_the_hessian_is():
    values = np.linspace(0, 1, 10_000).astype(np.float32)
    cuts = quantile_cuts(values, 20, None, np.where(values < 0.1, 1.0, 1e-4))
    assert (cuts < 0.1).sum() >= 17


def rows_of(n=3000):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(n, 4)).astype(np.float32)
    x[rng.random(x.shape) < 0.05] = np.nan
    y = (np.nan_to_num(x[:, 0]) + np.nan_to_num(x[:, 1]) ** 2 + rng.normal(size=n) > 1).astype(int)
    return x, y


@pytest.mark.parametrize("params", [{}, {"subsample": 0.6, "reg_alpha": 0.5}, {"num_parallel_tree": 2}])
def test_runs_are_true_and_do_not_depend_on_threads(params, threads_for_few_rows):
    x, y = rows_of()
    models = [
        workbench.fit(x, y, rounds=5, valid_fraction=0.3, tree_method="approx", threads=threads, **params)
        for threads in (1, 3)
    ]
    assert np.array_equal(models[0].predict_raw(x), models[1].predict_raw(x))
    p = models[0].predict(x)
    dataset = make_dataset(x, y, None, None, None, 0.3, workbench.TrainingParams())
    valid = dataset.valid_rows
    loss = -np.mean(np.log(np.where(y[valid] == 1, p[valid], 1 - p[valid])))
    assert models[0].history[-1]["valid:logloss"] == pytest.approx(loss, rel=1e-5)


def test_few_bins_do_better_than_those_cut_once():
    """Where the rows that matter change from round to round."""
    rng = np.random.default_rng(2)
    x = rng.exponential(size=(20_000, 1)).astype(np.float32)
    y = (rng.random(20_000) < 1 / (1 + np.exp(-8 * (x[:, 0] - 3)))).astype(int)
    losses = {
        method: workbench.fit(x, y, rounds=30, max_bin=8, tree_method=method).history[-1]["train:logloss"]
        for method in ("hist", "approx", "exact")
    }
    assert losses["approx"] < 0.8 * losses["hist"]
    assert losses["approx"] < 1.3 * losses["exact"]


@pytest.mark.parametrize("method", ["hist", "approx", "exact"])
def test_how_many_cuts_a_column_got(method):
    rng = np.random.default_rng(3)
    x = np.column_stack([rng.integers(0, 7, 900), rng.normal(size=900), np.full(900, np.nan)])
    model = workbench.fit(x, x[:, 1] + x[:, 0], rounds=2, tree_method=method, max_bin=64)
    cuts = model.provenance["cuts"]
    assert cuts[0] == 7
    assert cuts[1] == (900 if method == "exact" else 64)
    assert cuts[2] == 0
