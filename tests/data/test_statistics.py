"""Figures of a column, against NumPy's and pandas' own."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.data.making import numbers, table, texts
from workbench.data.remarks import column_remarks
from workbench.data.roles import guess_roles, guess_task
from workbench.data.statistics import column_summary

MIB = 1 << 20
FLOATS = arrays(
    np.float32, st.integers(1, 200), elements=st.floats(-1e6, 1e6, width=32) | st.just(float("nan"))
)


@given(FLOATS, st.integers(1, 40))
def test_numbers(values: np.ndarray, bins: int) -> None:
    summary = column_summary(numbers("x", values), bins)
    present = values[~np.isnan(values)].astype(np.float64)
    assert summary.missing == len(values) - len(present)
    assert summary.distinct == len(np.unique(present))
    assert summary.counts.sum() == len(present)
    if len(present):
        assert len(summary.edges) == len(summary.counts) + 1
        assert len(summary.counts) <= bins
        np.testing.assert_allclose(
            [summary.minimum, summary.maximum, summary.mean, summary.std, summary.median],
            [present.min(), present.max(), present.mean(), present.std(), np.median(present)],
            rtol=1e-9, atol=1e-6,
        )  # fmt: skip


def test_histogram_is_that_of_numpy() -> None:
    values = np.random.default_rng(0).normal(size=5000).astype(np.float32)
    summary = column_summary(numbers("x", values), 24)
    np.testing.assert_allclose(summary.counts, np.histogram(values, 24)[0], atol=1)


def test_a_few_whole_numbers_have_a_bin_each() -> None:
    summary = column_summary(numbers("x", [0, 0, 2, 3, 3, 3]))
    assert summary.counts.tolist() == [2, 0, 1, 3]
    assert summary.edges.tolist() == [-0.5, 0.5, 1.5, 2.5, 3.5]


@pytest.mark.parametrize("size", [2.0**24, 2.0**53, 2.0**63, 3e38])
@pytest.mark.parametrize("sign", [1, -1])
def test_numbers_of_any_size_have_bins(size: float, sign: int) -> None:
    near = np.float32(sign * size)
    for values in ([near], [near, near], [near, np.nextafter(near, np.float32(0))]):
        summary = column_summary(numbers("x", values))
        assert summary.counts.sum() == len(values)
        assert summary.distinct == len({*values})
        assert (np.diff(summary.edges) > 0).all()


@given(st.lists(st.sampled_from(["a", "b", "c", "d", None]), min_size=1, max_size=60))
def test_categories(values: list[str | None]) -> None:
    summary = column_summary(texts("c", values), 2)
    expected = pd.Series(values, dtype=object).value_counts()
    assert summary.distinct == len(expected)
    assert summary.missing_share == pytest.approx(sum(value is None for value in values) / len(values))
    assert summary.counts.tolist() == expected.tolist()[:2]
    assert summary.other == expected[2:].sum()
    assert all(expected[label] == count for label, count in zip(summary.labels, summary.counts, strict=True))


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ["constant", "all different", "few", "missing", "tiny", "classes"])
@pytest.mark.slow
def test_a_long_column_takes_little_memory_beside_it(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither its figures nor what is guessed of it copy the column, and no figure changes by it."""
    n = 2 * MIB
    rng = np.random.default_rng(0)
    values = {
        "constant": lambda: np.full(n, 7.0),
        "all different": lambda: rng.permutation(n),
        "few": lambda: rng.integers(0, 30, n) / 2,
        "missing": lambda: np.where(rng.random(n) < 0.99, np.nan, rng.normal(size=n)),
        "tiny": lambda: rng.integers(-3, 4, n) * 1e-45,
        "classes": lambda: rng.integers(0, 3, n),
    }[kind]()
    made = table(numbers("id", values), numbers("weight", values), numbers("y", values))
    known = column_summary(made.columns[0])
    monkeypatch.setattr("workbench.data.tallies.MOST_SORTED", 1 << 14)
    monkeypatch.setattr("workbench.data.tallies.PARTS", 64)
    tracemalloc.start()
    try:
        summary = column_summary(made.columns[0])
        roles = guess_roles(made)
        task = guess_task(made.columns[0])
        column_remarks(made.columns[0])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 3 * MIB  # the column has 8
    assert (summary.distinct, summary.median) == (known.distinct, known.median)
    np.testing.assert_array_equal(summary.counts, known.counts)
    assert roles["id"] == ("ignore" if kind == "all different" else "feature")
    assert task == ("multiclass" if kind == "classes" else "regression")
