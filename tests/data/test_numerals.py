from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.data import numerals


@pytest.mark.parametrize("text", ["1" * 1_000_000, "1" * 500_000 + "." + "1" * 500_000, "1,234" * 200_000])
def test_a_long_cell_that_is_nearly_a_number_is_told_at_once(text):
    """A search that tried every place where digits might part would take hours."""
    assert numerals.parse([text + "x"]) is None
    assert not numerals.is_number(text + "x")


@given(st.text("0123456789١²+-−.,e'% $€infx\u00a0", max_size=8))
def test_what_is_read_as_a_number_alone_is_a_number(text):
    if numerals.parse([text]) is not None and "(" not in text:
        assert numerals.is_number(text)


@pytest.mark.parametrize("text", ["1", "1.", ".5", "-1.5e-3", "+12E5", "inf", "-Infinity"])
def test_plain_numbers(text):
    assert numerals.is_plain(text)
    assert numerals.plain_value(text) == float(text)


@pytest.mark.parametrize("text", ["", ".", "1..2", "1.2.3", "e5", "1e", "nan", "1 2", "0x1"])
def test_no_plain_numbers(text):
    assert not numerals.is_plain(text)
