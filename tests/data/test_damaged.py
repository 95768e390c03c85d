"""Damaged and hostile tables that once broke a reader: refused in one line, or read as what they say."""

from __future__ import annotations

import errno
import gzip
import io
import json
import os
import re
import struct
import tracemalloc
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.fuzz.seeds import rezipped, unzipped
from workbench import memory
from workbench.data.readers import as_text, delimited
from workbench.data.readers.arrow import parts as arrow_parts
from workbench.data.reading import preview, read_table
from workbench.data.table import TableNote
from workbench.data.text.layout.header import unique_names
from workbench.data.values.labels import date_label, natural_key
from workbench.errors import LONGEST, OutputError, WorkbenchError, one_line


def refused(path):
    with pytest.raises(WorkbenchError) as found:
        read_table(path)
    text = str(found.value)
    assert "\n" not in text
    return text


def test_a_name_with_line_ends_leaves_messages_on_one_line(tmp_path):
    path = tmp_path / "t.csv"
    rows = "".join(f"{i},{i}\n" for i in range(48))
    path.write_text('"income\nError: all is lost","b\x1b[2Jc"\n' + rows + '"a\nb",x\n', encoding="utf-8")
    read = read_table(path)
    assert read.notes
    for note in read.notes:
        assert not re.search(r"[\x00-\x1f]", note.text)


@pytest.mark.usefixtures("small_blocks")
def test_what_stands_above_the_rows_may_be_longer_than_a_block(tmp_path):
    path = tmp_path / "t.csv"
    remarks = "# a remark of some length, of which there are many\n" * 500
    path.write_text(remarks + "a,b\n1,2\n3\n", encoding="utf-8")
    read = read_table(path)
    assert read.names == ("a", "b")
    assert read.columns[0].values.tolist() == [1, 3]
    assert "1 line with too few fields, filled up with missing values (first line 503)." in [
        note.text for note in read.notes
    ]


def test_a_name_of_ten_thousand_signs_leaves_messages_short(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("n" * 10_000 + ",b\n" + "\n".join(f",{i}" for i in range(20)), encoding="utf-8")
    assert all(len(note.text) <= LONGEST for note in read_table(path).notes)
    path.write_text("n" * 10_000 + ",b\n", encoding="utf-8")
    assert refused(path).endswith("Choose a file with rows.")


def test_messages_are_one_line_whatever_they_quote():
    hostile = "a\r\nb\u2028c\x1b]0;x\x07\u202edcba\ud800"
    for text in (str(WorkbenchError(hostile)), TableNote(hostile).text, str(OutputError(hostile))):
        assert not re.search("[\x00-\x1f\u2028\u202e\ud800]", text)
    assert one_line("is  as it was, λ → ✓.") == "is  as it was, λ → ✓."
    for size in (LONGEST - 1, LONGEST, LONGEST + 1, 10 * LONGEST):
        assert len(one_line("a" * size)) <= LONGEST


def test_an_excel_workbook_whose_parts_are_damaged(tmp_path):
    path = tmp_path / "t.xlsx"
    pd.DataFrame({"a": range(200), "b": np.arange(200) / 7}).to_excel(path, index=False)
    whole = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        begins = [info.header_offset for info in archive.infolist()]
    for begin in begins:
        for shift in (40, 60, 80, 120):
            spoilt = bytearray(whole)
            spoilt[begin + shift : begin + shift + 8] = b"\xff" * 8
            path.write_bytes(bytes(spoilt))
            with suppress(WorkbenchError):
                assert read_table(path).n_rows == 200


@pytest.mark.parametrize(
    ("old", "new"),
    [(rb'(<cellStyle [^>]*xfId=")0', rb"\g<1>9"), (rb'numFmtId="0"', rb'numFmtId="99999999999"')],
)
def test_a_workbook_of_wrong_styles_is_refused_and_prints_nothing(tmp_path, capsys, old, new):
    """As openpyxl would, into the JSON that a script asked for."""
    path = tmp_path / "t.xlsx"
    pd.DataFrame({"a": [1, 2]}).to_excel(path, index=False)
    parts = unzipped(path.read_bytes())
    styles = re.sub(old, new, parts["xl/styles.xml"])
    assert styles != parts["xl/styles.xml"]
    path.write_bytes(rezipped(parts | {"xl/styles.xml": styles}))
    assert "damaged Excel workbook" in refused(path)
    assert capsys.readouterr().out == ""


def test_an_excel_row_far_beyond_the_last_does_not_hang(tmp_path):
    path = tmp_path / "t.xlsx"
    pd.DataFrame({"a": [1, 2], "b": [3, 4]}).to_excel(path, index=False)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"]
    assert b'<row r="3"' in sheet
    parts["xl/worksheets/sheet1.xml"] = sheet.replace(b'<row r="3"', b'<row r="2000000000"')
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    assert "beyond 1,048,576" in refused(path)


@pytest.mark.parametrize("kind", ["feather", "parquet"])
def test_offsets_of_texts_that_lead_out_of_the_file(kind, tmp_path):
    """Arrow takes offsets as they stand, and so reads anywhere."""
    feather = pytest.importorskip("pyarrow.feather")
    path = tmp_path / f"t.{kind}"
    if kind == "parquet":
        pd.DataFrame({"a": list("abcd")}).to_parquet(path, compression=None)
    else:
        feather.write_feather(pd.DataFrame({"a": list("abcd")}), path, compression="uncompressed")
    whole = path.read_bytes()
    offsets = np.arange(5, dtype="<i4").tobytes()
    wide = np.arange(5, dtype="<i8").tobytes()
    found = offsets if offsets in whole else wide if wide in whole else b"\x01\x00\x00\x00a"
    assert found in whole
    far = found[:-4] + b"\x7f\xff\xff\x7f" if len(found) > 5 else b"\xff\xff\xff\x7fa"
    path.write_bytes(whole.replace(found, far))
    assert "damaged" in refused(path)


def test_a_feather_file_that_is_cut_while_it_is_read(tmp_path, monkeypatch):
    path = tmp_path / "t.feather"
    pd.DataFrame({name: np.arange(50_000.0) for name in "abc"}).to_feather(path, compression="uncompressed")
    with path.open("r+b") as file:
        told = []

        def cut(done, total):
            told.append(done)
            os.ftruncate(file.fileno(), 1000)

        with pytest.raises(WorkbenchError, match="damaged"):
            read_table(path, progress=cut)
    assert told


def test_labels_with_more_digits_than_a_number_has(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "".join(f"x{'7' * 5000}{i % 3},{i}\n" for i in range(20)), encoding="utf-8")
    assert len(read_table(path).column("a").categories) == 3
    assert natural_key("a2") < natural_key("a10") < natural_key("a" + "9" * 5000)
    assert natural_key("a007") < natural_key("a8")


def test_days_that_no_calendar_has():
    assert date_label(np.float32(0)) == "1970-01-01"
    assert [date_label(np.float32(day)) for day in (3e38, -3e38)] == ["day 3e+38", "day -3e+38"]


def test_half_a_sign_in_json(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"a\\ud800": "x\\udfff", "b": 1}\n{"a\\ud800": "y", "b": 2}\n', encoding="utf-8")
    assert read_table(path).names == ("a?", "b")


@pytest.mark.parametrize(
    ("line", "said"),
    [("1 1:2 1:3", "has an index twice"), ("1 -5:2", "is no label"), ("1 1_0:2", "is no label"),
     ("1 1:1_0", "is no label"), ("1 1000000:1", "Correct the largest index")],
)  # fmt: skip
def test_libsvm_of_wrong_indices_is_refused(tmp_path, line, said):
    path = tmp_path / "t.libsvm"
    path.write_text("1 1:2 # of_a_remark\n" * 21 + line + "\n")
    assert said in refused(path)


def test_libsvm_beyond_single_precision_is_said(tmp_path):
    path = tmp_path / "t.libsvm"
    path.write_text("1 1:1e39 2:2\n0 1:1 2:3\n", encoding="utf-8")
    read = read_table(path)
    assert np.isnan(read.column("f1").values[0])
    assert any("beyond" in note.text for note in read.notes)


FAULTS = [(errno.ENOSPC, "needs room"), (errno.ESTALE, "cannot be read")]


@pytest.mark.parametrize(("number", "words"), FAULTS)
def test_no_room_for_rows_and_a_network_folder_that_is_gone(number, words, tmp_path, monkeypatch):
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": 1}\n{"a": 2}\n', encoding="utf-8")

    class Full(io.StringIO):
        def write(self, text):
            raise OSError(number, os.strerror(number))

    def opened(self, *args, **kwargs):
        return Full() if self.name == "rows.csv" and args[:1] == ("w",) else io.open(self, *args, **kwargs)  # noqa: UP020

    monkeypatch.setattr(Path, "open", opened)
    for read in (read_table, preview):
        with pytest.raises(WorkbenchError, match=words):
            read(path)


def test_memory_that_gives_out_is_said(tmp_path, monkeypatch):
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": 1}\n{"a": 2}\n', encoding="utf-8")

    def none(*_args, **_kwargs):
        raise MemoryError

    monkeypatch.setattr(json, "loads", none)
    monkeypatch.setattr("workbench.data.readers.json_lines.JsonLinesReader.accepts", lambda *_: True)
    assert "more memory" in refused(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"t.csv", b"\0.csv"),  # a name that ends where it begins
        (b"\x14\x00", b"\x6b\x00"),  # a version of zip that is yet to come
    ],
)
def test_a_zip_whose_index_is_damaged(old, new, tmp_path):
    path = tmp_path / "t.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("t.csv", "a,b\n1,2\n3,4\n")
    whole = path.read_bytes()
    assert old in whole
    path.write_bytes(whole.replace(old, new))
    assert "zip" in refused(path)
    with pytest.raises(WorkbenchError, match="zip"):
        preview(path)


@pytest.mark.parametrize(("flag", "method", "words"), [
    (1, 0, "is an encrypted zip file"), (0, 9, "packed or encrypted in a way that is not known here"),
])  # fmt: skip
def test_a_zip_that_cannot_be_unpacked_says_why(flag, method, words, tmp_path):
    path = tmp_path / "t.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("t.csv", "a,b\n1,2\n3,4\n")
    raw = bytearray(path.read_bytes())
    for place in (6, raw.index(b"PK\x01\x02") + 8):  # flags, then the method, in both headers
        raw[place], raw[place + 2] = flag, method
    path.write_bytes(raw)
    assert words in refused(path)


@pytest.mark.parametrize("empty", ["", "\n \n"])
def test_a_first_row_of_very_many_fields_is_refused_at_once(tmp_path, empty):
    path = tmp_path / "t.csv"
    path.write_text(f"a,b\n{empty}1{',7' * 100_000}\n" + "3,4\n" * 9)
    assert "has 100001 fields where 2 are expected" in refused(path)
    path.write_text(f"a,b\n{empty}{',' * 100_000}\n" + "3,4\n" * 9)
    assert read_table(path).n_rows == 10


def test_very_many_columns_of_one_name_are_told_apart():
    names, notes = unique_names(["c"] * 100_000 + ["c (3)"])
    assert names[:4] + names[-2:] == ("c", "c (2)", "c (4)", "c (5)", "c (100001)", "c (3)")
    assert notes[0].count == 99_999


@pytest.mark.parametrize("rows", [3, 30_000])
def test_a_text_of_any_length_is_read(tmp_path, rows):
    """As pages of the web are; also where it stands in the first row."""
    long = "x, " * 50_000
    content = f'a,b\n"{long}",1\n' + "y,2\n" * rows + f'"{long}z",3\n'
    (tmp_path / "t.csv").write_text(content)
    (tmp_path / "t.jsonl").write_text(json.dumps({"a": long}) + '\n{"a": "y"}\n')
    read = read_table(tmp_path / "t.csv")
    assert (read.names, read.n_rows) == (("a", "b"), rows + 2)
    assert sorted(map(len, read.column("a").categories)) == [1, 149_999, 150_001]
    assert read_table(tmp_path / "t.jsonl").n_rows == 2
    assert preview(tmp_path / "t.csv").table.n_rows > 2


@pytest.mark.slow
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize(
    "content",
    [
        "a,b\n" + "x" * 600_000 + ",1\ny,2\nz,3\n",  # the first record
        "a,b\n" + "x" * 3_000_000 + ",1\ny,2\nz,3\n",
        "a,b\n\"" + "x\n" * 2_000_000 + "\",1\ny,2\nz,3\n",  # over many lines
        "5,7\n3." + "0" * 600_000 + ",1\n4,2\n5,3",  # without names, and without a last line end
        "a title\n\na" + "x" * 600_000 + ",b\n1,2\n3,4\n5,6\n",  # the names
        "a" + "x" * 600_000 + ",b\r1,2\r3,4\r5,6\r",
        "a" + "x" * 600_000 + ",b\n" + "1,2\n" * 200_000,
    ],
)
def test_a_first_row_of_some_megabytes_is_read(tmp_path, content, pack):
    path = tmp_path / "t.csv"
    path.write_bytes(pack(content.encode()))
    read = read_table(path)
    assert len(read.names) == 2
    assert read.n_rows == (200_000 if content.endswith("1,2\n") else 4 if content[0] == "5" else 3)
    assert preview(path).table.names == read.names


@pytest.mark.slow
def test_a_wide_table_whose_lines_are_long_is_read(tmp_path):
    names = [f"gene {place}" + "x" * 200 for place in range(4000)]
    rows = [",".join(f"{place % 10}.{row}" for place in range(4000)) for row in range(3)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join([",".join(names), *rows]) + "\n")
    read = read_table(path)
    assert (read.names, read.n_rows) == (tuple(names), 3)
    assert read.column(names[-1]).values[2] == np.float32(9.2)


def test_a_first_row_beyond_what_is_looked_at_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(delimited, "LONG_HEAD_BYTES", 1 << 20)
    path = tmp_path / "t.csv"
    path.write_text(f"a,b\n{'x' * 1_200_000},1\ny,2\n")
    assert "no whole row in its first 1,024 KiB" in refused(path)


def test_objects_without_a_common_key_take_no_disk_beyond_the_memory_there_is(tmp_path, monkeypatch):
    path = tmp_path / "t.jsonl"
    path.write_text("".join(f'{{"k{i}": 1}}\n' for i in range(300)))
    monkeypatch.setattr(as_text, "ASK_EVERY", 10)
    monkeypatch.setattr(memory, "free_bytes", lambda: 200_000)
    assert "more than 110 rows × 300 columns" in refused(path)


def test_numbers_at_the_ends_of_double_precision_can_be_previewed(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "".join(f"{x},1\n" for x in (1e308, -1e308, 3, 4, 5, 6, -999, -999)))
    assert preview(path).table.n_rows == 8


def test_a_feather_file_whose_parts_are_said_to_be_huge_takes_no_memory(tmp_path):
    path = tmp_path / "t.feather"
    pd.DataFrame({"a": [1.0, 2.0]}).to_feather(path)
    data = path.read_bytes()
    length, _ = arrow_parts.END.unpack(data[-arrow_parts.END.size :])
    footer = bytearray(data[-arrow_parts.END.size - length :])
    with path.open("rb") as file:
        begin = next(place for place in range(len(footer)) if is_block(bytes(footer[place:]), file))
    struct.pack_into("<i", footer, begin + 8, 2**31 - 1)
    path.write_bytes(data[: -len(footer)] + footer)
    tracemalloc.start()
    try:
        assert "is a damaged Feather file: a part is longer than the file" in refused(path)
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()


def is_block(data, file):
    """Whether bytes of the footer say where a part stands."""
    if len(data) < arrow_parts.BLOCK.size:
        return False
    begin, length, _ = arrow_parts.BLOCK.unpack(data[: arrow_parts.BLOCK.size])
    if not 0 < begin < 5000 or not 0 < length < 5000:
        return False
    file.seek(begin)
    return file.read(4) == arrow_parts.MARK


@pytest.mark.parametrize("text", ["1,3 1:0.5 4:1\n2 2:1\n 3:1\n" * 10, "0 1:1\n" * 30 + "1,3 1:0.5 4:1\n"])
def test_libsvm_of_several_labels_is_refused(tmp_path, text):
    path = tmp_path / "t.txt"
    path.write_text(text)
    with pytest.raises(WorkbenchError, match=r"several labels in a line \(1,3 in line \d+\); one can be"):
        read_table(path)


def test_pairs_of_csv_are_no_libsvm_of_several_labels(tmp_path):
    path = tmp_path / "t.txt"
    path.write_text("a,b\n" + "1,3 12:30\n" * 12)
    assert read_table(path).names == ("a", "b")
