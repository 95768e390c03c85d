from __future__ import annotations

import pytest

from workbench.data.values import number_writing


@pytest.mark.parametrize("text", ["1", "1.", ".5", "-1.5e-3", "+12E5", "inf", "-Infinity"])
def test_plain_numbers(text):
    assert number_writing.is_plain(text)
    assert number_writing.plain_value(text) == float(text)


@pytest.mark.parametrize("text", ["", ".", "1..2", "1.2.3", "e5", "1e", "nan", "1 2", "0x1"])
def test_no_plain_numbers(text):
    assert not number_writing.is_plain(text)
