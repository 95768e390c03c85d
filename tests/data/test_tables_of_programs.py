"""Tables as other programs write them, with habits of their own."""

from __future__ import annotations

import tarfile
import zipfile
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.data.making import labels_of, said
from workbench.data.readers.options import ReadOptions
from workbench.data.reading import preview, read_table
from workbench.data.roles import guess_roles
from workbench.data.values import numerals
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.data.making import Write

BODY = "".join(f"{n},{n * 2.5},{n * n}\n" for n in range(30))


@pytest.mark.parametrize("units", ["s,m/s,kg", "s,,kg", "[s],[m/s],[kg]", "(s),(m/s),(kg)", "<i>,<d>,<d>"])
def test_a_line_of_units_below_the_names_is_left_out_and_asked_about(write: Write, units: str) -> None:
    path = write(f"time,speed,mass\n{units}\n{BODY}")
    read = read_table(path)
    assert (read.n_rows, {column.kind for column in read.columns}) == (30, {"number"})
    assert "as units do. Line 2 is left out." in said(read)
    seen = preview(path)
    assert seen is not None
    assert {guess.option for guess in seen.doubts} == {"units"}
    kept = ReadOptions(units=False)
    assert (read_table(path, options=kept).n_rows, preview(path, kept).table.n_rows) == (31, 31)
    assert "units" not in {guess.option for guess in preview(path, kept).doubts}


@pytest.mark.parametrize("cells", ["(S),(S),(S)", "(S),(D),(X)", "(5.50),(S),(S)"])
def test_a_row_of_gaps_in_brackets_is_no_line_of_units(write: Write, cells: str) -> None:
    assert read_table(write(f"time,speed,mass\n{cells}\n{BODY}")).n_rows == 31


def test_the_line_below_the_names_is_left_out_where_it_is_to_be(write: Write) -> None:
    path = write(f"time,speed,mass\nx,2,3\n{BODY}")
    assert read_table(path, options=ReadOptions(units=True)).n_rows == 30


@pytest.mark.parametrize("first", ["a,n.v.,3", "x,2,3", "NA,NA,NA", "-,-,-"])
def test_a_first_row_with_texts_among_numbers_is_kept(write: Write, first: str) -> None:
    assert read_table(write(f"time,speed,mass\n{first}\n{BODY}")).n_rows == 31


def test_rules_of_printed_tables_are_no_rows(write: Write) -> None:
    rows = "".join(f" {n:2d} | ab{n % 3}\n" for n in range(30))
    read = read_table(write(f" id | name\n----+-------\n{rows}(30 rows)\n", "t.txt"))
    assert (read.names, read.n_rows) == (("id", "name"), 30)
    rows = "".join(f"{n:<4}{n / 4:<7}\n" for n in range(30))
    read = read_table(write(f"n   x\n--- ------\n{rows}--- ------\n", "t.txt"))
    assert (read.names, read.n_rows, read.column("x").kind) == (("n", "x"), 30, "number")


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n",
         "a pointer to a table that Git LFS keeps elsewhere"),
        ("<!DOCTYPE html>\n<html><body>a, b, c</body></html>\n", "a web page"),
        ("<html>\n<body>1,2</body>\n", "a web page"), ("<?xml version='1.0'?>\n<r>1</r>\n", "XML"),
        ('[1, 2.5, "a"]\n[2, 3.5, "b"]\n', "JSON"), ("[null, 1]\n[2, 3]\n", "JSON"), ("[]\n", "JSON"),
        ("-- dump\nSET x = 1;\n\nINSERT INTO t VALUES (1,2);\n" * 3, "statements of SQL"),
        ("COPY public.t (id, k) FROM stdin;\n1\t2\n2\t3\n\\.\n", "statements of SQL"),
        ("-[ RECORD 1 ]\nid | 1\n-[ RECORD 2 ]\nid | 2\n", "records with one value a line"),
        (f"{'*' * 27} 1. row {'*' * 27}\n  id: 0\nname: x\n", "records with one value a line"),
        ("- a: 1\n  b: 2\n- a: 3\n  b: 4\n", "YAML"),
        ("%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 5\n2 2 6\n", "a sparse matrix"),
        ('{| class="wikitable"\n! a !! b\n|-\n| 1 || 2\n|}\n', "a page of a wiki"),
        ("% made by weka\n@relation t\n@attribute x numeric\n@data\n1\n", "an ARFF table"),
    ],
)  # fmt: skip
def test_other_languages_are_named(write: Write, content: str, what: str) -> None:
    with pytest.raises(WorkbenchError, match=f"holds {what}, not a text table"):
        read_table(write(content))


@pytest.mark.parametrize("name", ["insert into", "copy", "create table", "- a: b"])
def test_names_like_statements_are_names(write: Write, name: str) -> None:
    rows = "".join(f"x{n % 3},{n}\n" for n in range(30))
    assert read_table(write(f"{name},b\n{rows}")).names == (name, "b")


def test_names_in_angle_brackets_are_names(write: Write) -> None:
    assert read_table(write("<DATE>,<OPEN>,<X>\n" + BODY)).names == ("<DATE>", "<OPEN>", "<X>")
    assert read_table(write("[1],[2],[x]\n" + BODY)).names == ("[1]", "[2]", "[x]")


def test_errors_of_spreadsheets_are_missing(write: Write) -> None:
    cells = ["1.5", "#DIV/0!", "2", "#VALUE!", "none", "3"]
    column = read_table(write("x,y\n" + "".join(f"{cell},{n}\n" for n, cell in enumerate(cells)))).columns[0]
    np.testing.assert_array_equal(column.values, np.float32([1.5, np.nan, 2, np.nan, np.nan, 3]))
    assert labels_of(read_table(write("c,x\nred,1\nnone,2\n")).columns[0]) == ["red", "none"]


def test_marks_within_joined_files_are_no_text(write: Write) -> None:
    part = "\ufeffx,y\n" + "".join(f"{n},{n % 3}\n" for n in range(30))
    read = read_table(write(part + part))
    assert (read.n_rows, read.column("x").kind) == (60, "number")
    assert "left out as repeated headers (first line" in said(read)


def test_the_index_that_pandas_writes_is_no_feature(write: Write) -> None:
    for name in ("", "Unnamed: 0"):
        read = read_table(write(f"{name},x,y\n" + BODY))
        assert guess_roles(read)[read.names[0]] == "ignore"


@pytest.mark.parametrize("mark", ["#", ";", "//", "%", "!"])
def test_remarks_above_the_rows_may_have_as_many_commas(write: Write, mark: str) -> None:
    read = read_table(write(f"{mark} by Ann, Ben,\n{mark}\n{mark} and Cid\na,b,c\n{BODY}"))
    assert (read.n_rows, read.names, read.column("a").kind) == (30, ("a", "b", "c"), "number")
    assert "3 lines at the start left out as comments (first line 1)" in said(read)
    with_texts = "a,b,c\n" + "".join(f"{n},{n},{'x; y' if n % 4 == 0 else 'z'}\n" for n in range(30))
    assert read_table(write(f"{mark} by Ann, Ben\n{mark}\n{with_texts}")).names == ("a", "b", "c")
    bare = read_table(write(f"{mark} by Ann, Ben\n{mark}\n" + "0.1,0.2,0.3\n0.2,0.4,0.1\n" * 9))
    assert (bare.n_rows, bare.column("column 1").kind) == (18, "number")


@pytest.mark.parametrize("name", ["inf", "2020"])
def test_a_rule_below_an_index_without_a_name_is_no_line_of_names(write: Write, name: str) -> None:
    read = read_table(write(f",year,{name},{'2021' if name == '2020' else 'gdp'}\n---,---,---,---\n"
                            + "".join(f"{n},{1990 + n},{n * 0.5},{n}\n" for n in range(20))))  # fmt: skip
    assert (read.n_rows, read.names[:3]) == (20, ("column 1", "year", name))


def test_names_may_begin_as_remarks_do(write: Write) -> None:
    rows = "".join(f"n{i}; {i}; {i % 3}\n" for i in range(30))
    assert read_table(write("; a; b\n" + rows)).names == ("column 1", "a", "b")
    assert read_table(write("; a; b\n; x; y\n" + rows)).names == ("column 1", "a x", "b y")
    for name in ("% of all", "! new", "//x"):
        assert read_table(write(f"{name},b,c\n" + BODY)).names[0] == name
    assert read_table(write("// x,b\n" + "// y,1\n// z,2\n" * 15)).n_rows == 30


def test_a_row_that_begins_with_a_number_sign_is_one_below_other_remarks(write: Write) -> None:
    read = read_table(write("; made by hand\nunit,n,y\n" + "7,1,2\n8,2,3\n#9,3,4\n" * 10))
    assert (read.n_rows, "left out as comments (first line 5)" in said(read)) == (30, False)


@pytest.mark.parametrize("mark", ["#", "//", "% "])
def test_remarks_between_rows_are_left_out(write: Write, mark: str) -> None:
    read = read_table(write(f"a,b,c\n{BODY}{mark} a pause\n{BODY}"))
    assert (read.n_rows, read.column("a").kind) == (60, "number")
    assert "1 line left out as comments (first line 32)" in said(read)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("3/14/2020 1:05 PM", "2020-03-14T13:05"), ("3/14/2020 12:30:30 AM", "2020-03-14T00:30:30"),
        ("2020-03-14 12:00 p.m.", "2020-03-14T12:00"), ("Mar 14, 2020, 3:00 am", "2020-03-14T03:00"),
        ("14.03.20", "2020-03-14"), ("14.03.85 08:15", "1985-03-14T08:15"),
    ],
)  # fmt: skip
def test_dates_with_halves_of_days_and_short_years(write: Write, text: str, moment: str) -> None:
    read = read_table(write(f'day,x\n"{text}",1\n"{text}",2\n'))
    days = (np.datetime64(moment, "s") - np.datetime64("1970-01-01", "s")) / np.timedelta64(1, "D")
    assert read.column("day").kind == "date"
    np.testing.assert_allclose(read.column("day").values, np.float32(days))


def test_codes_of_currencies_are_left_out_and_said(write: Write) -> None:
    read = read_table(write("a;b\n1.200,50 EUR;USD 3\n3 EUR;USD 1,200.5\n0,5 EUR;-USD 7\n"))
    np.testing.assert_array_equal(read.column("a").values, np.float32([1200.5, 3, 0.5]))
    np.testing.assert_array_equal(read.column("b").values, np.float32([3, 1200.5, -7]))
    assert "the sign EUR is left out" in said(read)


def test_the_one_table_of_an_archive_is_read_and_the_rest_named(tmp_path: Path) -> None:
    path = tmp_path / "t.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("README.txt", "Read me first.\n")
        archive.writestr("in/data.csv", "a,b,c\n" + BODY)
    read = read_table(path)
    assert read.names == ("a", "b", "c")
    assert "'in/data.csv' is read; the archive also has 'README.txt'." in said(read)
    seen = preview(path)
    assert seen is not None
    guess = seen.guess("part")
    assert guess is not None
    assert (seen.table.names, guess.value, guess.doubtful) == (read.names, "in/data.csv", True)
    with pytest.raises(WorkbenchError, match="has a header but no rows"):
        read_table(path, options=ReadOptions(part="README.txt"))


@pytest.mark.parametrize("first", ["1", "Jan 1"])
def test_tabs_among_spaces_separate_too(write: Write, first: str) -> None:
    rows = "".join(f'{n:<5}{n / 4:<9}  {n % 3}\t"{first} {n % 4}"\n' for n in range(30))
    read = read_table(write("n\tx\tgroup  name\n" + rows, "t.data"))
    assert (read.names, read.n_rows) == (("n", "x", "group", "name"), 30)
    assert [column.kind for column in read.columns] == ["number", "number", "number", "category"]


@pytest.mark.parametrize("names", [",1,2,3", '"",142.2,144.7,147.3'])
def test_ascending_numbers_behind_an_empty_cell_are_names(write: Write, names: str) -> None:
    read = read_table(write(f"{names}\n" + "".join(f"{n / 4},{n % 5},0,{n % 3}\n" for n in range(20))))
    assert (read.n_rows, read.names[1:]) == (20, tuple(names.split(",")[1:]))


def test_single_quotes_round_names_are_no_part_of_them(write: Write) -> None:
    assert read_table(write("'a'\t'b c'\t'y'\n" + BODY.replace(",", "\t"))).names == ("a", "b c", "y")


@pytest.mark.parametrize(
    ("texts", "days"),
    [
        (["1949-02", "1950-12"], ["1949-02-01", "1950-12-01"]), (["2/2015"], ["2015-02-01"]),
        (["Jan 2015", "Sept. 2014"], ["2015-01-01", "2014-09-01"]), (["2015M03"], ["2015-03-01"]),
        (["1974Q1", "1975q4"], ["1974-01-01", "1975-10-01"]), (["Q2 2011"], ["2011-04-01"]),
        (["Apr-1-1995"], ["1995-04-01"]),
    ],
)  # fmt: skip
def test_months_and_quarters_are_dates(write: Write, texts: list[str], days: list[str]) -> None:
    column = read_table(write("when,x\n" + "".join(f"{text},1\n" for text in texts))).columns[0]
    assert column.kind == "date"
    np.testing.assert_array_equal(column.values, np.float32(np.array(days, "datetime64[D]").astype(float)))


@pytest.mark.parametrize("texts", [["2003-04", "2004-05"], ["1920-21", "1921-22"], ["2015-13", "2015-14"]])
def test_seasons_and_numbers_of_parts_are_no_months(write: Write, texts: list[str]) -> None:
    read = read_table(write("when,x\n" + "".join(f"{text},{n}\n" for n, text in enumerate(texts))))
    assert read.column("when").kind == "category"


@pytest.mark.parametrize(
    ("above", "separator"),
    [("##format=4\n#CHROM\tPOS\tREF\n", "\t"), ("# a station\n# STN, FG, TG\n\n", ","), ("# x y z\n", " ")],
)
def test_a_comment_with_as_many_fields_names_the_columns(write: Write, above: str, separator: str) -> None:
    names = above.strip().split("\n")[-1].strip("# ").replace(",", " ").split()
    rows = [separator.join((f"{i}", f"{i}.5", "7")) for i in range(12)]
    read = read_table(write(above + "\n".join(rows)))
    assert (list(read.names), read.n_rows) == (names, 12)
    assert "The comment above the table names the columns." in said(read)


@pytest.mark.parametrize(("above", "separator"), [
    ("#Software: IIS\n#Version: 1.0\n#Fields: date time-taken sc-status\n", " "),
    ("#separator \\x09\n#fields\tdate\ttime-taken\tsc-status\n#types\ttime\tinterval\tcount\n", "\t"),
    ("# Columns: date, time-taken, sc-status\n# of a station\n", " "),
])  # fmt: skip
def test_a_comment_that_says_so_names_the_columns(write: Write, above: str, separator: str) -> None:
    rows = [separator.join((f"2024-03-{i + 1:02}", f"{i}.5", "200")) for i in range(12)]
    read = read_table(write(above + "\n".join(rows)))
    assert (read.names, read.n_rows) == (("date", "time-taken", "sc-status"), 12)
    assert "The comment above the table names the columns." in said(read)


def test_a_number_sign_alone_is_the_name_of_the_first_column(write: Write) -> None:
    read = read_table(write("#,name,power\n" + "".join(f"{i},n{i % 5},{i * 3}\n" for i in range(1, 30))))
    assert (read.names, read.n_rows) == (("#", "name", "power"), 29)
    assert guess_roles(read)["#"] == "ignore"


@pytest.mark.parametrize("above", ["# made by hand\n", "# 1,2,3\n", "# a,a,b\n"])
def test_other_comments_name_nothing(write: Write, above: str) -> None:
    read = read_table(write(above + "".join(f"{i},{i}.5,7\n" for i in range(12))))
    assert read.names == ("column 1", "column 2", "column 3")


def test_small_numbers_with_a_decimal_comma_are_no_thousands(write: Write) -> None:
    """Alone in a column, 0,001 to 0,012 were once read as 1 to 12."""
    read = read_table(write("nm;A\n" + "".join(f"{400 + i},0;0,{i:03}\n" for i in range(1, 13))))
    np.testing.assert_allclose(read.column("A").values, np.arange(1, 13) / 1000, rtol=1e-6)
    assert numerals.parse(["0.125", "1,5"]) is None


def test_years_over_columns_of_texts_and_gaps_are_names(write: Write) -> None:
    """As Eurostat and the World Bank have them, with flags behind numbers and columns without any."""
    rows = "".join(f"C{i}\t{i}.5 \t{i}.7 b\t\n" for i in range(12))
    read = read_table(write("geo\t2019 \t2020 \t2021 \n" + rows))
    assert read.names == ("geo", "2019", "2020", "2021")
    assert read.n_rows == 12


def test_what_offices_write_for_gaps_and_below_a_table_is_known(write: Write) -> None:
    rows = "".join(f"Land {i};{i}000;R$ 1.{i:03},50\n" for i in range(1, 10))
    below = "__________\n(C) Office of statistics, 2024\n"
    read = read_table(write("land;n;wert\nX;:;R$ 5,00\nY;/;R$ 7,00\nZ;****;R$ 8,00\n" + rows + below))
    assert read.n_rows == 12
    assert (read.column("n").kind, read.column("n").missing) == ("number", 3)
    assert read.column("wert").values[3] == np.float32(1001.5)


@pytest.mark.parametrize("head", ["", "id\x01kind\x01x\n"])
def test_hives_separator_is_found_and_can_be_chosen(write: Write, head: str) -> None:
    rows = "".join(f"{n}\x01k{n % 3}\x02m\x03n\x01{n / 2}\n" for n in range(29)) + "29\x01\\N\x01\\N\n"
    path = write(head + rows, "000000_0.txt")
    for options in (ReadOptions(), ReadOptions(separator="\x01")):
        read = read_table(path, options=options)
        assert (read.n_rows, [c.kind for c in read.columns]) == (30, ["number", "category", "number"])
        assert [c.missing for c in read.columns] == [0, 1, 1]
    seen = preview(path)
    assert seen is not None
    guess = seen.guess("separator")
    assert guess is not None
    assert "control character 1" in guess.reason


@pytest.mark.parametrize("rule", ["***,*****,****", "***************", "~~~~,~~~~,~~~~"])
def test_a_rule_of_stars_below_the_names_is_no_row(write: Write, rule: str) -> None:
    read = read_table(write(f"time,speed,mass\n{rule}\n{BODY}"))
    assert (read.n_rows, read.names) == (30, ("time", "speed", "mass"))
    assert [column.missing for column in read.columns] == [0, 0, 0]


@pytest.mark.parametrize("groups", ["speed,speed,mass", "speed,,mass"])
@pytest.mark.parametrize("rule", ["", "---,---,---,---\n"])
def test_names_in_two_lines_are_joined_and_said(write: Write, groups: str, rule: str) -> None:
    rows = "".join(f"2020-01-{n + 1:02d},{n},{n * 2},{n * n}\n" for n in range(30))
    read = read_table(write(f"day,{groups}\n,mean,sd,mean\n{rule}{rows}"))
    assert read.names == ("day", "speed mean", "speed sd", "mass mean")
    assert read.n_rows == 30
    assert "The names stand in several lines and were joined." in said(read)


def test_the_lines_of_names_that_pandas_writes_are_joined(write: Write) -> None:
    head = ",price,price,volume\n,A,B,A\nday,,,\n"
    rows = "".join(f"2020-01-{n + 1:02d},{n},{n * 2},{n * n}\n" for n in range(30))
    read = read_table(write(head + rows))
    assert read.names == ("day", "price A", "price B", "volume A")
    assert (read.n_rows, read.column("day").kind) == (30, "date")


def test_names_in_two_lines_over_an_index_are_joined(write: Write) -> None:
    read = read_table(write(",p,p,q\n,k,x,y\n" + "".join(f"{n},a{n % 3},{n / 2},{n}\n" for n in range(30))))
    assert (read.names, read.n_rows) == (("column 1", "p k", "p x", "q y"), 30)
    assert "The names stand in several lines and were joined." in said(read)


@pytest.mark.parametrize("rows", [6, 10, 40])
def test_a_short_listing_with_bars_is_not_cut_at_blanks(write: Write, rows: int) -> None:
    body = "".join(f" {n:2} | {n % 7} \n" for n in range(rows))
    read = read_table(write(f" id | v \n----+---\n{body}({rows} rows)\n\nTime: 1.234 ms\n", "t.txt"))
    assert (read.names, read.n_rows) == (("id", "v"), rows)


def test_units_below_names_that_differ_are_not_joined(write: Write) -> None:
    assert read_table(write(f"time,speed,mass\ns,m/s,kg\n{BODY}")).names == ("time", "speed", "mass")


def test_lines_of_units_and_kinds_of_a_logger_without_its_preamble_are_no_rows(write: Write) -> None:
    rows = "".join(f'"2024-01-01 {n:02d}:00:00";{n};{n / 2}\n' for n in range(24))
    head = '"TIMESTAMP";"RECORD";"Temp_Avg"\n"TS";"RN";"Deg C"\n"";"";"Avg"\n'
    read = read_table(write(head + rows))
    assert (read.names, read.n_rows) == (("TIMESTAMP", "RECORD", "Temp_Avg"), 24)
    assert [column.kind for column in read.columns] == ["date", "number", "number"]


def test_short_rules_of_markdown_are_no_rows(write: Write) -> None:
    rows = "".join(f"| x{n % 3} | {n} |\n" for n in range(24))
    read = read_table(write(f"| a | b |\n|:--|--:|\n{rows}", "t.md"))
    assert (read.names, read.n_rows, read.column("b").kind) == (("a", "b"), 24, "number")


@pytest.mark.parametrize("head", ["id  x   y\n--  --  -\n", "id|x|y\n--|-|-\n", "id,x,x\n==,=,=\n"])
def test_a_rule_below_short_names_is_no_row(write: Write, head: str) -> None:
    gap = {" ": "  ", "|": "|", ",": ","}[head[2]]
    rows = "".join(gap.join((f"{10 + i}", f"{i}.5", f"{i % 2}")) + "\n" for i in range(24))
    read = read_table(write(head + rows))
    assert (read.n_rows, [column.kind for column in read.columns]) == (24, ["number"] * 3)
    assert not any(column.missing for column in read.columns)
    assert "A rule stands below the names. Line 2 is left out." in said(read)


def test_rows_of_dashes_that_recur_are_missing_values(write: Write) -> None:
    read = read_table(write("id,x,y\n" + "--,--,--\n1,2,3\n" * 12))
    assert (read.n_rows, read.column("x").missing) == (24, 12)


def test_what_a_database_says_below_a_printed_table_is_no_row(write: Write) -> None:
    rows = "".join(f"{n:<11} n{n % 3:<9} {n * 2:<11}\r\n" for n in range(24))
    head = "id          name       x\r\n----------- ---------- -----------\r\n"
    below = "\r\n(24 rows affected)\r\n\r\nCompletion time: 2024-01-01T10:00:00\r\n"
    read = read_table(write(head + rows + below, "t.rpt"))
    assert (read.names, read.n_rows) == (("id", "name", "x"), 24)


def test_a_cycler_that_found_nothing_leaves_a_gap_among_numbers(write: Write) -> None:
    rows = "".join(f"A{n},{'Undetermined' if n % 6 == 0 else 20 + n / 5}\n" for n in range(24))
    read = read_table(write(f"Well,CT\n{rows}"))
    assert (read.column("CT").kind, read.column("CT").missing) == ("number", 4)
    assert "4 cells are missing (code Undetermined), first in row 1." in said(read)


def test_the_sign_by_which_dos_ends_a_file_is_no_row(write: Write) -> None:
    for encoding in ("utf-8", "cp850"):
        read = read_table(write(("Straße,x\n" + "Köln,1\nMüll,2\n" * 9).encode(encoding) + b"\x1a"))
        assert (read.n_rows, read.column("x").missing) == (18, 0)


def test_fields_filled_up_with_nul_bytes_are_text(write: Write) -> None:
    rows = "".join(f"{i}\0\0\0,{'ab'[i % 2]}\0\0\0\0\0\0\0\n" for i in range(20))
    read = read_table(write("id\0\0,name\0\0\n" + rows))
    assert read.names == ("id", "name")
    assert read.column("name").categories == ("a", "b")
    assert "204 NUL bytes are left out" in said(read)


def test_spaces_part_numbers_though_a_tab_stands_before_the_last_text(write: Write) -> None:
    rows = "".join(f'{i}.0   8   {300 + i}.0      70  1\t"car {"ab"[i % 2]}"\n' for i in range(20))
    read = read_table(write(rows, "auto.data"))
    assert [column.kind for column in read.columns] == ["number"] * 5 + ["category"]
    assert read.columns[5].categories == ("car a", "car b")
    text = "".join(f"text {i} here\tother {i % 2} words\n" for i in range(20))
    assert len(read_table(write("a\tb\n" + text)).columns) == 2


def test_doubled_semicolons_are_one_separator(write: Write) -> None:
    assert read_table(write("a;;b;;c\n" + "1;;x;;2\n3;;y;;4\n" * 9)).names == ("a", "b", "c")


def test_an_archive_of_tar_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    for name, mode in (("t.tar", "w"), ("t.tgz", "w:gz")):
        with tarfile.open(tmp_path / name, mode) as archive:
            archive.add(tmp_path / "t.csv", "t.csv")
        with pytest.raises(WorkbenchError, match="an archive of tar, which cannot be read here"):
            read_table(tmp_path / name)


def test_a_separator_that_stands_in_quotes_only_is_none(write: Write) -> None:
    rows = [f'10.0.0.{n} [{n}] "GET /{n % 5} HTTP" {n * 7} "Mozilla (X11; Linux)"\n' for n in range(40)]
    read = read_table(write("".join(rows), "access.log"))
    assert len(read.names) == 5
    assert read.columns[3].values.tolist() == [n * 7 for n in range(40)]


def test_a_line_above_names_that_are_years_is_a_title(write: Write) -> None:
    rows = "".join(f"r{n},{n},{n * 2},{n * 3}\n" for n in range(20))
    read = read_table(write(f"Sum of Amount,Column Labels,,\nRow Labels,2021,2022,Total of all\n{rows}"))
    assert (read.names, read.n_rows) == (("Row Labels", "2021", "2022", "Total of all"), 20)
    assert "1 line above the table is left out ('Sum of Amount Column Labels')" in said(read)


ENDED = "a,b,y\n" + "".join(f"{n},{n * 2},{n % 2},\n" for n in range(30))


@pytest.mark.parametrize("text", [ENDED, ENDED.replace("y", "y,")])
def test_an_empty_column_behind_a_last_separator_is_left_out_and_said(write: Write, text: str) -> None:
    read = read_table(write(text))
    assert (read.names, read.n_rows) == (("a", "b", "y"), 30)
    assert "Every row ends with an empty field that has no name, and is left out." in said(read)
    assert "column 4" not in said(read)
    seen = preview(write(text))
    assert seen is not None
    assert (seen.table.names, len(seen.texts)) == (("a", "b", "y"), 3)


@pytest.mark.parametrize("cell", ["x", "5"])
def test_a_column_behind_the_header_stays_where_a_cell_of_it_is_filled(write: Write, cell: str) -> None:
    path = write(ENDED + "9,9,9,\n" * 100_000 + f"7,7,7,{cell}\n" + "9,9,9,\n" * 50)
    for options in (ReadOptions(), ReadOptions(sample_rows=5)):
        read = read_table(path, options=options)
        assert read.names == ("a", "b", "y", "column 4")
        assert "Columns without a name are called after their place (column 4)." in said(read)


@pytest.mark.parametrize(
    "options", [ReadOptions(sample_rows=5), ReadOptions(kinds=(("column 4", "category"),))]
)
def test_an_empty_last_column_is_left_out_of_a_sample_but_not_where_it_is_wanted(
    write: Write, tmp_path: Path, options: ReadOptions
) -> None:
    wanted = ("a", "b", "y", "column 4") if options.kinds else ("a", "b", "y")
    assert read_table(write(ENDED), options=options).names == wanted
    mapped = ReadOptions(map_folder=str(tmp_path), kinds=options.kinds)
    assert read_table(write(ENDED), options=mapped).names == wanted


@pytest.mark.parametrize(
    ("head", "row", "doubted"),
    [
        ("k,x", "a{0},{1},5", True), ("v", "{1},5", True), ("k,x", "n{1},{0},5", False),
        ("k,x", "n{1},{0},", True), ("k,x", "a{0},{1},", False), ("k,x", "{1},{0},", False),
    ],
)
def test_row_names_that_may_be_none_are_asked_about(
    write: Write, head: str, row: str, doubted: bool
) -> None:
    path = write(head + "\n" + "".join(row.format(n % 3, n) + "\n" for n in range(30)))
    for options in (ReadOptions(), ReadOptions(header=True)):
        seen = preview(path, options)
        assert seen is not None
        assert seen.table.names == (("row name", *head.split(",")) if row[-1] == "5" else ("k", "x"))
        found = "header" in {doubt.option for doubt in seen.doubts}
        assert found == (doubted and options.header is None)
