"""Numbers with signs that are no part of them, and numbers in several parts: read and told, or text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.data.making import said
from workbench import TrainingParams, fit
from workbench.data.reading import preview, read_table
from workbench.data.values import compound_numbers, numerals
from workbench.scoring.score_file import score_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.data.making import Write
    from workbench.data.table import Table

PLAIN = ["1.5", "2.5", "7", "12.25", "0.75", "3"]


def column_of(write: Write, cells: Sequence[str]) -> Table:
    quoted = ('"' + cell.replace('"', '""') + '"' for cell in cells)
    return read_table(write("k,v\n" + "".join(f"{'ab'[n % 2]},{cell}\n" for n, cell in enumerate(quoted))))


@pytest.mark.parametrize(("cells", "values", "words"), [
    (["<0.5", *PLAIN, ">=100"], [0.5, 1.5, 2.5, 7, 12.25, 0.75, 3, 100], "a sign of a limit, as <, before"),
    (["≤ 0.5", *PLAIN], [0.5, 1.5, 2.5, 7, 12.25, 0.75, 3], "a sign of a limit, as <, before"),
    (["~20", "≈ 30", "ca. 7"], [20, 30, 7], "a sign before a number that means about, as ~, is left out"),
    (["10.7r", *PLAIN, "1234 (p)"], [10.7, 1.5, 2.5, 7, 12.25, 0.75, 3, 1234], "letters behind numbers"),
    (["10.7r", "21.4r", "9.9r"], [10.7, 21.4, 9.9], "letters behind numbers, as of estimates, are left out"),
    (["11.4 e", "12.5 e"], [11.4, 12.5], "letters behind numbers, as of estimates, are left out"),
    (["1 1/2", "3/4", "2", "-2-1/4"], [1.5, 0.75, 2, -2.25], "numbers with fractions are read with decimals"),
    (["1½", "¾", "2"], [1.5, 0.75, 2], "numbers with fractions are read with decimals"),
    (["5'3\"", "6'", "5’11.5”", "4 ft 2 in"], [63, 72, 71.5, 50], "feet and inches are read as inches"),
    (["47°30'", "47°00'36\"N", "8° 15' S", "W0°30'"], [47.5, 47.01, -8.25, -0.5], "degrees with minutes are"),
])  # fmt: skip
def test_such_numbers_are_read_and_told(
    write: Write, cells: list[str], values: list[float], words: str
) -> None:
    read = column_of(write, cells)
    assert read.column("v").kind == "number"
    np.testing.assert_allclose(read.column("v").values, np.float32(values))
    assert f"Column 'v': {words}" in said(read)


@pytest.mark.parametrize("cells", [
    ["<18", ">65", "18-65"], ["<=50K", ">50K"], ["<18", ">65", "<18"],  # classes
    ["12e", "14", "7", "9f"], ["12b", "14.5c"],  # houses, codes
    ["1/2", "3/4"], ["3/1", "2/2"], ["1 3/2", "2"],  # scores, or no fractions
    ["5'12\"", "5'3\""], ["47°61'"], ["N47°30'S"], ["0x1F", "0x20"], ["1.5.", "2.5."],
])  # fmt: skip
def test_what_may_mean_something_else_stays_text(write: Write, cells: list[str]) -> None:
    assert column_of(write, cells * 3).column("v").kind == "category"


@pytest.mark.parametrize(("form", "is_told"), [
    ("{0}.5±0.1", True), ("{0} bps", True), ("{0} ({0}.1%)", True), ("{0}:00/km", False), ("{0} / 10", True),
    (">{0}", True), ("#{0}", True), ("{0}×10^3", True), ("{0}th", True), ("{0}²", True),
    ("'{0}", True), ("={0}", True), ("1_{0}0", True), ("2_{0}0_000", True), ("_{0}", False),
    ("1{0:02}-22", False), ("10.0.0.{0}", False), ("A{0}", False), ("0x{0:02}F", False), ("{0}A", False),
])  # fmt: skip
def test_what_may_be_numbers_and_is_read_as_a_category_is_told(
    write: Write, form: str, is_told: bool
) -> None:
    read = column_of(write, [form.format(n) for n in range(10, 40)])
    assert read.column("v").kind == "category"
    words = f"Column 'v': '{form.format(10)}' and the like may be numbers, in a form that is not known"
    assert (words in said(read)) == is_told
    assert "may be numbers" not in said(column_of(write, [form.format(n) for n in range(10, 15)] * 3))


def test_such_numbers_raise_no_doubt(write: Write) -> None:
    seen = preview(write("k,v,w\n" + "".join(f"a,{'<' * (n % 5 == 0)}{n}.5,1 1/2\n" for n in range(40))))
    assert seen is not None
    assert not seen.doubts


def test_they_are_read_where_a_model_scores_too(write: Write, tmp_path: Path) -> None:
    rows = "".join(f"{'<' if n < 20 else ''}{n}.5,5'{n % 12}\"\"\",{n}\n" for n in range(60))
    model = fit(
        _frame(read_table(write("v,h,y\n" + rows.replace(",5'", ',"5\'')))),
        target="y", params=TrainingParams(rounds=5),
    )  # fmt: skip
    (tmp_path / "new.csv").write_text('v,h\n<3.5,"5\'3"""\n40.5,"6\'"\n')
    (tmp_path / "plain.csv").write_text("v,h\n3.5,63\n40.5,72\n")
    outputs = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for name, output in zip(["new.csv", "plain.csv"], outputs, strict=True):
        score_file(model, tmp_path / name, output)
    assert outputs[0].read_text() == outputs[1].read_text()


def _frame(read: Table):  # type: ignore[no-untyped-def]
    import pandas as pd

    return pd.DataFrame({column.name: column.values for column in read.columns})


@given(st.integers(0, 9), st.integers(0, 11))
def test_feet_and_inches_of_any_height(feet: int, inches: int) -> None:
    found = compound_numbers.parse([f"{feet}'{inches}\""])
    assert found is not None
    assert found.values == [12 * feet + inches]


@given(st.text("0123456789.,<>~'\"°½/ -+()eprNS", min_size=1, max_size=9))
def test_one_of_any_such_text_is_a_number_or_none(text: str) -> None:
    found = numerals.parse([text])
    assert found is None or (len(found.values) == 1 and not np.isinf(found.values[0]))
    numerals.is_number(text)
    numerals.parse_one(text)
