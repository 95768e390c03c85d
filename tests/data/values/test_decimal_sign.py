"""Which decimal sign numbers show."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.data.values.decimal_sign import parse_as_known, shown_sign, sign_is_open, sign_of


@pytest.mark.parametrize(("text", "sign"), [
    ("1.5", "."), ("1,5", ","),
    ("1,234.5", "."), ("1.234,5", ","), ("1,234,567", "."), ("1.234.567", ","),
    ("1.234", ""), ("1,234", ""), ("12", ""),
    ("0.123", "."), ("0,123", ","), ("€ 1,50", ","), ("5.25 kg", "."),
    ("-1.000", ""), ("1e5", ""),
    ("2.5e3", "."), ("text, with commas.", ""), ("", ""), ("25.03.2020", ""),
])  # fmt: skip
def test_a_number_shows_its_sign_or_none(text: str, sign: str) -> None:
    assert shown_sign(text) == sign


@given(st.floats(-1e9, 1e9).map(lambda v: round(v, 2)))
def test_two_digits_behind_a_sign_show_it(value: float) -> None:
    english, german = f"{value:,.2f}", f"{value:,.2f}".translate(str.maketrans(",.", ".,"))
    assert (shown_sign(english), shown_sign(german)) == (".", ",")
    assert not sign_is_open(english)


def test_most_texts_count_and_open_ones_follow_what_is_known() -> None:
    assert sign_of(["1,5", "2,5", "3.5", "1.234"]) == ","
    assert sign_of(["1.234", "12"]) == ""
    for known, values in (("", [1.234]), (",", [1234.0]), (".", [1.234])):
        found = parse_as_known(["1.234"], None, known)
        assert found is not None
        assert found.values.tolist() == values
    told = parse_as_known(["1.5", "1.234"], None, ",")
    assert told is not None
    assert told.values.tolist() == [1.5, 1.234]
