"""Totals, sources and remarks below a table are no rows; what may be a row is kept, and said."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.data.making import labels_of, said
from workbench.data.readers.options import ReadOptions
from workbench.data.reading import preview, read_table

if TYPE_CHECKING:
    from pathlib import Path

    from tests.data.making import Write
    from workbench.data.guess import Guess

HEAD = "region,n,amount,q\n"
ROWS = "".join(f"{region},{n},{n * 3.5},{n % 7}\n" for n, region in enumerate(["north", "south", "east"] * 8))
CLEAR = [
    "Total,,,1234", "TOTAL,276,966,70", "Grand total:,276,966.0,70", "Sum,276,,", "average,11.5,40.25,2.9",
    "Total (24 rows),276,966,70", "Total,276,n/a,70", '"Total","276","966","70"', "Gesamt,276,966,70",
    "Source: agency 2020", "Source: agency, the large one, 2020", "Source: agency 2020,,,", "\nSource agency",
    "Note: a, b, c, d, e and f", "(24 rows)", "\n(24 rows affected)", "24 rows in set (0.01 sec)",
    "Total rows: 24", "* preliminary", "© agency", "Exported on 2020-01-01", "Last updated: 2020-01-01,,,",
    "Subtotal,276,966,70\nTotal,276,966,70", "Total,276,966,70\n\nSource: agency\nNote: none",
    "Promedio,11.5,40.25,2.9",
    ",,,\n,,,\n", ",,,\nTotal,276,966,70\n,,,\n\n", "\nMade by the office\nwith care\n",
]  # fmt: skip


def footer(path: Path, options: ReadOptions | None = None) -> Guess:
    found = preview(path, options or ReadOptions())
    assert found is not None
    return next(guess for guess in found.guesses if guess.option == "footer")


@pytest.mark.parametrize("ending", CLEAR)
def test_what_is_clearly_no_row_is_left_out_and_said(write: Write, ending: str) -> None:
    path = write(HEAD + ROWS + ending)
    read = read_table(path)
    assert read.n_rows == 24
    assert [column.kind for column in read.columns] == ["category", "number", "number", "number"]
    assert read.column("n").missing == 0
    line = 26 + len(ending) - len(ending.lstrip("\n,"))
    assert f"line {line}: '" in said(read) or "without a value" in said(read)
    assert footer(path).doubtful
    if "\n" not in ending and ending.count(",") <= 3:
        kept = read_table(path, options=ReadOptions(footer=False))
        assert kept.n_rows == 25
        assert "below the table" not in said(kept)


ROWS_AFTER_ALL = [
    "south,12,3.5,1", "Total,a,b,c", "Total,,,", "total energy,5,6,7", "south,12", "south", "5", ",,,",
    "Totalitarian,5,6,7", "NA,5,6,7", "Mean street,1,2,3", "\nsouth,5,6,7", "Source of joy,5,6,7",
]  # fmt: skip


@pytest.mark.parametrize("ending", ROWS_AFTER_ALL)
def test_what_may_be_a_row_is_kept(write: Write, ending: str) -> None:
    assert read_table(write(HEAD + ROWS + ending)).n_rows == 25


@pytest.mark.parametrize("ending", ["Total of the north,5,6,7", "north or south of it", "total,5,6,7"])
def test_what_is_doubtful_is_kept_and_said_and_can_be_left_out(write: Write, ending: str) -> None:
    rows = ROWS + "total,3,4,5\nsouth,1,2,3\n"
    path = write(HEAD + rows + ending)
    read = read_table(path)
    assert (read.n_rows, footer(path).doubtful) == (27, True)
    assert f"Line 28, the last one, may be no row, but is kept: '{ending}'." in said(read)
    left = read_table(path, options=ReadOptions(footer=True))
    assert left.n_rows == 26
    assert f"1 line below the table is left out (line 28: '{ending}')." in said(left)
    assert not footer(path, ReadOptions(footer=True)).doubtful


def test_a_text_below_a_column_of_numbers_or_dates_is_no_row(write: Write) -> None:
    for first in ("1", "2020-01-31", "5.5%"):
        read = read_table(write("a;b\n" + f"{first};2\n" * 9 + "End\n"))
        assert (read.n_rows, read.column("b").missing) == (9, 0)


def test_a_single_column_has_no_footer(write: Write) -> None:
    assert labels_of(read_table(write("word\nred\nblue\nTotal\n")).columns[0]) == ["red", "blue", "Total"]


def test_text_in_quotes_over_several_lines_is_never_cut(write: Write) -> None:
    read = read_table(write('text,n\n"a\nTotal,5\nc",1\n"b\nSource: me\nTotal,7"\n'))
    assert labels_of(read.column("text")) == ["a\nTotal,5\nc", "b\nSource: me\nTotal,7"]


@pytest.mark.parametrize("packed", [False, True])
def test_the_end_of_a_long_file_is_found(write: Write, packed: bool) -> None:
    """Its blocks end where they will: also right above the last line."""
    body = "".join(f"{place},{place % 7},x\n" for place in range(400_000))
    content = f"a,b,c\n{body}\nTotal,1200000,\nSource: agency 2020\n".encode()
    read = read_table(write(gzip.compress(content, 1) if packed else content))
    assert read.n_rows == 400_000
    assert "2 lines below the table are left out (line 400003: 'Total,1200000,')." in said(read)
    np.testing.assert_array_equal(read.column("a").values, np.arange(400_000, dtype=np.float32))


def test_footers_of_workbooks_and_of_files_in_a_folder(tmp_path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    for row in (["Sales of 2020"], [], ["region", "n", "sold"], ["a", 1, 2], ["b", 3, None], ["Total", 4, 2]):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    read = read_table(tmp_path / "t.xlsx")
    assert (read.names, read.n_rows) == (("region", "n", "sold"), 2)
    assert "too few fields" not in said(read)
    for name in ("1.csv", "2.csv"):
        (tmp_path / name).write_text(f"Report of {name}\n\n{HEAD}{ROWS}Total,,,1234\n")
    read = read_table(tmp_path)
    assert read.n_rows == 48
    assert "2.csv: 1 line below the table is left out" in said(read)
    assert "2.csv: 1 line above the table is left out ('Report of 2.csv')" in said(read)


LONG_LINES = ["-" * 20_000 + "x", "rows: 1" + " ," * 20_000 + "x", "1" + " " * 90_000 + "x",
              "data from" + " " * 90_000 + "x", ": =" * 20_000 + "x"]  # fmt: skip


@pytest.mark.parametrize("line", LONG_LINES, ids=[line[:6] for line in LONG_LINES])
def test_a_long_line_at_either_end_is_judged_at_once(write: Write, line: str) -> None:
    """A search that goes back over what it has taken would not end."""
    read = read_table(write(f"a|b\n{line}|1\n" + "y|2\n" * 20 + f"{line}\n"))
    assert (read.names, read.n_rows) == (("a", "b"), 22)


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_what_stands_below_a_long_table_is_asked_about_before_it_is_read(write: Write, encoding: str) -> None:
    total = "Total (Größe),,,1234\n"
    path = write((HEAD + ROWS.replace("north", "nörd") * 400 + total).encode(encoding))
    seen = preview(path)
    assert seen is not None
    assert not seen.is_whole
    (doubt,) = (guess for guess in seen.doubts if guess.option == "footer")
    assert doubt.reason == "1 line below the table is left out ('Total (Größe),,,1234')."
    packed = path.with_name("t.csv.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    (guess,) = (guess for guess in preview(packed).guesses if guess.option == "footer")
    assert guess.reason.startswith("They are seen once all is read")


def test_a_category_that_is_called_like_a_total_is_no_question(write: Write) -> None:
    rows = "".join(f"{kind},{n},{n % 7}\n" for n in range(12) for kind in ("mean", "max", "Sum"))
    path = write(f"statistic,value,day\n{rows}")
    read = read_table(path)
    assert (read.n_rows, footer(path).doubtful) == (36, False)
    assert "may be no row" not in said(read)
    assert footer(write(f"statistic,value,day\n{rows}Total,9,3\n")).value is True


def test_what_stands_below_a_rule_is_no_row(write: Write) -> None:
    rows = "".join(f"{1900 + n} {n * 3.5} {n % 7}\n" for n in range(24))
    notes = "-----------\nNo values were\ntaken in 1905, but\nguessed from those beside them.\n"
    read = read_table(write("year  x  y\n" + rows + notes, "t.txt"))
    assert (read.n_rows, read.column("year").kind) == (24, "number")
    assert "4 lines below the table are left out (line 26" in said(read)
    assert read_table(write("year  x  y\n" + rows + "----\n1924 7 3\n", "t.txt")).n_rows > 24


@pytest.mark.parametrize("last", ["Total: all,276,--,500", "Average:,all,1.5,2"])
def test_a_total_with_gaps_or_texts_is_asked_about(write: Write, last: str) -> None:
    rows = "".join(f"c{n % 4},{n if last[0] == 'T' else 'x'},{n}.25,{n * 2}\n" for n in range(24))
    read = read_table(write(f"campaign,clicks,rate,cost\n{rows}{last}\n"))
    assert read.n_rows == 25
    assert f"Line 26, the last one, may be no row, but is kept: '{last}'." in said(read)


def test_a_text_in_quotes_over_several_lines_below_a_gap_is_no_row(write: Write) -> None:
    rows = "".join(f"a{n % 3},{n}\n" for n in range(30))
    read = read_table(write(f'k,n\n{rows}\n"Applied filters:\nYear is 2024\nRegion is all"\n'))
    assert (read.n_rows, read.column("k").categories) == (30, ("a0", "a1", "a2"))
    assert "1 line below the table is left out (line 33: '\"Applied filters:" in said(read)
    text = '"a text\nover lines"'
    assert read_table(write(f"k,n\n{rows}{text},5\n")).n_rows == 31
    assert read_table(write(f'k,n\n{rows}\n"5 inch,3\nx,"2\n')).n_rows == 31
