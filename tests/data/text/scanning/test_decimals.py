"""Digits become the float64 that Python makes of them, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.examples import examples
from workbench.data.text.blocks.scanning.decimals import nearest

MANY = examples(500)


def of(w: int, q: int) -> float:
    return float(nearest(np.uint64(w), q))


def check(w: int, q: int) -> None:
    found = of(w, q)
    assert found in (-1.0, float(f"{w}e{q}"))
    assert found >= 0 or abs(q) > 200, "left to Python although it is no rare case"


@given(w=st.integers(0, 10**19 - 1), q=st.integers(-340, 310))
@example(w=2**53 + 1, q=0)  # ties, to the even neighbour
@example(w=2**53 + 3, q=0)
@example(w=9007199254740993, q=-2)
@example(w=9007199254740993 * 5, q=-1)
@example(w=5, q=22)
@example(w=10**19 - 1, q=288)
@MANY
def test_any_digits(w: int, q: int) -> None:
    check(w, q)


@given(st.floats(min_value=1e-290, max_value=1e290))
@MANY
def test_numbers_written_in_full_lead_back(value: float) -> None:
    for text in (f"{value:.16e}", f"{value:.15e}"):
        digits, _, power = text.partition("e")
        places = len(digits.partition(".")[2])
        check(int(digits.replace(".", "")), int(power) - places)


@given(low=st.integers(2**52, 2**53 - 1), power=st.integers(1, 10))
@MANY
def test_numbers_halfway_between_two_go_to_the_even_one(low: int, power: int) -> None:
    halfway = (2 * low + 1) << power >> 1
    if halfway < 10**19:
        check(halfway, 0)


@pytest.mark.parametrize(("w", "q"), [(1, -340), (123, 300), (1, 309)])
def test_what_is_no_normal_number_is_left_to_python(w: int, q: int) -> None:
    assert of(w, q) == -1.0
