"""What stands above a table is no part of it; where the table begins is said, and can be chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.data.making import said
from workbench.data.readers.options import ReadOptions
from workbench.data.reading import preview, read_table
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from tests.data.making import Write

HEAD = "region,n,amount,q\n"
ROWS = "".join(f"{region},{n},{n * 3.5},{n % 7}\n" for n, region in enumerate(["north", "south", "east"] * 8))
TITLES = [
    "Report of 2020\n", "Report of 2020\n\n", "Report of 2020,,,\n", "Report of 2020,,,\nby us,,,\n,,,\n",
    "Report of 2020\nUnits: kEUR, thousands\n", "Report, in full, of all, that is, known, by us\n\n",
    "Date:,2020-01-31,,\nMade by:,us,,\n\n", '"Report\nof 2020"\n', "\n\nReport of 2020\n# a remark\n",
]  # fmt: skip


@pytest.mark.parametrize("titles", TITLES)
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_titles_are_left_out_and_said(write: Write, titles: str, separator: str) -> None:
    path = write((titles + HEAD + ROWS).replace(",", separator))
    read = read_table(path)
    assert (read.names, read.n_rows) == (("region", "n", "amount", "q"), 24)
    assert [column.kind for column in read.columns] == ["category", "number", "number", "number"]
    line = titles.count("\n") + 1
    assert f"above the table {'is' if '1 line' in said(read) else 'are'} left out ('" in said(read)
    assert f"it begins in line {line}." in said(read)
    seen = preview(path)
    assert seen is not None
    guess = seen.guess("first_line")
    assert guess is not None
    assert (guess.value, guess.doubtful) == (line, True)
    assert seen.lines[line - 1] == HEAD.strip().replace(",", separator)
    chosen = read_table(path, options=ReadOptions(first_line=line))
    assert (chosen.names, chosen.n_rows) == (read.names, 24)
    assert "above the table" not in said(chosen)


def test_names_only_below_a_gap_need_no_numbers_below(write: Write) -> None:
    read = read_table(write("My list\n\nname,town,team\n" + "ann,rome,red\nbob,oslo,blue\n" * 3))
    assert (read.names, read.n_rows) == (("name", "town", "team"), 6)


def test_a_table_without_names_below_a_title(write: Write) -> None:
    for options in (ReadOptions(), ReadOptions(header=False)):
        read = read_table(write("My numbers\n\n" + "7,2,3\n4,5,6\n" * 3), options=options)
        assert (read.names[0], read.n_rows) == ("column 1", 6)


@pytest.mark.parametrize(
    "content",
    [
        "a,b,c\n" + "x,1,2,3\n" * 9, "a,b\n1,2\n\n3,4\n", "name,\n" + "x,\ny,\n" * 5, ",,x\n1,2,3\n4,5,6\n",
        "a,b\n\n1,2\n3,4\n", "year\n2019\n2020\n",
    ],
)  # fmt: skip
def test_a_header_is_no_title(write: Write, content: str) -> None:
    assert "above the table" not in said(read_table(write(content)))


def test_a_header_that_is_too_short_is_still_refused(write: Write) -> None:
    with pytest.raises(WorkbenchError, match="Line 2 has 4 fields where 2 are expected"):
        read_table(write("a,b\n1,2,3,4\n5,6,7,8\n"))


def test_the_first_line_can_be_chosen(write: Write) -> None:
    path = write("a,b\n1,2\nc,d\n3,4\n5,6\n")
    assert read_table(path, options=ReadOptions(first_line=3)).names == ("c", "d")
    titled = write("Report\n" + HEAD + ROWS)
    with pytest.raises(WorkbenchError, match="Line 2 has 4 fields where 1 is"):
        read_table(titled, options=ReadOptions(first_line=1))
    with pytest.raises(WorkbenchError, match="has no rows"):
        read_table(titled, options=ReadOptions(first_line=99))
    with pytest.raises(WorkbenchError, match="is 1 or more, not 0"):
        ReadOptions(first_line=0)


@pytest.mark.parametrize("said_so", ["sep=;\n", '"sep=;"\n', "SEP=;\r\n"])
def test_the_file_may_say_its_separator(write: Write, said_so: str) -> None:
    path = write(said_so + "a;b,c\n1;2,5\n3;4,5\n")
    read = read_table(path)
    assert (read.names, read.n_rows) == (("a", "b,c"), 2)
    seen = preview(path)
    assert seen is not None
    assert "separator" not in {guess.option for guess in seen.doubts}


def test_a_first_line_that_counts_rows_and_names_classes_is_a_title(write: Write) -> None:
    rows = "".join(f"{n / 4},{n % 5},{n % 3},2,{n % 2}\n" for n in range(30))
    read = read_table(write("30,benign\n" + rows))
    assert (read.n_rows, read.names[0]) == (30, "column 1")
    assert "1 line above the table is left out ('30 benign'); it begins in line 2." in said(read)


def test_a_last_separator_in_the_line_of_names_makes_no_column(write: Write) -> None:
    read = read_table(write("Id: 7\nMade by: us\n\nplace,year,value,\n" + "oslo,2001,3.5\nrome,2002,4\n" * 9))
    assert (read.names, read.n_rows) == (("place", "year", "value"), 18)
    assert "too few fields" not in said(read)


def test_groups_above_names_that_recur_become_a_part_of_them(write: Write) -> None:
    rows = "".join(f"{i},{i * 2},{i * 3},{i * 4}\n" for i in range(20))
    read = read_table(write("Plot A,,Plot B,\nx,y,x,y\n" + rows))
    assert read.names == ("Plot A x", "Plot A y", "Plot B x", "Plot B y")
    assert "The names stand in several lines and were joined" in said(read)
    assert read_table(write("Plot A,,Plot B,\nx,y,z,u\n" + rows)).names == ("x", "y", "z", "u")
    assert read_table(write("Plots of May,,,\nx,y,x,y\n" + rows)).names == ("x", "y", "x (2)", "y (2)")


@pytest.mark.parametrize("again", ['"id","colour"', "id, colour", "id,colour"])
def test_names_that_recur_in_quotes_or_with_blanks_are_no_row(write: Write, again: str) -> None:
    rows = "".join(f"{i},{'ab'[i % 2]}\n" for i in range(20))
    read = read_table(write(f"id,colour\n{rows}{again}\n{rows}"))
    assert (read.n_rows, read.column("id").kind) == (40, "number")
    assert read.column("colour").categories == ("a", "b")
    assert "1 line left out as repeated headers (first line 22)" in said(read)


GROUPED = "".join(f"n{n},{n},{n * 2},{n * 3.5},{n % 7}\n" for n in range(10))


@pytest.mark.parametrize(("groups", "names", "first", "titles"), [
    (",2020,,2021,", "name,q1,q2,q1,q2", "name", 0),
    (",2020,2020,2021,2021", "name,q1,q2,q1,q2", "name", 0),
    ("Region,2020,,2021,", ",q1,q2,q1,q2", "Region", 0),
    ("My title,,,,\n,2020,,2021,", "name,q1,q2,q1,q2", "name", 1),
    ("My title\n\n,2020,2020,2021,2021", "name,q1,q2,q1,q2", "name", 1),
])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_years_above_names_are_a_part_of_them(
    write: Write, groups: str, names: str, first: str, titles: int, separator: str
) -> None:
    path = write(f"{groups}\n{names}\n{GROUPED}".replace(",", separator))
    read = read_table(path)
    assert read.names == (first, "2020 q1", "2020 q2", "2021 q1", "2021 q2")
    assert read.n_rows == 10
    assert "The names stand in several lines and were joined." in said(read)
    assert ("left out" in said(read)) == bool(titles)
    seen = preview(path)
    assert seen is not None
    assert any(guess.option == "first_line" for guess in seen.doubts) == bool(titles)


def test_groups_are_joined_where_the_first_line_is_chosen(write: Write) -> None:
    path = write(f"a remark\n,2020,2020,2021,2021\nname,q1,q2,q1,q2\n{GROUPED}")
    assert read_table(path, options=ReadOptions(first_line=2)).names[1:3] == ("2020 q1", "2020 q2")


def test_names_that_differ_need_no_groups(write: Write) -> None:
    read = read_table(write(f",2020,2020,2021,2021\nname,q1,q2,q3,q4\n{GROUPED}"))
    assert read.n_rows in (10, 11, 12)  # the years are no names
    assert "2020 q1" not in read.names
