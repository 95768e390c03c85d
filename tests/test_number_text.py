"""Numbers as people read them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.number_text import count, counted, figure, fixed, percent, short, signed, signed_figure


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (count(1030), "1,030"), (count(-2), "−2"),
        (counted(1, "row"), "1 row"), (counted(1030, "row"), "1,030 rows"), (counted(0, "round"), "0 rounds"),
        (counted(1, "leaf", "leaves"), "1 leaf"), (counted(2, "leaf", "leaves"), "2 leaves"),
        (fixed(-1.4194), "−1.419"), (fixed(-0.0001), "0.000"), (fixed(math.nan), "–"),
        (fixed(-math.inf), "−∞"), (signed(0.35), "+0.350"), (signed(-0.35), "−0.350"),
        (signed(math.nan), "–"), (signed_figure(-0.0002), "−0.0002"), (signed_figure(3e-9), "+3e−9"),
        (signed_figure(0.0), "+0.000"), (signed_figure(-1.25), "−1.250"), (signed_figure(math.nan), "–"),
        (figure(0.39556), "0.3956"), (figure(36.03), "36.03"), (figure(1283.2), "1,283"), (figure(0), "0"),
        (figure(1.5e-7), "1.500e−7"),
        (short(1e-6), "1e−06"), (short(4.0), "4"), (percent(0.234), "23 %"),
    ],
)  # fmt: skip
def test_as_people_write_it(written, expected):
    assert written == expected


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300))
def test_a_figure_is_the_number_to_its_digits(value):
    read = float(figure(value).replace("−", "-").replace(",", ""))
    assert read == pytest.approx(value, rel=6e-4)
