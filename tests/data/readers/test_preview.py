"""A preview shows the beginning of a file, why it is read so, and what is doubtful about it."""

from __future__ import annotations

import zipfile
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.data.making import labels_of, said
from tests.examples import examples
from workbench.data.readers.options import GUESS_ALL, ReadOptions
from workbench.data.reading import preview, read_table
from workbench.data.samples import SAMPLES, sample_file
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.data.making import Write
    from workbench.data.readers.preview import Preview


def seen(path: Path, options: ReadOptions = GUESS_ALL) -> Preview:
    found = preview(path, options)
    assert found is not None
    return found


def doubts(path: Path, options: ReadOptions = GUESS_ALL) -> dict[str, str]:
    return {guess.option: guess.reason for guess in seen(path, options).doubts}


@pytest.mark.sampled
@pytest.mark.parametrize("sample", SAMPLES, ids=[sample.name for sample in SAMPLES])
def test_nothing_is_doubtful_about_a_clear_table(sample: Any) -> None:
    assert doubts(sample_file(sample.name)) == {}


DOUBTFUL = [
    ("separator", "a,b;c,d\n1,2;3,4\n5,6;7,8\n", "by the comma, 3 have 3"),
    ("header", "2019,2020,2021\n5,6.5,7\n8,9,10\n", "look like years"),
    ("header", "colour,size\nblue,large\ngreen,small\n", "All columns are text"),
    ("decimal", 'x,y\n"1,234",a\n"5,678",b\n', "'x' has 1,234, which may be 1234 or 1.234"),
    ("decimal", "x;y\n1,5;1.234\n2,5;2.345\n", "'y' has 1.234: read with a decimal point"),
    ("dates", "day,x\n03/04/2020,1\n05/06/2020,2\n", "read month first; no date tells"),
    ("missing", "x,y\n1,2\n2,3\nunknown,4\n4,5\n", "'x' holds numbers and 'unknown'"),
    ("missing", "x,y\n" + "1,2\n3,4\n5,1\n7,8\n9,0\n-999,3\n" * 2, "'x' has -999, far from its other"),
    ("missing", "x;y\n" + "1,5;2\n3,4;4\n5;1\n7,1;8\n9;0\n-999,9;3\n" * 2, "'x' has -999,9, far from its"),
    ("kinds", "x,y\n1,2\n2,3\n3,4\n4a,4\n5b,5\n", "'x' mixes numbers with texts"),
    ("missing", "due,y\n1.2.2024,1\n2.2.2024,2\nbald,3\nk.A.,4\n", "'due' holds dates and 'bald'"),
    ("kinds", "due,y\n1.2.2024,1\n2.2.2024,2\n3.2.2024,3\nbald,4\nnie,5\n", "'due' mixes dates with texts"),
    ("missing", "price,y\n5.-,1\n7.50,2\n12.-,3\nbald,4\n", "'price' holds numbers and 'bald'"),
    ("kinds", "zip,y\n00123,2\n04567,3\n", "'zip' has 00123"),
    ("encoding", "größe,x\n1,2\n".encode("cp1252"), "read as Windows-1252"),
]


@pytest.mark.parametrize(("option", "content", "words"), DOUBTFUL, ids=[f"{d[0]}-{d[2]}" for d in DOUBTFUL])
def test_what_is_doubtful_is_said(write: Write, option: str, content: Any, words: str) -> None:
    assert words in doubts(write(content))[option]


SETTLED: list[dict[str, Any]] = [
    {"separator": ","}, {"header": True}, {"header": True}, {"decimal": "."}, {"decimal": ","},
    {"dates": "dmy"}, {"missing": ("unknown",)}, {"missing": ("-999",)}, {"missing": ("-999,9",)},
    {"kinds": (("x", "category"),)},
    {"missing": ("bald", "k.A.")}, {"kinds": (("due", "category"),)}, {"missing": ("bald",)},
    {"kinds": (("zip", "category"),)}, {"encoding": "cp1252"},
]  # fmt: skip


@pytest.mark.parametrize(("case", "values"), list(zip(DOUBTFUL, SETTLED, strict=True)))
def test_what_is_settled_is_not_doubtful(write: Write, case: Any, values: dict[str, Any]) -> None:
    assert case[0] not in doubts(write(case[1]), ReadOptions(**values))


def test_clear_things_are_explained_too(write: Write) -> None:
    found = seen(write("a;b\n1,5;x\n2,5;NA\n"))
    reasons = {guess.option: (guess.value, guess.reason) for guess in found.guesses}
    assert reasons["separator"] == (";", "By the semicolon, 3 of 3 lines have 2 fields.")
    assert reasons["header"] == (True, "'a' stands over numbers.")
    assert reasons["decimal"] == (",", "'a' has 1,5: such columns have decimal commas.")
    assert reasons["missing"] == (("NA",), "Empty cells, and NA.")
    assert reasons["encoding"][0] == "utf-8"


def test_changing_an_option_changes_what_is_seen(write: Write) -> None:
    path = write("1;2,5;unknown\n3;4,5;7\n")
    found = seen(path, ReadOptions(";", decimal=",", header=False, missing=("unknown",)))
    assert found.table.names == ("column 1", "column 2", "column 3")
    np.testing.assert_array_equal(found.table.columns[1].values, np.float32([2.5, 4.5]))
    assert found.table.columns[2].missing == 1
    assert found.texts[1] == ("2,5", "4,5")


def test_only_the_beginning_is_read(write: Write) -> None:
    lines = "\n".join(f"{n},text {n % 7}" for n in range(200_000))
    found = seen(write(f"x,c\n{lines}\n1,2,3\n"))  # the last line is not come to
    assert 100 < found.table.n_rows < 20_000
    assert not found.is_whole
    assert labels_of(found.table.column("c"))[:2] == ["text 0", "text 1"]


def test_a_line_that_cannot_be_read_is_shown(write: Write) -> None:
    with pytest.raises(WorkbenchError, match=r"Line 3 has 3 fields where 2 .*'y': '6'\).*: 4,5,6$"):
        preview(write("x,y\n1,2\n4,5,6\n"))


def test_an_archive_offers_its_tables(tmp_path: Path) -> None:
    path = tmp_path / "two.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", "x,y\n1,2\n")
        archive.writestr("b.csv", "z;w\n1;2\n")
    found = seen(path)
    assert (found.parts, found.table.names) == (("a.csv", "b.csv"), ("x", "y"))
    assert doubts(path)["part"] == "The archive holds 2 files; this one looks most like a table."
    assert seen(path, ReadOptions(part="b.csv")).table.names == ("z", "w")


@pytest.mark.parametrize(("members", "chosen"), [
    ({"README.txt": 5000, "values.txt": 300}, "values.txt"),
    ({"README.md": 5000, "a/iris.data": 300, "iris.names": 900}, "a/iris.data"),
    ({"LICENSE": 5000, "train.csv": 500, "test.csv": 300}, "train.csv"),
    ({"notes.csv": 5000, "train.tsv": 500, "test.csv": 300}, "train.tsv"),
    ({"one": 30, "two": 300}, "two"),
])
def test_the_file_of_an_archive_that_looks_most_like_a_table_is_shown_and_read(tmp_path, members, chosen):
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        for name, rows in members.items():
            archive.writestr(name, "x,y\n" + "1,2\n" * rows)
    assert seen(tmp_path / "t.zip").guess("part").value == chosen


def test_the_sheet_that_looks_most_like_a_table_is_shown_and_read(tmp_path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    for line in range(300):
        book.active.append([f"Line {line} of what is to be known"])
    for name, rows in (("units", 5), ("values", 30)):
        sheet = book.create_sheet(name)
        for row in range(rows):
            sheet.append(["x", "y"] if row == 0 else [row, row * row])
    book.save(tmp_path / "t.xlsx")
    found = seen(tmp_path / "t.xlsx")
    assert (found.guess("part").value, found.table.names) == ("values", ("x", "y"))
    read = read_table(tmp_path / "t.xlsx")
    assert read.n_rows == 29
    assert "Sheet 'values' is read" in read.notes[0].text


def test_a_workbook_offers_its_sheets(tmp_path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(["x", "y"])
    book.active.append([1, 2])
    book.create_sheet("empty")
    book.save(tmp_path / "t.xlsx")
    assert "part" not in doubts(tmp_path / "t.xlsx")
    other = book.create_sheet("more")
    for row in (["z"], [1], [2]):
        other.append(row)
    book.save(tmp_path / "t.xlsx")
    found = seen(tmp_path / "t.xlsx")
    assert found.parts == ("Sheet", "more")
    said = "Of 2 sheets with something in them 'Sheet' looks most like a table."
    assert doubts(tmp_path / "t.xlsx")["part"] == said
    assert seen(tmp_path / "t.xlsx", ReadOptions(part="more")).table.names == ("z",)


def test_json_lines_are_previewed_and_parquet_needs_none(write: Write, tmp_path: Path) -> None:
    import pandas as pd

    found = seen(write('{"a": 1, "b": "03/04/2020"}\n{"a": 2, "b": "05/06/2020"}\n', "t.jsonl"))
    assert found.table.names == ("a", "b")
    assert [guess.option for guess in found.doubts] == ["dates"]
    pd.DataFrame({"x": [1, 2]}).to_parquet(tmp_path / "t.parquet")
    assert preview(tmp_path / "t.parquet") is None


@given(st.binary(max_size=300), st.sampled_from([b"", b"x,y\n1,2\n", b"\xff\xfe", b"{\"a\":1}\n"]))
@examples(150)
def test_what_can_be_read_can_be_previewed(write: Write, data: bytes, start: bytes) -> None:
    path = write(start + data)
    names, seen = [], []
    with suppress(WorkbenchError):
        names.append(read_table(path).names)
    with suppress(WorkbenchError):
        found = preview(path)
        seen = [found.table.names] if found else names
    assert names == seen


def test_times_of_day_are_told_and_scores_are_asked_about(write: Write) -> None:
    rows = "".join(f"0{n}:15,{n}:3{n},{n}.5\n" for n in range(1, 9))
    found = seen(write("at,score,x\n" + rows))
    at = found.table.column("at")
    assert (at.kind, at.values[0]) == ("number", 1.25)
    words = "times of day are read as hours since midnight (14:30 as 14.5) in 8 cells, first in row 1."
    assert f"Column 'at': {words}" in said(found.table)
    assert [(guess.option, guess.column) for guess in found.doubts] == [("kinds", "score")]
