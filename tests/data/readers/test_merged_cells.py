"""Cells of sheets merged over several rows: told, asked about, and filled where a person wants it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.data.making import labels_of, said
from workbench.data.readers.options import ReadOptions
from workbench.data.readers.workbooks.merged_cells import MergedRange, filled_down
from workbench.data.reading import preview, read_table
from workbench.errors import WorkbenchError

MERGED = Path(__file__).parent / "merged_cells"  # by LibreOffice: a title over A1:D2, a table from B5 on
FILLED = ["r0"] * 4 + ["r1"] * 4 + ["r2"] * 4
PLACES = st.integers(0, 6)


@pytest.fixture(params=[".xlsx", ".xls", ".ods"])
def merged(request: pytest.FixtureRequest) -> Path:
    if request.param == ".xls":
        pytest.importorskip("xlrd")
    return MERGED.with_suffix(request.param)


def test_they_are_counted_and_asked_about(merged: Path) -> None:
    read = read_table(merged)
    told = (
        "Cells merged over several rows have their value in the first row alone: 9 cells are read as "
        "missing, first in B6:B9."
    )
    assert told in said(read)
    assert labels_of(read.column("region")) == [r for n in range(3) for r in (f"r{n}", None, None, None)]
    seen = preview(merged)
    assert seen is not None
    assert [doubt.reason for doubt in seen.doubts if doubt.option == "merged"] == [told]
    assert "merged" in seen.uses


def test_they_are_filled_where_a_person_wants_it(merged: Path) -> None:
    options = ReadOptions(merged=True)
    read, seen = read_table(merged, options=options), preview(merged, options)
    assert seen is not None
    assert not [doubt for doubt in seen.doubts if doubt.option == "merged"]
    for table in (read, seen.table):
        assert table.names == ("region", "town", "y")
        assert labels_of(table.column("region")) == FILLED
        assert "9 cells are filled, first in B6:B9." in said(table)
        assert table.column("y").values.tolist() == [i * 1.5 for i in range(12)]
    kept = preview(merged, ReadOptions(merged=False))
    assert kept is not None
    assert not [doubt for doubt in kept.doubts if doubt.option == "merged"]


def test_a_text_table_has_none(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    with pytest.raises(WorkbenchError, match="which has no merged cells"):
        read_table(tmp_path / "t.csv", options=ReadOptions(merged=True))


@given(
    st.lists(st.lists(st.sampled_from(["", "x", "y"]), max_size=6), max_size=8),
    st.lists(st.tuples(PLACES, PLACES, PLACES, PLACES), max_size=3),
)
def test_every_cell_of_a_range_gets_its_value_and_no_other_cell_changes(
    rows: list[list[str]], places: list[tuple[int, int, int, int]]
) -> None:
    ranges = [MergedRange(*sorted(one[:2]), *sorted(one[2:])) for one in places]
    cells = {(r, c): text for r, row in enumerate(rows) for c, text in enumerate(row)}
    ways = {
        (r, c): cells.get((one.first_row, one.first_column), "")
        for one in sorted(ranges, reverse=True)
        for r in range(one.first_row, one.last_row + 1)
        for c in range(one.first_column, one.last_column + 1)
    }
    made = list(filled_down([list(row) for row in rows], ranges))
    assert len(made) == len(rows)
    for r, row in enumerate(made):
        for c, text in enumerate(row):
            before = cells.get((r, c), "")
            assert text == before or (not before and (r, c) in ways)
    if len(ranges) == 1:
        for (r, c), value in ways.items():
            if r < len(rows) and value:
                assert made[r][c] == (cells.get((r, c), "") or value)
