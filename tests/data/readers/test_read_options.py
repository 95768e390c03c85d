"""A table written in some way and read with the options that say so comes back as it was."""

from __future__ import annotations

import csv
import io
import math
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.data.making import labels_of, said
from tests.examples import examples
from workbench.data.readers.options import ENCODINGS, ReadOptions
from workbench.data.reading import read_table
from workbench.data.text.stream import text_stream
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.data.making import Write

SEPARATORS = (",", ";", "\t", "|", ":", "~", "!", "&", "^")
CODE = "n/v"
NUMBERS = st.one_of(
    st.none(), st.integers(-10**6, 10**6).map(float), st.floats(-1e6, 1e6, width=32, allow_subnormal=False)
)
LETTERS = st.sampled_from("abcxyzABC éüñß")
TEXTS = st.one_of(st.none(), st.text(LETTERS, min_size=1, max_size=8).map(lambda text: "k" + text.strip()))
ROWS = st.lists(st.tuples(NUMBERS, TEXTS), min_size=2, max_size=40)


def in_words(value: float | None, decimal: str) -> str:
    return CODE if value is None else repr(value).replace(".", decimal)


def written(rows: Sequence[Sequence[str]], separator: str, encoding: str) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows(rows)
    return out.getvalue().encode(encoding)


@pytest.mark.parametrize("block", [64, 1 << 22])
@given(
    rows=ROWS, separator=st.sampled_from(SEPARATORS), decimal=st.sampled_from(".,"), header=st.booleans(),
    encoding=st.sampled_from(["utf-8", "cp1252", "iso-8859-15", "utf-16", "cp1250", "gb18030"]),
)  # fmt: skip
@examples(60)
def test_what_was_written_so_is_read_so(
    write: Write, monkeypatch: pytest.MonkeyPatch, block: int, rows: Any, separator: str, decimal: str,
    header: bool, encoding: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(text_stream.TextStream.__init__, "__defaults__", (block,))
    assume(all(_fits(text, encoding) for _, text in rows))
    cells = [[in_words(value, decimal), CODE if text is None else text, "1"] for value, text in rows]
    names = ["größe" if _fits("größe", encoding) else "size", "name", "one"]
    content = written([names, *cells] if header else cells, separator, encoding)
    options = ReadOptions(separator, encoding, decimal, header, (CODE,), kinds=_kinds(names, header))  # type: ignore[arg-type]
    read = read_table(write(content), options=options)
    assert read.names == (tuple(names) if header else ("column 1", "column 2", "column 3"))
    expected = np.float32([math.nan if value is None else value for value, _ in rows])
    np.testing.assert_array_equal(read.columns[0].values, expected)
    assert labels_of(read.columns[1]) == [text for _, text in rows]


def _fits(text: str | None, encoding: str) -> bool:
    try:
        return (text or "").encode(encoding).decode(encoding) == (text or "")
    except UnicodeEncodeError:
        return False


def _kinds(names: list[str], header: bool) -> Any:
    first, second = names[:2] if header else ("column 1", "column 2")
    return ((first, "number"), (second, "category"))


def test_a_large_table_with_decimal_commas_takes_the_fast_way(write: Write) -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(30_000, 2)).astype(np.float32)
    lines = "\n".join(";".join(str(value).replace(".", ",") for value in row) for row in values)
    read = read_table(write("a;b\n" + lines + "\n"), options=ReadOptions(decimal=","))
    np.testing.assert_array_equal(np.stack([c.values for c in read.columns], axis=1), values)


def test_a_missing_code_that_is_a_number_counts_by_its_value(write: Write) -> None:
    body = "x,z\n" + "1,5\n-999,6\n-999.0,7\n" * 2
    small = read_table(write(body), options=ReadOptions(missing=("-999",)))
    large = read_table(write(body + "2,8\n" * 200_000), options=ReadOptions(missing=("-999",)))
    for read in (small, large):
        assert read.column("x").missing == 4
        assert "4 cells are missing (code -999" in said(read)


def test_only_the_codes_that_were_named_are_missing(write: Write) -> None:
    path = write("c,x\nNA,1\nUS,2\n-,\n")
    both = read_table(path, options=ReadOptions(missing=("-",)))
    assert labels_of(both.column("c")) == [None, "US", None]
    read = read_table(path, options=ReadOptions(missing=("-",), usual_missing=False))
    assert labels_of(read.column("c")) == ["NA", "US", None]
    assert read.column("x").missing == 1


def test_a_column_wanted_as_a_category_keeps_its_zeros(write: Write) -> None:
    for rows in (3, 100_000):
        content = "zip,x\n" + "".join(f"{n:05},{n % 7}\n" for n in range(rows))
        read = read_table(write(content), options=ReadOptions(kinds=(("zip", "category"),)))
        assert labels_of(read.column("zip"))[1] == "00001"


def test_wanted_kinds(write: Write) -> None:
    path = write("a,b\n1,3\n0,x\n1,4\n1,5\n")
    read = read_table(path, options=ReadOptions(kinds=(("a", "boolean"), ("b", "number"))))
    assert [column.kind for column in read.columns] == ["boolean", "number"]
    np.testing.assert_array_equal(read.column("b").values, np.float32([3, np.nan, 4, 5]))
    assert "1 cell is no number, in row 2, and set missing: 'x'." in said(read)
    with pytest.raises(WorkbenchError, match="There is no column 'c'"):
        read_table(path, options=ReadOptions(kinds=(("c", "number"),)))


@pytest.mark.parametrize(("order", "day"), [("dmy", 18355), ("mdy", 18325)])
def test_the_order_of_dates(write: Write, order: Any, day: int) -> None:
    read = read_table(write("day,x\n03/04/2020,1\n05/06/2020,2\n"), options=ReadOptions(dates=order))
    assert read.column("day").values[0] == day  # 3 April or 4 March


def test_a_named_table_of_a_zip(tmp_path: Any) -> None:
    path = tmp_path / "two.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", "x\n1\n")
        archive.writestr("in/b.csv", "y;z\n2;3\n")
    assert read_table(path, options=ReadOptions(part="in/b.csv")).names == ("y", "z")
    with pytest.raises(WorkbenchError, match=r"has no table 'c.csv'. It holds 'a.csv', 'in/b.csv'"):
        read_table(path, options=ReadOptions(part="c.csv"))


def test_a_named_sheet(tmp_path: Any) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(["x", "y"])
    book.active.append([1, 2])
    other = book.create_sheet("Zweite Tabelle")
    for row in (["007", 3], ["008", 4]):
        other.append(row)
    book.save(tmp_path / "t.xlsx")
    options = ReadOptions(part="Zweite Tabelle", header=False, kinds=(("column 1", "category"),))
    read = read_table(tmp_path / "t.xlsx", options=options)
    assert labels_of(read.columns[0]) == ["007", "008"]
    assert "the workbook also has" not in said(read)
    with pytest.raises(WorkbenchError, match=r"has no sheet 'x'. It has 'Sheet', 'Zweite Tabelle'"):
        read_table(tmp_path / "t.xlsx", options=ReadOptions(part="x"))


def test_wrong_bytes_in_the_wanted_encoding_are_counted(write: Write) -> None:
    read = read_table(write("größe,x\n1,2\n3,4\n".encode("cp1252")), options=ReadOptions(encoding="utf-8"))
    assert read.names[0] == "gr\ufffd\ufffde"
    assert "not UTF-8 (first in line 1)" in said(read)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_encoding_on_offer_can_be_read(write: Write, encoding: str) -> None:
    read = read_table(write("a,b\n1,x\n2,y\n".encode(encoding)), options=ReadOptions(encoding=encoding))
    assert read.names == ("a", "b")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"separator": "ab"}, "cannot separate fields"), ({"separator": "1"}, "cannot separate fields"),
        ({"separator": "é"}, "cannot separate fields"), ({"separator": '"'}, "cannot separate fields"),
        ({"encoding": "zip"}, "no text encoding 'zip'"), ({"encoding": "klingon"}, "no text encoding"),
        ({"encoding": "idna"}, "no text encoding"), ({"encoding": ""}, "no text encoding"),
        ({"decimal": ";"}, "a point or a comma"), ({"dates": "ymd"}, "dmy or mdy"),
        ({"kinds": (("a", "colour"),)}, "no kind 'colour'"),
    ],
)  # fmt: skip
def test_options_that_cannot_be(values: Any, words: str) -> None:
    with pytest.raises(WorkbenchError, match=words):
        ReadOptions(**values)


def test_an_option_that_the_kind_of_file_does_not_know(write: Write) -> None:
    path = write('{"a": 1}\n{"a": 2}\n', "t.jsonl")
    with pytest.raises(WorkbenchError, match=r"'t.jsonl' is a file of JSON lines, which has no separator"):
        read_table(path, options=ReadOptions(separator=";"))


@given(
    st.binary(max_size=300), st.sampled_from([None, ",", ";", " ", "\t"]),
    st.sampled_from([None, *ENCODINGS]), st.sampled_from([None, ".", ","]),
    st.sampled_from([None, True, False]),
)  # fmt: skip
@examples(150)
def test_any_bytes_with_any_options_are_a_table_or_one_line(
    write: Write, data: bytes, separator: Any, encoding: Any, decimal: Any, header: Any
) -> None:
    options = ReadOptions(separator, encoding, decimal, header, missing=("-1", "x"), dates="mdy")
    path, told = write(data), ""
    try:
        assert read_table(path, options=options).n_rows > 0
    except WorkbenchError as error:
        told = str(error)
    assert "\n" not in told
