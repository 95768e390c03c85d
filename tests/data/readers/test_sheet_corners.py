"""Tables that stand anywhere in a sheet, and cells that are merged over several rows."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.utils import get_column_letter

from tests.data.making import labels_of, said
from workbench.data.readers.workbooks.corner import Corner, column_name, corner_of
from workbench.data.readers.workbooks.sheet_xml import formula_notes
from workbench.data.reading import preview, read_table

if TYPE_CHECKING:
    from pathlib import Path

ROWS: list[list[Any]] = [["a", "b", "y"], *([1.5 * i, "xz"[i % 2], i] for i in range(1, 12))]


def sheet_with(rows: list[list[Any]], row: int, column: int) -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    for down, cells in enumerate(rows):
        for right, value in enumerate(cells):
            book.active.cell(row + down, column + right, value)
    return book


def saved(tmp_path: Path, book: openpyxl.Workbook) -> Path:
    book.save(tmp_path / "t.xlsx")
    return tmp_path / "t.xlsx"


@pytest.mark.parametrize(("row", "column", "cell", "left"), [
    (5, 4, "D5", "3 empty columns left of it are"), (1, 2, "B1", "1 empty column left of it is"),
])  # fmt: skip
def test_a_table_begins_at_its_corner(tmp_path: Path, row: int, column: int, cell: str, left: str) -> None:
    path = saved(tmp_path, sheet_with(ROWS, row, column))
    read = read_table(path)
    assert read.names == ("a", "b", "y")
    assert read.n_rows == 11
    assert f"The table begins in cell {cell}; {left} left out." in said(read)
    seen = preview(path)
    assert seen is not None
    assert seen.table.names == ("a", "b", "y")
    assert f"begins in cell {cell}" in said(seen.table)


def test_a_title_and_a_source_left_of_the_table_are_none_of_it(tmp_path: Path) -> None:
    book = sheet_with(ROWS, 5, 4)
    book.active["A1"], book.active["A30"] = "Report of May", "Source: us"
    read = read_table(saved(tmp_path, book))
    assert read.names == ("a", "b", "y")
    assert read.n_rows == 11
    assert "('Report of May')" in said(read)
    assert "Source: us" in said(read)


def test_a_late_row_further_left_keeps_its_column(tmp_path: Path) -> None:
    book = sheet_with([["a", "b", "y"], *([i, i, i] for i in range(1500))], 1, 2)
    book.active["A1200"], book.active["B1200"] = 77, 5
    read = read_table(saved(tmp_path, book))
    assert len(read.names) == 4
    assert read.columns[0].values[1198] == 77


def test_one_column_anywhere_is_a_table_too(tmp_path: Path) -> None:
    read = read_table(saved(tmp_path, sheet_with([["n"], *([i * 1.5] for i in range(8))], 3, 3)))
    assert read.names == ("n",)
    assert read.columns[0].values.tolist() == [i * 1.5 for i in range(8)]


def test_a_table_at_the_first_cell_says_nothing(tmp_path: Path) -> None:
    rows = [ROWS[0], *([None, *row[1:]] for row in ROWS[1:])]
    assert "begins in cell" not in said(read_table(saved(tmp_path, sheet_with(rows, 1, 1))))


def test_cells_merged_over_rows_are_said_and_those_of_a_title_are_not(tmp_path: Path) -> None:
    rows = [["region", "town", "y"], *([None if i % 4 else f"r{i // 4}", f"t{i}", i] for i in range(12))]
    book = sheet_with(rows, 1, 1)
    for first in (2, 6, 10):
        book.active.merge_cells(f"A{first}:A{first + 3}")
    read = read_table(saved(tmp_path, book))
    assert (
        "Cells merged over several rows have their value in the first row alone: 9 cells are read as "
        "missing, first in A2:A5." in said(read)
    )
    assert labels_of(read.columns[0])[:5] == ["r0", None, None, None, "r1"]
    book = sheet_with([["Report"], ["of May"], *ROWS], 1, 1)
    book.active.merge_cells("A1:C2")
    assert "merged" not in said(read_table(saved(tmp_path, book)))


@pytest.mark.sampled
@pytest.mark.parametrize("rows", [12, 60_000])
def test_formulas_that_were_never_computed_are_counted(tmp_path: Path, rows: int) -> None:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append(["a", "b", "c"])
    for i in range(rows):
        sheet.append([i, f"=A{i + 2}*2" if i >= 5 else i, '=IF(A1<2,"x","")' if i == 3 else 1])
    read = read_table(saved(tmp_path, book))
    assert read.column("b").missing == rows - 5
    words = "cells have formulas that were never computed, first C5: read as missing."
    assert f"{rows - 4:,} {words}" in said(read)


def test_computed_formulas_are_values_also_where_they_are_empty_texts() -> None:
    cells = (
        b'<c r="A1"><f>B1*2</f><v>4</v></c><c r="A2" t="str"><f>IF(1,"","")</f><v></v></c><c r="A3"><v/></c>'
        b'<x:c r="A4" s="1"><x:f t="shared" si="0"/><x:v>7</x:v></x:c><c r="A5"/><c r="A6"><v></v></c>'
    )
    assert formula_notes(io.BytesIO(cells * 40_000)) == ()
    open_one = b'<x:c r="B7" s="1"><x:f t="shared" si="0"/><x:v/></x:c>'
    (note,) = formula_notes(io.BytesIO(cells * 40_000 + open_one + cells * 40_000))
    assert note.text.startswith("1 cell has a formula that was never computed, first B7")


@given(st.integers(1, 18_278))
def test_columns_are_called_as_spreadsheets_do(number: int) -> None:
    assert column_name(number - 1) == get_column_letter(number)


@given(st.lists(st.lists(st.sampled_from(["", "x"]), max_size=5), max_size=6))
def test_no_cell_is_lost_at_a_corner(rows: list[list[str]]) -> None:
    corner = corner_of(rows)
    assert isinstance(corner, Corner)
    for row in rows:
        assert sum(map(bool, corner.cells(row))) == sum(map(bool, row))
