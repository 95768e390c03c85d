"""Separated text: what a person's file says is what the table holds."""

from __future__ import annotations

import bz2
import csv
import gzip
import hashlib
import io
import os
import struct
import subprocess
import sys
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.data.making import labels_of, said
from tests.examples import examples
from workbench.data.reading import read_table, with_chunks
from workbench.data.text.stream import text_stream
from workbench.errors import Cancelled, WorkbenchError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.data.making import Write

SOME = examples(60)


@pytest.fixture(params=[0, 1 << 40], ids=["kernels", "pandas"])
def few_lines(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, small_head: None) -> None:
    """Read a few lines at a time, and judge the columns by the first lines only, as in a large file."""
    monkeypatch.setattr("workbench.data.text.reading_plan.KERNEL_BYTES", request.param)
    monkeypatch.setattr("workbench.data.text.reading_plan.kernels_ready", lambda **_: False)
    monkeypatch.setattr(text_stream.TextStream.__init__, "__defaults__", (64,))


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", "  "])
def test_finds_the_separator(write: Write, separator: str) -> None:
    lines = ["a b c", "1 x 2.5", "3 y 4.5", "5 x 6.5"]
    read = read_table(write("\n".join(line.replace(" ", separator) for line in lines)))
    assert read.names == ("a", "b", "c")
    np.testing.assert_array_equal(read.column("c").values, np.float32([2.5, 4.5, 6.5]))
    assert labels_of(read.column("b")) == ["x", "y", "x"]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
)
def test_finds_the_encoding(write: Write, encoding: str) -> None:
    read = read_table(write("größe,stadt\n1,Zürich\n2,Århus\n".encode(encoding)))
    assert read.names == ("größe", "stadt")
    assert set(read.column("stadt").categories) == {"Zürich", "Århus"}
    assert ("no mark at its start" in said(read)) == (encoding in ("utf-16-le", "utf-16-be"))


def test_unmarked_utf16_of_other_scripts_is_text_and_numbers_of_a_program_are_not(write: Write) -> None:
    text = "город,θ\n" + "Москва,1\nĀdaži,2\n" * 40
    assert set(read_table(write(text.encode("utf-16-le"))).column("город").categories) == {"Москва", "Ādaži"}
    for data in (np.arange(900, dtype=np.int16).tobytes(), np.arange(900, dtype=np.int32).tobytes()):
        with pytest.raises(WorkbenchError, match="not a text table"):
            read_table(write(data))


def test_the_place_of_the_first_nul_is_told(write: Write) -> None:
    body = "12,34\r\n" * 40
    for encoding in ("utf-8", "utf-16"):
        read = read_table(write(f"a,größe\r\n1,2\r\nnö\0n,3\r\n\0,4\r\n{body}".encode(encoding)))
        assert "2 NUL bytes are left out, the first in line 3, character 3." in said(read)
    read = read_table(write("a,b\n" + "1,2\n" * 1_200_000 + "3,\x004\n"))
    assert "1 NUL byte is left out, the first in line 1200002, character 3." in said(read)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_make_no_difference(write: Write, end: str) -> None:
    read = read_table(write(end.join(["x,y", "1,a", "", "2,b", ""])))
    assert read.names == ("x", "y")
    assert labels_of(read.column("y")) == ["a", "b"]


def test_kinds_follow_the_values(write: Write) -> None:
    read = read_table(
        write(
            "n,c,yes_no,truth,day,bit\n"
            "1.5,red,yes,True,2024-01-31,0\n-2e3,blue,no,FALSE,2024-02-01,1\n,red,yes,true,1969-12-31,0\n"
        )
    )
    assert [column.kind for column in read.columns] == [
        "number", "category", "boolean", "boolean", "date", "number",
    ]  # fmt: skip
    assert read.column("yes_no").categories == ("no", "yes")
    assert read.column("truth").categories == ("false", "true")
    np.testing.assert_array_equal(read.column("day").values, [19753, 19754, -1])


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2012/01/02", 15341),
        ("02.01.2012", 15341),
        ("2-Jan-2012", 15341),
        ("2-Jan-12", 15341),
        ("02JAN2012", 15341),
        ("Jan 2, 2012", 15341),
        ("January 2, 2012 12:00", 15341.5),
        ("2 Sept 68", 36039),
        ("2/sep/69", -121),
        ("1/2/12", 15341),
        ("2012-01-02 12:00", 15341.5),
        ("2012-01-02T00:00:00Z", 15341),
        ("2012-01-02T01:00:00+01:00", 15341),
        ("9999-12-31", 2932896),
    ],
)
def test_dates_are_days_since_1970(write: Write, text: str, days: float) -> None:
    read = read_table(write(f'day,x\n"{text}",1\n"{text}",2\n'))
    assert read.column("day").kind == "date"
    np.testing.assert_array_equal(read.column("day").values, [days, days])


def test_the_rule_for_years_of_two_digits_is_told(write: Write) -> None:
    read = read_table(write("day,x\n12-Jan-85,1\n13-Feb-03,2\n"))
    days = [np.datetime64(day).astype(int) for day in ("1985-01-12", "2003-02-13")]
    np.testing.assert_array_equal(read.column("day").values, days)
    words = "Column 'day': years of two digits are read as 1969 to 2068 in 2 cells, first in row 1."
    assert words in said(read)
    both = read_table(write("day,x\n25/12/85,1\n03/04/03,2\n"))
    assert "a date is read as the day in 2 cells, first in row 1." in said(both)
    assert words in said(both)
    assert read_table(write("day,x\n12ABC85,1\n12XYZ03,2\n")).column("day").kind == "category"


def test_day_or_month_first_is_told_by_the_other_dates(write: Write) -> None:
    day_first = read_table(write("day,x\n03/04/2020,1\n25/12/2020,2\n"))
    month_first = read_table(write("day,x\n03/04/2020,1\n12/25/2020,2\n"))
    assert day_first.column("day").values[0] == 18355  # 3 April
    assert month_first.column("day").values[0] == 18325  # 4 March
    assert "day" in said(day_first)
    assert "month" in said(month_first)


@pytest.mark.parametrize("code", ["", " ", "NA", " N/A", "NaN ", "null", "None", "?"])
def test_missing_codes_are_missing_in_numbers_and_categories(write: Write, code: str) -> None:
    read = read_table(write(f"x,c,z\n1,a,1\n{code},{code},2\n3,b,3\n"))
    assert np.isnan(read.column("x").values).tolist() == [False, True, False]
    assert labels_of(read.column("c")) == ["a", None, "b"]
    if code.strip():
        assert f"1 cell is missing (code {code.strip()})" in said(read)


@pytest.mark.parametrize("gap", ["-", "--", ".", "k.A.", "k. A.", "n.a.", "NA", ""])
def test_gaps_among_decimal_commas_are_missing(write: Write, gap: str) -> None:
    cells = [f"{i},{i:02d}" for i in range(12, 62)] + [gap, "7", gap]
    lines = "\n".join(f"{i};{cell}" for i, cell in enumerate(cells))
    column = read_table(write(f"n;preis\n{lines}\n")).column("preis")
    assert (column.kind, column.missing) == ("number", 2)
    assert column.values[0] == np.float32(12.12)


@pytest.mark.parametrize(
    ("texts", "values", "words"),
    [
        (("12%", "7.5 %", "-3%"), (12, 7.5, -3), "the sign % is left out"),
        (("$1,200.50", "$3", "-$0.25"), (1200.5, 3, -0.25), "the sign $ is left out; a comma is read as"),
        (("(1,200.50)", "3", "(0.5)"), (-1200.5, 3, -0.5), "brackets are read as negative; a comma"),
        (("($1,200.50)", "$3", "$ (4)"), (-1200.5, 3, -4), "read as negative; the sign $ is left out"),
        (("(2 €)", "3,5 €", "(1) €"), (-2, 3.5, -1), "numbers in brackets are read as negative; the sign €"),
        (("1.200,50 €", "3 €", "0,5€"), (1200.5, 3, 0.5), "the sign € is left out; a comma is read"),
        (("123-", "4.5", "0.25-"), (-123, 4.5, -0.25), "a minus behind a number is its sign"),
        (("1.234,50-", "3,5", "7 -"), (-1234.5, 3.5, -7), "is its sign; a comma is read as the decimal"),
        (("$5-", "$1,200", "3-$"), (-5, 1200, -3), "its sign; the sign $ is left out; a comma"),
        (("12,34,567", "1,00,000.5", "5"), (1234567, 100000.5, 5), "as thousands and lakhs (12,34,567)"),
        (("₹1,23,45,678", "₹999", "₹1,000"), (12345678, 999, 1000), "the sign ₹ is left out; commas are"),
        (("1 234,5", "2,25", "1\u202f000"), (1234.5, 2.25, 1000), "a comma is read as the decimal point"),
    ],
)  # fmt: skip
def test_percent_currency_and_spaces_in_numbers(write: Write, texts: Any, values: Any, words: str) -> None:
    body = "\n".join(f"{text};x" for text in texts)
    read = read_table(write(f"price;z\n{body}\n"))
    np.testing.assert_array_equal(read.column("price").values, np.float32(values))
    assert all(part in said(read) for part in words.split("; "))


@pytest.mark.parametrize(
    "texts",
    [
        ("12%", "$3"), ("$3", "4"), ("$a", "$b"), ("%", "%"), ("(1999)", "(2001)"), ("(a)", "3"),
        ("1,23,4", "5"), ("5-", "6--"), ("1-2", "3-"),
    ],
)
def test_units_that_differ_stay_text(write: Write, texts: Any) -> None:
    body = "\n".join(f"{text};{n}" for n, text in enumerate(texts))
    assert read_table(write(f"price;z\n{body}\n")).column("price").kind == "category"


def test_without_a_header_columns_are_numbered(write: Write) -> None:
    read = read_table(write("1,2.5,a\n2,3.5,b\n3,1,a\n2,1,b\n"))
    assert read.names == ("column 1", "column 2", "column 3")
    assert read.n_rows == 4
    assert "no header" in said(read)


def test_years_as_names_are_names(write: Write) -> None:
    read = read_table(write("2019,2020,2021\n5,6.5,7\n8,9,10\n"))
    assert read.names == ("2019", "2020", "2021")
    assert read.n_rows == 2


def test_equal_and_empty_names_are_told_apart(write: Write) -> None:
    read = read_table(write("x,,x,x (2)\n1,2,3,4\n5,6,7,8\n"))
    assert read.names == ("x", "column 2", "x (3)", "x (2)")


def test_categories_are_in_natural_order(write: Write) -> None:
    read = read_table(write("c,x\nplot 10,1\nplot 2,2\nPlot 1,3\nz9,4\n"))
    assert read.column("c").categories == ("Plot 1", "plot 2", "plot 10", "z9")


def test_digit_codes_with_text_among_them_stay_text(write: Write) -> None:
    read = read_table(write("x,z\n1,0\n02,1\nabc,2\n"))
    assert read.column("x").kind == "category"
    assert set(read.column("x").categories) == {"1", "02", "abc"}
    assert "mixes 2 numbers with 1 text, such as 'abc' in row 3" in said(read)


def test_values_beyond_float32_are_missing_and_named(write: Write) -> None:
    read = read_table(write("x,z\n1,0\n1e39,1\n-inf,2\n3,3\n"))
    np.testing.assert_array_equal(read.column("x").values, np.float32([1, np.nan, np.nan, 3]))
    assert "Column 'x': 2 cells are infinite or beyond 3.4e38, first in row 2" in said(read)


def test_counts_values_that_float32_cannot_tell_apart(write: Write) -> None:
    read = read_table(write("id,x\n16777216,1\n16777217,2\n16777218,3\n5,4\n5,5\n"))
    assert read.column("id").collapsed == 1
    assert "cannot be told apart" in said(read)


def test_a_short_line_is_filled_and_a_long_one_refused(write: Write) -> None:
    read = read_table(write("a,b,c\n1,2,3\n4\n5,6,7\n"))
    np.testing.assert_array_equal(read.column("b").values, np.float32([2, np.nan, 6]))
    assert "first line 3" in said(read)
    with pytest.raises(WorkbenchError, match="Line 3 has 4 fields where 3"):
        read_table(write("a,b,c\n1,2,3\n4,5,6,7\n8,9,10\n"))
    with pytest.raises(WorkbenchError, match="Line 2 has 4 fields where 3"):
        read_table(write("a,b,c\n1,2,3,4\n4,5,6\n8,9\n"))


def test_comments_and_repeated_headers_are_no_rows(write: Write) -> None:
    read = read_table(write("# made today\nx,y\n1,2\n# pause\nx,y\n3,4\n"))
    assert read.n_rows == 2
    assert [column.kind for column in read.columns] == ["number", "number"]
    assert "first line 4" in said(read)
    assert "first line 5" in said(read)


@pytest.mark.usefixtures("few_lines")
def test_hash_is_that_of_the_file(write: Write) -> None:
    plain = b"x,y\n" + b"".join(b"%d,%d\n" % (row, row * row) for row in range(200))
    for name, content in (("t.csv", plain), ("t.csv.gz", gzip.compress(plain))):
        read = read_table(write(content, name))
        assert read.n_rows == 200
        assert read.sha256 == hashlib.sha256(content).hexdigest()


@given(
    rows=st.lists(
        st.tuples(
            st.text(
                st.characters(codec="utf-8", exclude_categories=["Cc"], include_characters="\n\t"), max_size=8
            ),
            st.integers(-99, 99),
        ),
        min_size=1,
        max_size=30,
    ),
    separator=st.sampled_from(",;\t|"),
)
@SOME
@pytest.mark.usefixtures("few_lines")
def test_agrees_with_the_csv_module(write: Write, rows: list[tuple[str, int]], separator: str) -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerow(["number", "some text", "again"])
    writer.writerows([number, f"<{text}>", number] for text, number in rows)
    read = read_table(write(out.getvalue()))
    np.testing.assert_array_equal(read.column("number").values, np.float32([number for _, number in rows]))
    assert labels_of(read.column("some text")) == [f"<{text}>" for text, _ in rows]


@given(
    st.lists(st.floats(width=64, allow_nan=False, min_value=-3e38, max_value=3e38), min_size=2, max_size=60)
)
@SOME
@pytest.mark.usefixtures("few_lines")
def test_numbers_are_rounded_once(write: Write, values: list[float]) -> None:
    read = read_table(write("x,z\n" + "".join(f"{value!r},0\n" for value in values)))
    np.testing.assert_allclose(read.column("x").values, np.float32(values), rtol=1.2e-7)
    distinct = np.unique(values)
    assert read.column("x").collapsed <= len(distinct) - len(np.unique(distinct.astype(np.float32)))


@pytest.mark.usefixtures("few_lines")
def test_a_late_text_makes_the_whole_column_text(write: Write) -> None:
    lines = [f"{number},{number:03d},{'' if number % 7 else '?'}" for number in range(200)]
    read = read_table(write("x,code,gap\n" + "\n".join(lines) + "\nlast,007,1\n"))
    assert labels_of(read.column("x")) == [*map(str, range(200)), "last"]
    assert read.column("code").kind == "number"
    assert read.column("gap").missing == 200


@pytest.mark.usefixtures("few_lines")
def test_threads_that_read_leave_the_warnings_of_others_as_they_are(write: Write) -> None:
    path, before = write("x,y\n" + "1,a\n" * 100), list(warnings.filters)
    for _ in range(10):
        read_table(path)
        assert warnings.filters == before


@pytest.mark.usefixtures("few_lines")
def test_trouble_far_down_is_found(write: Write) -> None:
    body = [f"{number},b,{number}" for number in range(100)]
    body[60:60] = ["5", "# remark", "x,c,z", '"7","with ""quotes"",\nand a line",8']
    read = read_table(write("x,c,z\n" + "\n".join(body) + "\n"))
    assert read.n_rows == 102
    assert read.column("x").kind == "number"
    assert labels_of(read.column("c"))[61] == 'with "quotes",\nand a line'
    assert "first line 62" in said(read)
    body[90] = "1,2,3,4"
    with pytest.raises(WorkbenchError, match="Line 93 has 4 fields where 3 are expected"):
        read_table(write("x,c,z\n" + "\n".join(body) + "\n"))


@pytest.mark.usefixtures("few_lines")
def test_tells_progress_and_can_be_cancelled(write: Write) -> None:
    path = write("x,y\n" + "1,2\n" * 500)
    told: list[tuple[int, int]] = []
    read_table(path, progress=lambda done, total: told.append((done, total)))
    assert len(told) > 10
    assert told[-1] == (500, 500)
    assert all(done <= total for done, total in told)
    with pytest.raises(Cancelled):
        read_table(path, cancelled=lambda: True)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is empty"),
        ("x,y,z\n", "has a header but no rows"),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), "a picture"),
        (struct.pack("<200d", *range(200)), "not a text table"),
        (b"PAR1" + bytes(20), "damaged Parquet file"),
        (b"PK\x03\x04" + bytes(20), "damaged zip file"),
        (gzip.compress(b"x,y\n1,2\n" * 999, mtime=0)[:-20], "cut short"),
        (b"\x1f\x8b" + b"junk" * 9, "is a damaged gzip file"),
        (gzip.compress(b"x,y\n1,2\n", mtime=0)[:-8] + bytes(8), "is a damaged gzip file"),
        (bz2.compress(b"x,y\n1,2\n")[:-9], "is a bzip2 file that is cut short"),
        (gzip.compress(b"", mtime=0), "is packed, and what is in it is empty"),
        (b"PK\x05\x06" + bytes(18), "is an empty zip archive"),
        ('{"x": 1}\n{"x": 2\n', "line 2 is no JSON"),
        ('x,y\n1,2\n"1,2\n' + "3,4\n" * 9, "A quote opens in line 3"),
    ],
)
def test_what_is_no_table_is_refused_in_one_line(write: Write, content: str | bytes, words: str) -> None:
    with pytest.raises(WorkbenchError, match=words) as caught:
        read_table(write(content))
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_what_is_no_file_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "link.csv").symlink_to(tmp_path / "nothing.csv")
    for name, words in [("pipe.csv", "not a regular file"), ("link.csv", "no file"), ("", "a folder")]:
        with pytest.raises(WorkbenchError, match=words):
            read_table(tmp_path / name)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_refused(write: Write) -> None:
    path = write("x,y\n1,2\n")
    path.chmod(0)
    with pytest.raises(WorkbenchError, match="may not be read"):
        read_table(path)


def test_reads_as_many_rows_as_pandas(write: Write) -> None:
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(3000, 4)), columns=list("abcd")).mask(
        random.random((3000, 4)) < 0.1
    )
    path = write(frame.to_csv(index=False))
    read = read_table(path)
    for column in read.columns:
        np.testing.assert_array_equal(column.values, pd.read_csv(path)[column.name].to_numpy(np.float32))


BOMB = """
import resource, sys
from workbench.data.reading import read_table
from workbench.errors import WorkbenchError
limit = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss + 500_000
try:
    read_table(sys.argv[1])
except WorkbenchError as error:
    print(error)
assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < limit
"""


@pytest.mark.skipif(sys.platform != "linux", reason="counts memory as Linux does")
def test_a_bomb_is_refused_before_it_fills_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "bomb.csv.gz"
    with gzip.open(path, "wb", compresslevel=6) as file:
        file.write(b"a,b\n1,2\n")
        for _ in range(300):
            file.write(b"1" * 1_000_000)
    done = subprocess.run([sys.executable, "-c", BOMB, path], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1
    assert "Line 3 does not end within 64 MB" in done.stdout


@pytest.mark.usefixtures("few_lines")
def test_chunks_may_begin_with_a_block_that_has_no_rows(write: Write) -> None:
    path = write("a,b\n" + "\n" * 200 + "".join(f"{n},{n}.5\n" for n in range(40)))
    wanted, kept = frozenset("a"), frozenset("b")
    cells = with_chunks(path, lambda table: [chunk.cells["a"] for chunk in table.chunks(wanted, kept)])
    assert [text for some in cells for text in some.texts()] == [str(n) for n in range(40)]
