"""Parquet, Feather, Excel, JSON lines, libsvm and compressed text: the same table, however it is kept."""

from __future__ import annotations

import bz2
import datetime
import decimal
import gzip
import io
import json
import lzma
import zipfile

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.data.making import labels_of, said
from tests.examples import examples
from workbench import memory
from workbench.data import room
from workbench.data.readers.options import ReadOptions
from workbench.data.readers.workbooks import sheets
from workbench.data.reading import preview, read_table, with_chunks
from workbench.data.text.stream import compression
from workbench.errors import Cancelled, WorkbenchError

pytest.importorskip("pyarrow")
pytest.importorskip("openpyxl")

FRAME = pd.DataFrame({
    "whole": [1, 2, 3, 4] * 5, "real": [0.5, None, 2.25, -1e10] * 5, "text": ["a", "b,c", None, "é"] * 5,
    "truth": [True, False, True, True] * 5,
    "day": pd.to_datetime(["2024-01-31", "2024-02-01", None, "2023-12-24"] * 5),
})  # fmt: skip


def zipped(data):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("t.jsonl", data)
    return packed.getvalue()


def check(table):
    assert table.names == tuple(FRAME.columns)
    kinds = ["number", "number", "category", "boolean", "date"]
    assert [column.kind for column in table.columns] == kinds
    np.testing.assert_array_equal(table.column("whole").values, FRAME["whole"])
    np.testing.assert_array_equal(table.column("real").values, FRAME["real"].astype(np.float32))
    assert labels_of(table.column("text"))[:2] == ["a", "b,c"]
    assert np.isnan(table.column("text").values[2])
    assert np.isnan(table.column("day").values[2])
    assert table.column("day").values[0] == np.datetime64("2024-01-31").astype(int)
    assert table.sha256 is not None
    assert len(table.sha256) == 64


@pytest.mark.parametrize("how", ["parquet", "feather", "xlsx", "jsonl", "json"])
def test_the_same_table(how, tmp_path):
    path = tmp_path / f"table.{how}"
    if how == "parquet":
        FRAME.to_parquet(path, row_group_size=3)
    elif how == "feather":
        FRAME.to_feather(path)
    elif how == "xlsx":
        FRAME.to_excel(path, index=False)
    else:
        FRAME.to_json(path, orient="records", lines=how == "jsonl", date_format="iso")
    check(read_table(path))


def packed(data, how):
    if how == "zip":
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("folder/table.csv", data)
            file.writestr("__MACOSX/._table.csv", b"\0\1")
        return archive.getvalue()
    return {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}[how](data)


@pytest.mark.parametrize("how", ["gz", "bz2", "xz", "zip"])
def test_compressed_text(how, tmp_path):
    path = tmp_path / f"table.csv.{how}"
    path.write_bytes(packed(FRAME.to_csv(index=False).encode(), how))
    read = read_table(path)
    check(read)
    assert "name ends with" not in said(read)
    path.write_bytes(FRAME.to_csv(index=False).encode())
    words = "a text table" if how == "zip" else "not packed"
    assert f"The name ends with .{how}, but the file is {words}." in said(read_table(path))


@pytest.mark.slow
def test_bzip2_of_which_nothing_comes_out_at_once_is_read(write):
    digits = np.random.default_rng(0).integers(33, 127, (30_000, 30), np.uint8)
    digits[(digits == ord('"')) | (digits == ord(",")) | (digits == ord("#"))] = ord("a")
    lines = b"\n".join(b"%b,%d" % (row.tobytes(), place) for place, row in enumerate(digits))
    path = write(bz2.compress(b"code,y\n" + lines), "t.csv.bz2")
    assert compression.unpacked_head(path, path.read_bytes()[: 1 << 19], 100) == b""
    assert read_table(path).column("y").values[-1] == 29_999


@pytest.mark.parametrize("how", ["gz", "bz2", "xz", "zip"])
def test_compressed_and_cut_short(how, tmp_path):
    path = tmp_path / f"table.csv.{how}"
    rng = np.random.default_rng(0)
    data = "x,y\n" + "".join(f"{a},{b}\n" for a, b in rng.random((5000, 2)))
    path.write_bytes(packed(data.encode(), how)[:-1000])
    with pytest.raises(WorkbenchError, match=r"cut short|damaged"):
        read_table(path)


@given(
    st.binary(max_size=3000), st.sampled_from(["gz", "bz2", "xz"]), st.integers(1, 300), st.integers(1, 99)
)  # fmt: skip
@examples(60)
def test_streams_come_out_whole_whatever_the_blocks(data, how, chunk, block):
    """Two streams behind one another, as `cat a.gz b.gz` makes them."""
    made = packed(data, how) + packed(data, how)
    chunks = [made[i : i + chunk] for i in range(0, len(made), chunk)]
    if len(chunks[0]) < 6:
        chunks = [made]
    blocks = list(compression.unpacked(chunks, "x", block))
    assert b"".join(blocks) == data + data
    assert max(map(len, blocks), default=0) <= block


MAGICS = (b"PAR1", b"ARROW1", b"PK\x03\x04", b"\x1f\x8b", b"BZh9", b"\xfd7zXZ\x00", b'{"a":', b"[{",
          b"1 1:2 ")


@given(st.binary(max_size=400), st.sampled_from(MAGICS))
@examples(300)
def test_anything_is_a_table_or_one_line(tmp_path, data, magic):
    path = tmp_path / "file"
    path.write_bytes(magic + data)
    try:
        read = read_table(path)
    except WorkbenchError as error:
        said_of_it = str(error)
    else:
        said_of_it = f"{read.n_rows} rows"
        assert read.n_rows > 0
    assert "\n" not in said_of_it


def test_a_zip_of_several_tables_names_them(tmp_path):
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("a.csv", "x\n1\n")
        archive.writestr("b.csv", "x\n1\n")
    with pytest.raises(WorkbenchError, match=r"2 files \('a.csv', 'b.csv'\). Choose one.* --sheet NAME"):
        read_table(tmp_path / "two.zip")


def test_kinds_that_only_arrow_has(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({
        "decimal": pa.array(["1.50", None, "3"]).cast(pa.decimal128(9, 2)),
        "wait": pa.array([datetime.timedelta(seconds=90), None, datetime.timedelta(days=1)]),
        "map": pa.array([[("a", 1)], None, []], pa.map_(pa.string(), pa.int8())),
        "pair": [{"a": 1}, None, None],
        "list": [[1], [2, 3], []], "bytes": [b"a", b"b", None], "nothing": pa.nulls(3),
        "level": pa.array(["u", None, "v"]).dictionary_encode(), "big": pa.array([2**60, 1, None]),
        "moment": pa.array([0, None, 3600_000], pa.timestamp("ms", "UTC")),
        "date": pa.array([19000, None, 1], pa.int32()).cast(pa.date32()),
    })  # fmt: skip
    pq.write_table(table, tmp_path / "t.parquet")
    read = read_table(tmp_path / "t.parquet")
    assert read.names == ("decimal", "wait", "nothing", "level", "big", "moment", "date")
    for name, what in (("list", "lists"), ("bytes", "bytes"), ("map", "maps"), ("pair", "records")):
        assert f"Column '{name}' holds {what}, and is left out." in said(read)
    np.testing.assert_array_equal(read.column("decimal").values, np.float32([1.5, np.nan, 3]))
    np.testing.assert_array_equal(read.column("wait").values, np.float32([90, np.nan, 86400]))
    assert [read.column(name).kind for name in ("level", "moment", "date")] == ["category", "date", "date"]
    assert read.column("date").values[0] == 19000
    assert read.column("moment").values[2] == pytest.approx(1 / 24)


def test_a_nan_that_signals_is_missing_without_a_warning(tmp_path):
    import pyarrow as pa
    import pyarrow.feather

    bits = np.uint64([0x7FF0000000000001, 0x3FF8000000000000])
    narrow = np.uint32([0x7FA00000, 0x3FC00000])
    values = {"double": pa.array(bits.view(np.float64)), "single": pa.array(narrow.view(np.float32))}
    pyarrow.feather.write_feather(pa.table(values), path := tmp_path / "t.feather")
    for column in read_table(path).columns:
        np.testing.assert_array_equal(column.values, np.float32([np.nan, 1.5]))


@pytest.mark.parametrize("how", ["parquet", "feather", "csv", "csv of many rows"])
def test_digits_that_numbers_lose_are_told_and_kept_in_a_category(how, tmp_path):
    frame = pd.DataFrame({"i": 2**60 + np.arange(30), "u": 2**63 + np.arange(30, dtype=np.uint64)})
    frame["y"] = range(30)
    path = tmp_path / f"t.{how[:3]}"
    if how.startswith("csv"):
        many = 1 if how == "csv" else 1000
        path.write_text(frame.to_csv(index=False) + frame.to_csv(index=False, header=False) * (many - 1))
    else:
        getattr(frame, f"to_{how}")(path)
    read = read_table(path)
    for name, first in (("i", 2**60 + 1), ("u", 2**63 + 1)):
        assert f"Column '{name}': whole numbers beyond 2^53, as {first}, do not keep all dig" in said(read)
    assert "'y': " not in said(read)
    options = ReadOptions(kinds=(("u", "category"),))
    ids = read_table(path, options=options).column("u").categories
    assert ids == tuple(str(2**63 + i) for i in range(30))
    wanted = frozenset({"u"})
    parts = with_chunks(path, lambda table: list(table.chunks(wanted, frozenset())), options=options)
    assert parts[0].cells["u"].as_labels().texts[:30] == ids


def test_digits_that_decimals_lose_are_told_and_kept_in_a_category(tmp_path):
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    values = [1, None, *(decimal.Decimal(10**30 + i) for i in range(5)), 2**60]
    made = pyarrow.table({"d": pyarrow.array(values, pyarrow.decimal128(38, 0)), "y": range(8)})
    parquet.write_table(made, tmp_path / "t.parquet", row_group_size=3)
    read = read_table(tmp_path / "t.parquet")
    told = f"'d': whole numbers beyond 2^53, as {10**30}, do not keep all digits in 5 cells, first in row 3"
    assert told in said(read)
    assert (read.column("d").kind, read.column("d").missing) == ("number", 1)
    options = ReadOptions(kinds=(("d", "category"),))
    categories = read_table(tmp_path / "t.parquet", options=options).column("d").categories
    assert categories == ("1", str(2**60), *(str(10**30 + i) for i in range(5)))


def test_whole_numbers_that_are_kept_are_not_remarked(tmp_path):
    frame = pd.DataFrame({"big": pd.array([2**60, None, 2**53], "Int64"), "small": [1, 2, 3]})
    frame.to_parquet(tmp_path / "t.parquet")
    read = read_table(tmp_path / "t.parquet")
    np.testing.assert_array_equal(read.column("big").values, np.float32([2**60, np.nan, 2**53]))
    assert "digits" not in said(read)


def test_parquet_says_itself_what_is_missing(tmp_path):
    frame = pd.DataFrame({"code": ["NA", None, "US", "NULL"], "number": ["1", "?", None, "2"]})
    frame.to_parquet(tmp_path / "t.parquet")
    read = read_table(tmp_path / "t.parquet")
    assert labels_of(read.column("code")) == ["NA", None, "US", "NULL"]
    assert "Column 'code': 2 cells are 'NA' or 'NULL', first in row 1: a label" in said(read)
    np.testing.assert_array_equal(read.column("number").values, np.float32([1, np.nan, np.nan, 2]))


def test_objects_in_json_lines_are_columns_and_lists_are_remarked(write):
    lines = [{"pos": {"x": i / 2, "in": {"z": i}}, "tags": ["a"] * (i % 3), "odd": {"k": 1} if i % 2 else i,
              "none": {}, "at": None if i else {"y": 7}} for i in range(6)]  # fmt: skip
    for content in ("\n".join(map(json.dumps, lines)), json.dumps(lines)):
        path = write(content, "t.json")
        for read in (read_table(path), preview(path).table):
            assert read.names == ("pos.x", "pos.in", "tags", "odd", "none", "at.y")
            np.testing.assert_array_equal(read.column("pos.x").values, np.arange(6) / 2)
            assert (read.column("at.y").values[0], read.column("at.y").missing) == (7, 5)
            assert "'pos' holds objects in 6 rows, first 1; their keys are columns, as 'pos.x'." in said(read)
            for name, rows in (("pos.in", "6 rows, first 1"), ("tags", "6 rows, first 1"),
                               ("odd", "3 rows, first 2")):  # fmt: skip
                assert f"Column '{name}' holds lists or objects in {rows}, read as text." in said(read)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zipped])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_packed_json_is_read_in_any_encoding(write, pack, encoding):
    lines = [{"a": i, "name": "é" * i} for i in range(12)]
    for content in ("\n".join(map(json.dumps, lines)), json.dumps(lines, ensure_ascii=False)):
        path = write(pack(content.encode(encoding)), "t.json.packed")
        for read in (read_table(path), preview(path).table):
            assert (read.names, read.n_rows) == (("a", "name"), 12)
            assert "ééé" in read.column("name").categories


def test_packed_json_that_is_cut_short_is_said(write):
    path = write(gzip.compress(b'{"a": 1}\n' * 5000)[:-12], "t.jsonl.gz")
    with pytest.raises(WorkbenchError, match="is a gzip file that is cut short"):
        read_table(path)


def test_objects_with_ever_new_keys_stay_one_column(write):
    path = write("\n".join(json.dumps({"by": {f"user {i}": 1}, "y": i}) for i in range(600)), "t.jsonl")
    read = read_table(path)
    assert read.names == ("by", "y")
    assert "Column 'by' holds lists or objects in 600 rows, first 1, read as text" in said(read)


def test_a_workbook_of_empty_rows_can_be_left_and_previewed(tmp_path, monkeypatch):
    import openpyxl

    monkeypatch.setattr(sheets, "MOST_PREVIEWED", 100)
    book = openpyxl.Workbook()
    for row in (["x", "y"], *([n, n * 2] for n in range(30))):
        book.active.append(row)
    for place in range(32, 8032):
        book.active.cell(place, 1).number_format = "0.00"
    book.save(tmp_path / "t.xlsx")
    asked: list[int] = []

    def cancelled():
        asked.append(1)
        return len(asked) == 6

    with pytest.raises(Cancelled):
        read_table(tmp_path / "t.xlsx", cancelled=cancelled)
    assert len(asked) == 6  # among the empty rows: no more is asked
    seen = preview(tmp_path / "t.xlsx")
    assert (seen.table.names, seen.table.n_rows) == (("x", "y"), 30)


def test_excel_takes_the_first_sheet_with_cells_and_says_so(tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    book.active.title = "empty"
    sheet = book.create_sheet("numbers")
    for row in (["x", "y", None], [1, "=A2*2", None], [2.5, "#DIV/0!", None], [3, 4, None]):
        sheet.append(row)
    book.save(tmp_path / "t.xlsx")
    read = read_table(tmp_path / "t.xlsx")
    assert "Sheet 'numbers' is read; the workbook also has 'empty'" in said(read)
    np.testing.assert_array_equal(read.column("x").values, np.float32([1, 2.5, 3]))
    np.testing.assert_array_equal(read.column("y").values, np.float32([np.nan, np.nan, 4]))


def test_a_first_sheet_of_remarks_is_passed_over(tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    book.active.title = "about"
    book.active.append(["Read me"])
    sheet = book.create_sheet("numbers")
    for row in (["x", "y"], [1, 2], [2.5, 3], [3, 4]):
        sheet.append(row)
    book.save(tmp_path / "t.xlsx")
    read = read_table(tmp_path / "t.xlsx")
    assert (read.names, read.n_rows) == (("x", "y"), 3)
    assert "Sheet 'numbers' is read; the workbook also has 'about'" in said(read)


def test_a_workbook_of_one_column_is_a_table(tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    for cell in ("x", 1, 2.5, 3):
        book.active.append([cell])
    book.create_sheet("empty")
    book.save(tmp_path / "t.xlsx")
    np.testing.assert_array_equal(read_table(tmp_path / "t.xlsx").column("x").values, [1, 2.5, 3])


@pytest.mark.parametrize("join", ["\n{}", ",{}"])
def test_keys_that_stand_twice_are_told(write, join):
    objects = ['{"x": 1, "y": 2}', '{"x": 1e-3, "y": 2, "x": 4}', '{"x": 5, "x": 6, "y": {"z": 1, "z": 2}}']
    text = "".join(join.format(one) for one in objects)[1:]
    read = read_table(write(text if join[0] == "\n" else f"[{text}]"))
    assert read.column("x").values.tolist() == [1, 4, 6]
    assert "A key stands twice in 3 objects, as 'x': its last value is read." in said(read)
    assert "twice" not in said(read_table(write(objects[0] + "\n" + objects[0])))


def test_json_lines_of_different_keys(write):
    read = read_table(write('{"a": 1, "b": "x"}\n\n{"a": 2.5, "c": [1, 2]}\n{"b": "y", "a": null}\n'))
    assert read.names == ("a", "b", "c")
    np.testing.assert_array_equal(read.column("a").values, np.float32([1, 2.5, np.nan]))
    with pytest.raises(WorkbenchError, match=r"line 2 is no JSON: \{oops"):
        read_table(write('{"a": 1}\n{oops}\n'))
    with pytest.raises(WorkbenchError, match="line 2 holds no object"):
        read_table(write('{"a": 1}\n[1]\n'))


@pytest.mark.parametrize("orient", ["columns", "index", "split", "list", "records inside"])
@pytest.mark.parametrize("indent", [None, 2])
def test_one_object_that_is_a_table(write, orient, indent):
    frame = pd.DataFrame({"x": range(12), "c": ["a", "b", "c"] * 4})
    if orient == "records inside":
        made = {"status": "ok", "pages": 1, "data": frame.to_dict("records")}
    elif orient == "list":
        made = frame.to_dict("list")
    else:
        made = json.loads(frame.to_json(orient=orient))
    path = write(json.dumps(made, indent=indent), "t.json")
    read = read_table(path)
    assert read.names == ("x", "c")
    assert read.column("x").values.tolist() == list(range(12))
    assert labels_of(read.column("c")) == ["a", "b", "c"] * 4
    assert preview(path).table.n_rows == 12


@pytest.mark.parametrize(
    "text", ['{"a": 1, "b": "x"}', '{"a": [1, 2], "b": 3}', '{"a": {"x": 1}, "b": {"x": 2}}']
)
def test_one_object_that_is_a_row_stays_one(write, text):
    assert read_table(write(text, "t.json")).n_rows == 1


def test_libsvm(write):
    read = read_table(write("1 qid:7 1:0.5 3:-2e3 # note\n-1 qid:8 2:4\n0 qid:8\n"))
    assert read.names == ("target", "qid", "f1", "f2", "f3")
    np.testing.assert_array_equal(read.column("f3").values, np.float32([-2000, 0, 0]))
    np.testing.assert_array_equal(read.column("qid").values, np.float32([7, 8, 8]))
    with pytest.raises(WorkbenchError, match="line 22 is no label with index:value pairs"):
        read_table(write("1 1:2\n" * 21 + "1 1:x\n"))


@pytest.mark.slow
@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_libsvm_is_the_same(write, pack):
    lines = "".join(f"{place % 2} qid:{place // 9} 1:{place} 4:0.5\r\n" for place in range(20_000))
    plain, packed = read_table(write(lines, "t.svm")), read_table(write(pack(lines.encode()), "t.svm.packed"))
    assert packed.names == plain.names
    for one, other in zip(packed.columns, plain.columns, strict=True):
        np.testing.assert_array_equal(one.values, other.values)


@pytest.mark.slow
def test_packed_libsvm_that_is_damaged_or_unpacks_beyond_proportion_is_said(write, monkeypatch):
    packed = gzip.compress(b"0 1:1\n1 1:2\n" * 50_000)
    with pytest.raises(WorkbenchError, match="cut short"):
        read_table(write(packed[:-9]))
    monkeypatch.setattr(room, "TOLD_BY", 1000)
    monkeypatch.setattr(room, "MUCH_TEXT", 1000)
    monkeypatch.setattr(room, "MOST_FOLD", 10)
    with pytest.raises(WorkbenchError, match="--unpack-all"):
        read_table(write(packed))
    assert read_table(write(packed), options=ReadOptions(unpacks_all=True)).n_rows == 100_000


def test_missing_and_infinite_values_of_libsvm_are_missing(write):
    read = read_table(write("1 1:nan 2:3\n0 1:2 2:NaN\n1 1:5 2:inf\nnan 1:1\n"))
    assert read.names == ("target", "f1", "f2")
    assert [column.missing for column in read.columns] == [1, 1, 2]
    assert "1 cell is infinite or beyond 3.4e38, in row 3" in said(read)


def test_libsvm_beside_scikit_learn(tmp_path):
    datasets = pytest.importorskip("sklearn.datasets")
    rng = np.random.default_rng(0)
    rows = rng.random((40, 6)) * (rng.random((40, 6)) < 0.5)
    rows[0, 5] = 1.0
    datasets.dump_svmlight_file(rows, rng.integers(0, 2, 40), str(tmp_path / "t.svm"), zero_based=True)
    read = read_table(tmp_path / "t.svm")
    found = np.array([column.values for column in read.columns[1:]]).T
    np.testing.assert_array_equal(found, rows.astype(np.float32))


def test_what_does_not_fit_is_refused_before_it_is_read(write, monkeypatch):
    monkeypatch.setattr(memory, "free_bytes", lambda: 10_000)
    with pytest.raises(WorkbenchError, match="MiB of memory"):
        read_table(write("1 1:2 100000:1\n"))


def test_reading_can_be_cancelled(tmp_path):
    FRAME.to_parquet(tmp_path / "t.parquet")
    (tmp_path / "t.jsonl").write_text("".join(json.dumps({"a": i}) + "\n" for i in range(5)))
    for path in (tmp_path / "t.parquet", tmp_path / "t.jsonl"):
        with pytest.raises(Cancelled):
            read_table(path, cancelled=lambda: True)


def test_a_last_column_without_a_name_and_a_remark_beside_the_table_of_a_workbook(tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    for row in (["x", "y", None], [1, 2, 3], [2, 3, 5], [3, 4, 6], [4, 5, 7, "checked"]):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    read = read_table(tmp_path / "t.xlsx")
    assert read.names == ("x", "y", "column 3", "column 4")
    np.testing.assert_array_equal(read.column("y").values, np.float32([2, 3, 4, 5]))


def test_a_sheet_with_as_many_rows_as_one_can_have_is_read(tmp_path, monkeypatch):
    pd.DataFrame({"x": range(9), "y": range(9)}).to_excel(tmp_path / "t.xlsx", index=False)
    monkeypatch.setattr(sheets, "MOST_ROWS", 10)
    assert read_table(tmp_path / "t.xlsx").n_rows == 9
    monkeypatch.setattr(sheets, "MOST_ROWS", 9)
    with pytest.raises(WorkbenchError, match="names a row beyond 9, the last"):
        read_table(tmp_path / "t.xlsx")


@pytest.mark.parametrize(
    ("member", "what"),
    [
        ("META-INF/manifest.xml", "an OpenDocument file"), ("xl/workbook.bin", "a binary Excel workbook"),
        ("xl/workbook.xml", "a workbook in the form Strict Open XML"),
    ],
)  # fmt: skip
def test_other_documents_in_a_zip_are_named(tmp_path, member, what):
    with zipfile.ZipFile(tmp_path / "t.xlsx", "w") as archive:
        archive.writestr("mimetype", "text")
        archive.writestr(member, '<workbook xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"/>')
    with pytest.raises(WorkbenchError, match=f"'t.xlsx' is {what}"):
        read_table(tmp_path / "t.xlsx")


@pytest.mark.parametrize("outer", [zipped, gzip.compress, lzma.compress])
@pytest.mark.parametrize("inner", [zipped, gzip.compress, bz2.compress, lzma.compress])
def test_an_archive_in_an_archive_is_no_text(tmp_path, inner, outer):
    (tmp_path / "t").write_bytes(outer(inner(b"a,b\n" + b"1,2\n" * 100_000)))
    for read in (read_table, preview):
        with pytest.raises(WorkbenchError, match="'t' holds another archive"):
            read(tmp_path / "t")


def test_tables_of_other_programs_are_named(tmp_path):
    for name, head, what in (("t.dta", b"\x73\x02\x01\x00", "Stata"), ("t.orc", b"ORC\x0a\x03\x00", "ORC")):
        (tmp_path / name).write_bytes(head + bytes(200))
        with pytest.raises(WorkbenchError, match=f"'{name}' is an? (file of )?{what}"):
            read_table(tmp_path / name)


def test_blank_lines_between_objects_are_counted_and_those_at_the_end_are_not(write):
    lines = "".join(f'{{"x": {i}, "y": {i % 3}}}\n' + ("\n \n" if i in (3, 7) else "") for i in range(12))
    read = read_table(write(lines + "\n\n", "t.jsonl"))
    assert read.n_rows == 12
    assert "4 lines left out as blank (first line 5)." in said(read)
    assert "blank" not in said(read_table(write(lines.replace("\n\n \n", "\n") + "\n\n", "t.jsonl")))


@pytest.mark.parametrize(("encoding", "words"), [
    ("utf-16-le", "read as UTF-16, low byte first, though no mark"), ("utf-16", "The file is in UTF-16."),
    ("utf-8", None),
])  # fmt: skip
def test_an_encoding_that_nothing_says_is_told_of_objects_too(write, encoding, words):
    lines = "".join(f'{{"x": {i}, "y": "b"}}\n' for i in range(50))
    read = read_table(write(lines.encode(encoding), "t.jsonl"))
    assert read.n_rows == 50
    assert "UTF-16" not in said(read) if words is None else words in said(read)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("form", ["lines", "array"])
def test_unmarked_json_of_two_or_four_bytes_a_character_is_read_in_any_script(write, encoding, form):
    """Its first characters tell; what follows may have no byte that is 0."""
    records = [{"文": "中文字符" * 900, "数": i} for i in range(5)]
    lines = "\n".join(json.dumps(record, ensure_ascii=False) for record in records)
    text = lines if form == "lines" else json.dumps(records, ensure_ascii=False)
    read = read_table(write(text.encode(encoding), "t.json"))
    assert read.names == ("文", "数")
    assert read.column("数").values.tolist() == [0, 1, 2, 3, 4]
    assert "though no mark at its start says so." in said(read)
