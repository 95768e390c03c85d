"""A few damaged files of every kind; `python -m tests.fuzz` gives as many as one likes."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.fuzz import counts
from tests.fuzz.targets import TARGETS, refused

NEEDS = {
    "xgboost": "xgboost", "xgboost-ubjson": "xgboost", "lightgbm": "lightgbm", "lightgbm-json": "lightgbm",
    "sklearn": "sklearn", "onnx": "onnx", "excel": "openpyxl", "parquet": "pyarrow", "feather": "pyarrow",
    "old_excel": "xlrd",
}  # fmt: skip
few = examples(25)


@pytest.mark.sampled
@pytest.mark.parametrize("name", TARGETS)
@few
@given(chance=st.integers(0, 2**32))
def test_refused_in_words_or_usable(name, tmp_path, chance):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    rng = Random(chance)
    refused(TARGETS[name], TARGETS[name].made(rng), tmp_path, rng)


@pytest.mark.sampled
@pytest.mark.parametrize("name", TARGETS)
def test_undamaged_files_are_mostly_read(name, tmp_path):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    target = TARGETS[name]
    said = [refused(target, seed, tmp_path, Random(1)) for seed in target.seeds()]
    assert sum(error is None for error in said) > 0.8 * len(said)


def test_what_is_tried_is_counted(monkeypatch):
    there = {file: (counts.TESTS / file).exists() for files in counts.FAULTS.values() for file in files}
    monkeypatch.setattr(counts, "_collected", lambda *files: 7 * all(there.get(file, True) for file in files))
    lines = [line.strip("| ").split(" | ") for line in counts.table().splitlines() if line.endswith(" |")]
    numbers = {what: int(told.replace(",", "")) for what, told in lines if told[0].isdigit()}
    assert {f"`{name}`" for name in TARGETS} <= set(numbers)
    assert min(numbers.values()) > 0
    assert list(numbers.values()).count(7) >= 5
