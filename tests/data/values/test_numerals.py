from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from workbench.data.values import numerals


@pytest.mark.sampled
@pytest.mark.parametrize("text", ["1" * 1_000_000, "1" * 500_000 + "." + "1" * 500_000, "1,234" * 200_000])
@pytest.mark.slow
def test_a_long_cell_that_is_nearly_a_number_is_told_at_once(text):
    """A search that tried every place where digits might part would take hours."""
    assert numerals.parse([text + "x"]) is None
    assert not numerals.is_number(text + "x")


@example("0 e")
@example(" 0-")
@given(st.text("0123456789١²+-−.,e'% $€infx\u00a0", max_size=8))
def test_what_is_read_as_a_number_alone_is_a_number(text):
    if numerals.parse([text]) is not None and "(" not in text:
        assert numerals.is_number(text)


@pytest.mark.parametrize(
    ("labels", "hours"),
    [
        (["14:35", "00:00", "8:06"], [14 + 35 / 60, 0, 8.1]),
        (["08:15:30", "23:59:59.5", "24:00:00"], [8 + 930 / 3600, 24 - 0.5 / 3600, 24]),
        (["2:35 PM", "12:05 am", "12:00 p.m."], [14 + 35 / 60, 5 / 60, 12]),
        (["36:15:00", "0:00:36", "-00:30:00", "1:00:00,9"], [36.25, 0.01, -0.5, 1.00025]),
    ],
)
def test_times_are_hours(labels, hours):
    np.testing.assert_allclose(numerals.parse(labels).values, hours, rtol=1e-12)


@pytest.mark.parametrize("label", ["25:30", "3:1", "1:60", "13:00 PM", "0:30 AM", "3:10:99", "16:9:1", ":30"])
def test_what_is_no_time_stays_text(label):
    assert numerals.parse(["14:35", label]) is None


@pytest.mark.parametrize(
    ("labels", "prices"),
    [
        (["CHF 5'000.-"], [5000]),
        (["CHF 5'000.-", "CHF 120.50"], [5000, 120.5]),
        (["5.-", "7.50", "5.–"], [5, 7.5, 5]),
        (["35,- €", "12,50 €", "1.010,-- €"], [35, 12.5, 1010]),
        (["EUR 5,--"], [5]),
        (["-5.-", "1'200.-", "5000-"], [-5, 1200, -5000]),
        (["(5.-)", "3.-"], [-5, 3]),
        (["5.--", "1,200.-"], [5, 1200]),
    ],
)
def test_a_dash_behind_a_decimal_sign_is_no_minus(labels, prices):
    assert all(map(numerals.is_number, filter(lambda label: "(" not in label, labels)))
    numbers = numerals.parse(labels)
    assert numbers.values.tolist() == prices
    assert "a dash for no cents is read as 00" in [change.what for change in numbers.changes]


@given(
    st.integers(0, 10**9),
    st.sampled_from([".-", ",-", ".--", ",--", ".–"]),
    st.sampled_from(["", " €", " CHF"]),
)
def test_a_price_without_cents_is_its_whole_number(price, dash, unit):
    assert numerals.value_of(f"{price}{dash}{unit}") == price
    assert numerals.value_of(f"{price}-") == -price


def test_one_word_among_many_numbers_is_seen_before_every_way_of_writing_is_tried(monkeypatch):
    tried = []
    ways = [way._replace(fits=lambda label, way=way: tried.append(label) or way.fits(label))
            for way in numerals.WAYS[None]]  # fmt: skip
    monkeypatch.setitem(numerals.WAYS, None, tuple(ways))
    labels = [*(f"{number}.5" for number in range(1000)), "oops"]
    assert numerals.parse(labels) is None
    assert len(tried) <= len(labels)
    tried.clear()
    most = numerals.parse_most(labels)
    assert np.isnan(most.values).tolist() == [False] * 1000 + [True]
    assert len(tried) < 3 * len(labels)
    assert numerals.parse(["0", "½"]).values.tolist() == [0, 0.5]
