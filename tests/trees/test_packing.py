from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.trees.packed_units import unpack_gradient, unpack_hessian
from workbench.trees.packing import (
    MOST_GRADIENT_BITS,
    N_GRADIENT_SUMS,
    N_SCALES,
    SCALE_BLOCK_ROWS,
    SIGNED_SUM_BITS,
    choose_scales,
    gradient_of,
    hessian_of,
    pack_part,
    sum_gradients_part,
)


def packed(g, h, parts=1):
    g, h = np.array(g, float), np.array(h, float)
    out, scales = np.empty(len(g), np.int64), np.empty(N_SCALES)
    sums = np.empty((-(-len(g) // SCALE_BLOCK_ROWS), N_GRADIENT_SUMS))
    for part in range(parts):
        sum_gradients_part(part, parts, g, h, sums)
    choose_scales(sums, len(g), scales)
    for part in range(parts):
        pack_part(part, parts, g, h, scales, out)
    return out, scales


@given(
    st.lists(
        st.tuples(st.floats(-1e6, 1e6), st.floats(0, 1e6)), min_size=1, max_size=50
    )
)
def test_sums_survive(pairs):
    g, h = np.array(pairs).T
    out, scales = packed(g, h)
    total = int(out.sum())
    assert unpack_gradient(total, scales) == pytest.approx(g.sum(), abs=1e-6 * abs(g).sum() + 1e-199)
    assert unpack_hessian(total, scales) == pytest.approx(h.sum(), abs=1e-6 * h.sum() + 1e-199)


@given(st.integers(1, 30), st.data())
def test_packed_sums_are_taken_apart(shift, data):
    most = 2 ** min(MOST_GRADIENT_BITS, SIGNED_SUM_BITS - shift) - 1
    gradient = data.draw(st.integers(-most, most))
    hessian = data.draw(st.integers(0, 2**shift - 1))
    both = (gradient << shift) + hessian
    assert (gradient_of(both, shift), hessian_of(both, shift)) == (gradient, hessian)


def test_equal_hessians_are_counted():
    rng = np.random.default_rng(0)
    out, scales = packed(rng.normal(size=1000), np.full(1000, 0.25))
    for n in (1, 10, 999):
        assert unpack_hessian(int(out[:n].sum()), scales) == n * 0.25


def test_nothing_overflows():
    g = np.concatenate([np.full(10_000, -1e300), np.full(10_000, 1e-300)])
    out, scales = packed(g, np.ones(20_000))
    assert unpack_gradient(int(out.sum()), scales) == pytest.approx(g.sum())
    assert unpack_hessian(int(out.sum()), scales) == 20_000


def test_zeros():
    out, scales = packed(np.zeros(5), np.zeros(5))
    assert (out == 0).all()
    assert unpack_gradient(0, scales) == unpack_hessian(0, scales) == 0.0


def test_rounding_is_right_on_average():
    # Almost all the hessian is in one row; the others, each below one step, must not vanish.
    h = np.full(50_000, 1e-6)
    h[0] = 1e5
    out, scales = packed(np.zeros(50_000), h)
    assert unpack_hessian(int(out[1:].sum()), scales) == pytest.approx(0.05, rel=0.1)


def test_parts_change_nothing():
    rng = np.random.default_rng(1)
    g, h = rng.normal(size=30_000), rng.random(30_000)
    one, scales = packed(g, h)
    for parts in (2, 3):
        out, other = packed(g, h, parts)
        np.testing.assert_array_equal(out, one)
        np.testing.assert_array_equal(other, scales)


def test_whole_hessians_are_exact():
    rng = np.random.default_rng(2)
    h = rng.integers(0, 30, 5000).astype(float)
    out, scales = packed(rng.normal(size=5000), h)
    for n in (1, 17, 4000):
        assert unpack_hessian(int(out[:n].sum()), scales) == h[:n].sum()
