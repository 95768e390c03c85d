"""What is long is written part by part, to the same text."""

from __future__ import annotations

import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from workbench.session.project import json_text as module
from workbench.session.project.json_text import json_text, python_number

SMALL = {"FEW": 3, "PART": 4}
VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.floats().map(np.float64)
NESTED = st.recursive(
    VALUES,
    lambda held: st.lists(held) | st.tuples(held) | st.dictionaries(st.text() | st.integers(), held),
    max_leaves=30,
)


@given(NESTED)
def test_parts_come_to_the_same_text(value):
    with_parts = {name: getattr(module, name) for name in SMALL}
    vars(module).update(SMALL)
    try:
        assert json_text(value) == json.dumps(value, ensure_ascii=False, default=python_number)
    finally:
        vars(module).update(with_parts)


def test_no_part_of_many_columns_is_long(monkeypatch):
    sizes = []
    encode = module._ENCODER.encode

    def measured(held):
        sizes.append(len(encode(held)))
        return encode(held)

    monkeypatch.setattr(module._ENCODER, "encode", measured)
    columns = [{"name": f"column {place}", "kind": "number"} for place in range(5000)]
    value = {"schema": [{"features": columns}, False], "roles": {one["name"]: "feature" for one in columns}}
    assert json.loads(json_text(value)) == value
    assert max(sizes) < 100 * module.PART
