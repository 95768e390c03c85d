"""Labels in the order of a person: numbers by size, also within texts."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from workbench.data.values import numerals
from workbench.data.values.labels import natural_key

TEXT = st.one_of(st.text(st.sampled_from("aAbß0129 .-"), max_size=8), st.text(max_size=6))


def naive_key(text):
    """Return the parts of a text one by one: slow, and of hundreds of bytes."""
    if numerals.is_plain(text):
        return (0, float(text), text)
    parts = re.split(r"(\d+)", text)
    sized = [
        (len(p.lstrip("0")), p.lstrip("0")) if n % 2 else p.casefold() for n, p in enumerate(parts)
    ]
    return (1, sized, text)


@given(TEXT, TEXT)
def test_the_order_is_that_of_the_parts(one, other):
    if "\0" not in one + other:  # which no reader leaves in a text
        assert (natural_key(one) < natural_key(other)) == (naive_key(one) < naive_key(other))
