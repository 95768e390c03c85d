"""What loggers, databases and spreadsheets put round a table: preambles, units, comments, rare separators."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.data.making import said
from workbench.data.reading import read_table
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from tests.data.making import Write

TOA5 = (
    '"TOA5","CR1000","CR1000","12345"\n"TIMESTAMP","RECORD","BattV","AirTC"\n"TS","RN","Volts","Deg C"\n'
    '"","","Avg","Avg"\n'
)


@pytest.mark.parametrize("columns", [4, 6])
def test_tables_of_campbell_loggers(write: Write, columns: int) -> None:
    more = ",9" * (columns - 4)
    head = TOA5.replace('"AirTC"', '"AirTC"' + ',"p","q"' * bool(more))
    head = head.replace('C"\n', 'C"' + more.replace("9", '"m"') + "\n")
    head = head.replace('"Avg","Avg"', '"Avg","Avg"' + more.replace("9", '"Smp"'))
    rows = [f'"2020-01-01 00:{i:02}:00",{i},12.5,{"NAN" if i == 3 else i / 2}{more}' for i in range(30)]
    read = read_table(write(head + "\n".join(rows) + "\n", "t.dat"))
    assert read.names[:4] == ("TIMESTAMP", "RECORD", "BattV", "AirTC")
    assert [column.kind for column in read.columns[:4]] == ["date", "number", "number", "number"]
    assert (read.n_rows, len(read.columns), read.column("AirTC").missing) == (30, columns, 1)
    assert "The first line says what wrote the table" in said(read)
    assert "Lines 3 to 4 are left out" in said(read)


def test_names_and_values_above_a_table_as_wide_as_they(write: Write) -> None:
    rows = "".join(f"{i},{i / 2}\n" for i in range(20))
    read = read_table(write(f"Sensor,A\nSerial,12345\nStart,2020\nt,v\n{rows}"))
    assert read.names == ("t", "v")
    np.testing.assert_array_equal(read.column("v").values, np.arange(20) / 2)
    assert "3 lines above the table are left out ('Sensor A'); it begins in line 4." in said(read)


@pytest.mark.parametrize("text", ["name,age\nAnn,31\nBob,unknown\nCid,33\n" + "Dan,34\n" * 20,
                                  "a,b\n1,2\nx,y\n" + "1,2\n" * 20])  # fmt: skip
def test_a_text_among_numbers_is_no_line_of_names(write: Write, text: str) -> None:
    assert read_table(write(text)).names in (("name", "age"), ("a", "b"))


def test_comments_as_wide_as_rows_are_none_below_comments(write: Write) -> None:
    rows = "".join(f"{i},{i}\n" for i in range(20))
    read = read_table(write(f"# made by a logger\nx,y\n{rows}# end, of it\n"))
    assert (read.n_rows, read.column("x").kind) == (20, "number")
    assert "1 line left out as comments (first line 23)" in said(read)
    tagged = "".join(f"#{i},{i}\n" for i in range(20))
    assert read_table(write(f"# made by a logger\nx,y\n{tagged}")).n_rows == 20


@pytest.mark.parametrize("separator", ["^", "~", ":"])
def test_rare_separators(write: Write, separator: str) -> None:
    read = read_table(write("a,b,c\n1,x,2\n3,y,4\n5,x,6\n".replace(",", separator)))
    assert (read.names, read.column("c").values.tolist()) == (("a", "b", "c"), [2, 4, 6])
    times = read_table(write("start\n12:30:00\n13:45:30\n"))
    assert times.names == ("start",)


def test_counting_numbers_behind_a_name_are_names(write: Write) -> None:
    read = read_table(write("id,1,2,3\n" + "".join(f"n{i},{i},4.5,6\n" for i in range(20))))
    assert (read.names, read.n_rows) == (("id", "1", "2", "3"), 20)


def test_rows_that_begin_with_counting_numbers_are_no_names(write: Write) -> None:
    read = read_table(write("".join(f"a{i},{i + 1},{i + 2},{i + 3}\n" for i in range(20))))
    assert (read.names[0], read.n_rows) == ("column 1", 20)


def test_percentages_over_plain_numbers_are_names(write: Write) -> None:
    read = read_table(write("id,10%,50%\n" + "".join(f"n{i},{i},{i + 1}\n" for i in range(20))))
    assert (read.names, read.n_rows) == (("id", "10%", "50%"), 20)


@pytest.mark.parametrize(
    ("rule", "below"), [("--  ----  ---", "30 rows selected."), ("==  ====  ===", "(30 rows affected)")]
)
def test_listings_of_databases_aligned_by_blanks(write: Write, rule: str, below: str) -> None:
    rows = "".join(f"{i:<2}  n{i % 3}    {i / 2:<4}\n" for i in range(30))
    read = read_table(write(f"id  name  x\n{rule}\n{rows}\n{below}\n", "t.txt"))
    assert (read.names, read.n_rows) == (("id", "name", "x"), 30)
    assert [column.kind for column in read.columns] == ["number", "category", "number"]


def test_many_nul_bytes_in_or_behind_a_text_are_left_out(write: Write) -> None:
    text = "x,y\n" + "1,2\n" * 50
    assert read_table(write(text.encode() + bytes(4096))).n_rows == 50
    read = read_table(write(text.encode().replace(b"1,2\n1,2\n1,2\n", b"1,2\n1,2\n1\0,2\n")))
    assert (read.n_rows, read.column("x").values.sum()) == (50, 50)


def test_a_comment_above_libsvm_is_passed_over(write: Write) -> None:
    read = read_table(write("# of a ranker\n" + "1 qid:1 1:0.5 3:2 # a\n0 qid:2 2:1 # b\n" * 5, "t.txt"))
    assert read.names == ("target", "qid", "f1", "f2", "f3")


@pytest.mark.parametrize(
    ("head", "words"), [(b"\x28\xb5\x2f\xfd", "Zstandard"), (b"7z\xbc\xaf\x27\x1c", "7-Zip")]
)
def test_packed_in_another_way_is_said(write: Write, head: bytes, words: str) -> None:
    with pytest.raises(WorkbenchError, match=words):
        read_table(write(head + b"xxxx\nyyyy\n"))
