"""Records taken apart by the kernels are what Python's csv module and float make of them."""

from __future__ import annotations

import csv
import io
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from workbench.data.text.blocks.record_scan import MOST_HARD, RecordScan
from workbench.data.values import numerals
from workbench.data.values.leading_zeros import has_leading_zeros

NUMBERS = st.one_of(
    st.floats(allow_nan=False).map(repr),
    st.integers().map(str),
    st.decimals(-(10**9), 10**9, allow_nan=False, places=6).map("{:f}".format),
    st.from_regex(r"[+-]?[0-9]{0,25}\.?[0-9]{0,25}([eE][+-]?[0-9]{1,4})?", fullmatch=True),
    st.sampled_from(["", "NA", "-999", " 1", "1 ", '"2.5"', '""', "inf", "-0", ".5", "5.", "+1e3"]),
    st.sampled_from(["0" * 30 + "1", "00", "007 ", '"012"', "01.5", "0" * 300]),
)
TEXTS = st.one_of(
    st.sampled_from(["oslo", "pune", "", '"a,b"', '"a\nb"', "a b ", "ü", "5", 'x"y']),
    st.text("abc .x", max_size=5),
)
CODES = ("NA", "none")


def is_number(text: str) -> bool:
    cell = text.strip('" ')
    return cell in ("", *CODES) or numerals.is_plain(cell)


def value_of(text: str) -> float:
    """What Python makes of a cell; the number next to 0 where it has digits that are too small for Python."""
    if text.strip() in ("", *CODES):
        return float("nan")
    value, mantissa = float(text), text.lower().partition("e")[0]
    return math.copysign(5e-324, value) if value == 0 and set(mantissa) & set("123456789") else value


def scan(data: str, separator: str = ",", decimal: str = "."):
    """Two numbers with a text between them."""
    reader = RecordScan(3, frozenset({0, 2}), frozenset({1}), separator, decimal, CODES)
    return reader.columns(data.encode(), data.count("\n"))


@given(st.lists(st.tuples(NUMBERS.filter(is_number), TEXTS, NUMBERS.filter(is_number)), max_size=30))
@examples(300)
def test_records_are_those_of_the_csv_module(rows):
    data = "".join(",".join(row) + "\n" for row in rows)
    found = scan(data)
    assert found is not None
    numbers, texts, digits, n_rows = found
    expected = list(csv.reader(io.StringIO(data, newline="\n"), skipinitialspace=True))
    assert n_rows == len(expected)
    for place in (0, 2):
        values = np.array([value_of(row[place]) for row in expected])
        np.testing.assert_array_equal(numbers[place], values)
        there = ~np.isnan(values)
        np.testing.assert_array_equal(np.signbit(numbers[place][there]), np.signbit(values[there]))
        cells = [row[place].strip() for row in expected]
        zeros = [min(len(cell), 255) if has_leading_zeros(cell) else 0 for cell in cells]
        assert digits.get(place, np.zeros(n_rows)).tolist() == zeros
    assert [texts[1].texts[code] for code in texts[1].codes] == [row[1] for row in expected]
    assert len(set(texts[1].texts)) == len(texts[1].texts)


@pytest.mark.parametrize(
    "line",
    [
        "1,a", "1,a,2,3", "1,a,x", '1,"a""b",2', '1,"a" b,2', '"1,a,2', "1,a,1_0", "1,a,0x10", " ", "1,a,1e",
        "1,a,--1",
    ],
)
def test_what_is_not_regular_is_left_to_others(line):
    assert scan(f"1,a,2\n{line}\n3,b,4\n") is None


def test_blank_lines_are_no_rows_and_other_signs_are_known():
    numbers, _, _, n_rows = scan("1,5\tx\t2\n\n\n-,25e1\ty\t7 \n", "\t", ",")
    assert n_rows == 2
    np.testing.assert_array_equal(numbers[0], [1.5, -2.5])
    np.testing.assert_array_equal(numbers[2], [2, 7])


def test_more_hard_cells_than_python_should_read_are_left_to_others():
    line = f"0.{'123456789' * 3},a,2\n"
    assert scan(line * MOST_HARD) is not None
    assert scan(line * (MOST_HARD + 1)) is None


def test_as_many_texts_as_rows():
    _, texts, _, n_rows = scan("".join(f"1,user {row},2\n" for row in range(5000)))
    assert texts[1].texts == tuple(f"user {row}" for row in range(5000))
    np.testing.assert_array_equal(texts[1].codes, np.arange(n_rows))
