"""Round numbers of axes and sliders: near what is asked for, on the right side of it, and not too many."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.round_numbers import (
    ENDS,
    STEPS,
    axis_end,
    multiples,
    nearest_round,
    powers_of_ten,
    round_down,
    round_step,
    round_up,
    ticks,
    ticks_from_zero,
)

sizes = st.floats(1e-12, 1e12)


@given(sizes, st.sampled_from([STEPS, ENDS]))
def test_a_round_number_is_found_on_either_side(value: float, factors: tuple[float, ...]) -> None:
    below, above = round_down(value, factors), round_up(value, factors)
    assert below <= value * (1 + 1e-8)
    assert above >= value * (1 - 1e-8)
    assert above <= 2.5001 * below
    assert nearest_round(value, factors) in (below, above)
    for number in (below, above):
        assert any(math.isclose(number / 10.0 ** math.floor(math.log10(number * 1.0001)), f) for f in factors)


@pytest.mark.parametrize(
    ("value", "up", "down", "nearest"),
    [(1, 1, 1, 1), (1.2, 2, 1, 1), (3.6, 5, 2, 5), (0.07, 0.1, 0.05, 0.05), (70, 100, 50, 50)],
)
def test_the_steps_are_1_2_and_5(value: float, up: float, down: float, nearest: float) -> None:
    assert (round_up(value), round_down(value), nearest_round(value)) == pytest.approx((up, down, nearest))


@given(st.floats(-1e6, 1e6), sizes.filter(lambda span: 1e-3 < span < 1e6), st.integers(2, 9))
def test_ticks_lie_between_the_ends_and_are_at_most_one_more(low: float, span: float, most: int) -> None:
    high = low + span
    found, step = ticks(low, high, most), round_step(high - low, most)
    assert len(found) <= most + 1
    assert all(low - 1e-6 * step <= tick <= high + 1e-6 * step for tick in found)
    around = multiples(low, high, step, beyond=True)
    assert around[0] <= low + 1e-6 * step
    assert around[-1] >= high - 1e-6 * step
    assert all(b - a == pytest.approx(step, rel=1e-3) for a, b in pairwise(around))


def test_ticks_from_zero_may_be_halves_of_5_and_have_no_dust() -> None:
    assert ticks_from_zero(10, 4) == [0, 2.5, 5, 7.5, 10]
    assert ticks_from_zero(0.6, 6) == [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]


def test_what_is_no_size_has_an_axis_to_1() -> None:
    assert [axis_end(value) for value in (0.0, -3.0, math.nan, math.inf)] == [1.0] * 4
    assert round_step(0.0, 5) == 1.0


def test_powers_of_ten_include_the_ends() -> None:
    assert powers_of_ten(0.001, 10) == [0.001, 0.01, 0.1, 1, 10]
    assert powers_of_ten(0.002, 9) == [0.01, 0.1, 1]
