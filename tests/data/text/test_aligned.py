"""Columns of fixed width: values with blanks in them, empty ones, titles, units, totals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

from tests.data.making import labels_of, said
from workbench.data.readers.options import ReadOptions, separator_of
from workbench.data.reading import preview, read_table
from workbench.data.text.wrappings.aligned import ALIGNED, find_gaps

if TYPE_CHECKING:
    from tests.data.making import Write

TOWNS = ("New York", "Oslo", "", "São Paulo", 'the "Hub"')
HEADER = "id     town             people  when\n"


def row(i: int) -> str:
    people = "" if i % 5 == 0 else str(1000 * i)
    return f"{i:<7}{TOWNS[i % 5]:<15}{people:>8}  2020-01-{i % 28 + 1:02} 10:00\n"


def rows(n: int, *, quotes: bool = False) -> str:
    text = "".join(row(i) for i in range(1, n))
    return text if quotes else text.replace('"', "'")


@pytest.mark.parametrize("n", [30, 40_000])
def test_aligned_columns_are_read_with_blanks_and_gaps(write: Write, n: int) -> None:
    path = write(HEADER + rows(n), "t.txt")
    read = read_table(path)
    assert (read.names, read.n_rows) == (("id", "town", "people", "when"), n - 1)
    assert [column.kind for column in read.columns] == ["number", "category", "number", "date"]
    assert labels_of(read.column("town"))[:5] == ["Oslo", None, "São Paulo", "the 'Hub'", "New York"]
    wanted = [np.nan if i % 5 == 0 else 1000 * i for i in range(1, n)]
    np.testing.assert_array_equal(read.column("people").values, np.float32(wanted))
    seen = preview(path)
    assert seen is not None
    assert [guess.option for guess in seen.doubts] == ["separator"]
    assert "The lines are aligned: 4 columns" in seen.doubts[0].reason


def test_it_agrees_with_pandas(write: Write) -> None:
    path = write("".join(f"{i:<4}{TOWNS[i % 2]:<10}{i * 7:>6}\n" for i in range(1, 60)), "t.txt")
    theirs = pd.read_fwf(path, header=None)
    ours = read_table(path)
    assert labels_of(ours.columns[1]) == theirs[1].tolist()
    for place in (0, 2):
        np.testing.assert_array_equal(ours.columns[place].values, theirs[place])


def test_titles_units_and_sources_are_left_out(write: Write) -> None:
    above = "Heathrow\nof the weather office\n   year  month   tmax   rain\n                 degC     mm\n"
    body = "".join(f"   1948  {i:>5}   {i}.5   {'   ---' if i == 3 else f'{i}.0':>5}\n" for i in range(1, 10))
    read = read_table(write(above + body + "Source: the office\n", "t.txt"))
    assert (read.names, read.n_rows) == (("year", "month", "tmax", "rain"), 9)
    assert {column.kind for column in read.columns} == {"number"}
    assert read.column("rain").missing == 1
    assert "2 lines above the table are left out" in said(read)
    assert "as units do" in said(read)


def test_values_that_reach_into_a_gap_stay_whole(write: Write) -> None:
    """Further down than was looked at, as far as one blank is left."""
    late = f"{123456:<7}{'Llanfairpwll':<15}{7000000:>8}  2020-01-01 10:00\n"
    read = read_table(write(HEADER + rows(30_000) + late, "t.txt"))
    assert [column.values[-1] for column in (read.column("id"), read.column("people"))] == [123456, 7000000]
    assert "Llanfairpwll" in read.column("town").categories


def test_a_line_without_a_blank_where_columns_part_is_told(write: Write) -> None:
    read = read_table(write(HEADER + rows(30_000) + "x" * 60 + "\n" + row(1), "t.txt"))
    assert "1 line with too few fields, filled up with missing values (first line 30001)." in said(read)


def test_aligned_columns_can_be_chosen_and_refused(write: Write) -> None:
    path = write("a      b\n" + "".join(f"{i}      {i}\n" for i in range(1, 10)), "t.txt")
    assert separator_of("aligned") == ALIGNED
    assert preview(path).doubts == ()
    assert read_table(path, options=ReadOptions(separator=ALIGNED)).names == ("a", "b")
    path = write(HEADER + rows(30), "u.txt")
    assert read_table(path, options=ReadOptions(separator=",")).names == (HEADER.strip(),)


@pytest.mark.parametrize("text", ["", "\n \n", "a\nb\nc\nd\ne\n", "a  b\n" * 3, 'a  "b\n' * 9, "  \n" * 9])
def test_what_is_not_aligned_has_no_gaps(text: str) -> None:
    assert find_gaps(text) == ()


def test_tables_in_frames_and_with_names_of_rows_are_no_aligned_columns(write: Write) -> None:
    """As MySQL and R print them."""
    frame = "+----+------+\n"
    body = "".join(f"| {i:2} | {i:>4} |\n" for i in range(1, 13))
    framed = read_table(write(frame + "| id | v    |\n" + frame + body + frame, "t.txt"))
    assert {"id", "v"} <= set(framed.names)
    assert [framed.column(name).values[-1] for name in ("id", "v")] == [12, 12]
    printed = "  Sepal.Length Species\n" + "".join(f"{i:<3}       5.{i % 10}  setosa\n" for i in range(1, 13))
    read = read_table(write(printed, "u.txt"))
    assert read.names == ("row name", "Sepal.Length", "Species")
    assert read.column("Sepal.Length").values[0] == np.float32(5.1)
