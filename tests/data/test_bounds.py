"""Tables that are very wide, or made to take time and memory: read soon, or refused in one line."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import time
import zipfile

import numpy as np
import pandas as pd
import pytest

from workbench.data import room
from workbench.data.readers import as_text
from workbench.data.readers.options import ReadOptions
from workbench.data.readers.workbooks import opendocument, sheets, unpacking
from workbench.data.reading import preview, read_table
from workbench.data.roles import guess_roles
from workbench.data.text.blocks.block_parser import BlockParser
from workbench.data.text.blocks.record_frame import WIDE
from workbench.data.text.layout.find_layout import find_layout
from workbench.data.text.stream import long_cells
from workbench.data.text.stream.compression import unpacked
from workbench.data.text.stream.text_stream import TextStream
from workbench.errors import WorkbenchError

MANY = 3 * WIDE


def refused(path):
    with pytest.raises(WorkbenchError) as found:
        read_table(path)
    assert "\n" not in str(found.value)
    return str(found.value)


def wide(path, rows, cell):
    names = ",".join(f"g{place}" for place in range(MANY))
    lines = (",".join(cell(place, row) for place in range(MANY)) for row in range(rows))
    path.write_text("\n".join([names, *lines]) + "\n")


@pytest.mark.slow
@pytest.mark.parametrize("rows", [4, 200])
def test_a_wide_table_of_numbers_texts_and_gaps(tmp_path, rows):
    """Of which the first rows are looked at alone, and the first columns."""

    def cell(place, row):
        if place % 3 == 1:
            return f"t{(place + row) % 2}"
        odd = {(MANY - 1, 1): "NA", (3, rows - 1): "x"}
        return odd.get((place, row), f"{row}.5")

    wide(tmp_path / "t.csv", rows, cell)
    read = read_table(tmp_path / "t.csv")
    assert read.names == tuple(f"g{place}" for place in range(MANY))
    assert read.n_rows == rows
    np.testing.assert_array_equal(read.column("g0").values, np.arange(rows) + np.float32(0.5))
    assert read.column("g1").kind == "category"
    assert np.isnan(read.columns[-1].values[1])
    assert read.columns[-1].missing == 1
    assert read.column("g3").kind == "category"  # for its last cell
    assert guess_roles(read)[read.names[0]] == "feature"
    assert preview(tmp_path / "t.csv").table.names == read.names


@pytest.mark.slow
def test_a_wide_table_is_looked_at_in_its_first_lines_only(tmp_path):
    """Else a wide one would be held as text as a whole before it is read."""
    path = tmp_path / "t.csv"
    wide(path, 600, lambda place, row: f"{place % 7}.{row:03}25")
    seen = preview(path)
    assert seen.table.n_rows < 600
    assert not seen.is_whole


def test_more_columns_than_can_be_worked_with_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(room, "MOST_COLUMNS", 20)
    row = ",".join(map(str, range(21)))
    (tmp_path / "t.csv").write_text(f"{row.replace('1', 'a')}\n{row}\n{row}\n")
    assert "has 21 columns, and 20 can be read" in refused(tmp_path / "t.csv")
    frame = pd.DataFrame(np.zeros((3, 21)), columns=[f"c{place}" for place in range(21)])
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_feather(tmp_path / "t.feather")
    assert "21 columns" in refused(tmp_path / "t.parquet")
    assert "21 columns" in refused(tmp_path / "t.feather")


def test_comments_without_end_are_left_out_at_once():
    """Not each by copying the rest of the text."""
    head = b"#\n" * 300_000 + b"a,b\n1,2\n3,4\n"
    layout = find_layout(head, "t.csv", "utf-8", whole=True)
    assert (layout.names, layout.skip_lines) == (("a", "b"), 300_001)


@pytest.mark.parametrize("kind", ["csv", "quoted.csv", "jsonl"])
def test_a_cell_that_holds_a_whole_file_is_refused_with_its_place(tmp_path, kind, monkeypatch):
    monkeypatch.setattr(long_cells, "LONGEST_CELL", 1 << 16)
    monkeypatch.setattr("workbench.data.text.blocks.block_parser.LONGEST_CELL", 1 << 16)
    long, path = "x" * 70_000, tmp_path / f"t.{kind}"
    if kind == "jsonl":
        rows = [{"a": row, "b": long if row == 2 else "y"} for row in range(5)]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        assert "row 4, column 2" in refused(path)
        return
    long = f'"{"x,y" * 30_000}"' if kind == "quoted.csv" else long
    path.write_text("a,b\n1,y\n2,y\n" + f"3,{long}\n" + "4,y\n")
    said = refused(path)
    assert "column 'b', row 3 from line 2 on" in said if kind == "quoted.csv" else "line 4, column 2" in said


CONTENT = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
    "{}</office:spreadsheet></office:body></office:document-content>"
)


def ods(path, body):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED)
        archive.writestr("content.xml", CONTENT.format(body))


def row(*cells):
    texts = "</text:p></table:table-cell><table:table-cell><text:p>".join(map(str, cells))
    return f"<table:table-row><table:table-cell><text:p>{texts}</text:p></table:table-cell></table:table-row>"


def sheet(body):
    return f'<table:table table:name="S">{row("a", "b")}{body}</table:table>'


def test_a_long_text_in_a_workbook_is_refused_before_it_is_parsed(tmp_path, monkeypatch):
    monkeypatch.setattr(unpacking, "LONGEST_CELL", 1 << 12)
    for chunk in (1000, 1 << 12):
        monkeypatch.setattr(unpacking, "CHUNK", chunk)
        long = "".join(chr(97 + place * place % 23) for place in range(5000))
        ods(tmp_path / "t.ods", sheet(row(1, 2) * 40 + row(1, long)))
        assert "row 42, column 2" in refused(tmp_path / "t.ods")
        pd.DataFrame({"a": ["x", "y"], "b": ["z", long]}).to_excel(tmp_path / "t.xlsx", index=False)
        assert "row 3, column 2" in refused(tmp_path / "t.xlsx")
        ods(tmp_path / "t.ods", sheet(row(1, 2) * 40 + row(1, long[:3000])))
        assert read_table(tmp_path / "t.ods").n_rows > 0


@pytest.mark.parametrize("body", ["<table:x/>" * 300, f"<table:table-row>{'<table:table-cell/>' * 300}"])
def test_elements_without_end_in_a_spreadsheet(tmp_path, monkeypatch, body):
    monkeypatch.setattr(opendocument, "MOST_ELEMENTS", 500)
    end = "</table:table-row>" if "row" in body else ""
    ods(tmp_path / "t.ods", sheet(row(1, 2) + body + end))
    assert "or as much beside its rows" in refused(tmp_path / "t.ods")


def test_sheets_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(sheets, "MOST_SHEETS", 4)
    ods(tmp_path / "t.ods", "".join(f'<table:table table:name="S{place}"/>' for place in range(5)))
    assert "has 5 sheets" in refused(tmp_path / "t.ods")
    with pd.ExcelWriter(tmp_path / "t.xlsx") as writer:
        for place in range(5):
            pd.DataFrame({"a": [1]}).to_excel(writer, sheet_name=f"S{place}")
    assert "has 5 sheets" in refused(tmp_path / "t.xlsx")


def test_a_text_that_many_cells_share_fills_no_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(as_text, "LEAST_UNFOLDED", 1 << 20)
    monkeypatch.setattr(as_text, "MOST_FOLD", 1)
    pd.DataFrame({"a": ["x" * 30_000] * 200}).to_excel(tmp_path / "t.xlsx", index=False)
    assert "unpacks to more than 1 MiB" in refused(tmp_path / "t.xlsx")


@pytest.mark.parametrize("kind", ["parquet", "feather"])
@pytest.mark.slow
def test_very_many_columns_of_a_file_with_types_are_read_together(tmp_path, kind):
    frame = pd.DataFrame(np.arange(6.0 * 3000).reshape(6, 3000), columns=[f"c{i}" for i in range(3000)])
    getattr(frame, f"to_{kind}")(tmp_path / "t")
    read = read_table(tmp_path / "t")
    assert read.names == tuple(frame.columns)
    np.testing.assert_array_equal(np.stack([c.values for c in read.columns], 1), frame.to_numpy(np.float32))


@pytest.mark.slow
@pytest.mark.parametrize("begin", ["x", "1"])
def test_long_texts_that_all_differ_are_refused_before_they_fill_the_memory(tmp_path, monkeypatch, begin):
    """The first rows are short, and those of one table numbers; the file itself is small."""
    path = tmp_path / "t.csv.gz"
    with gzip.open(path, "wt", compresslevel=1) as file:
        file.write("a,b\n")
        file.writelines(f"{begin},{number}\n" for number in range(400_000))
        file.writelines(f"{number}{'x' * 1_000_000},1\n" for number in range(300))
    monkeypatch.setattr("workbench.memory.free_bytes", lambda: 130 << 20)
    with pytest.raises(WorkbenchError, match=r"take .* of memory, and 104 MiB are free"):
        read_table(path)


@pytest.mark.parametrize("by_kernel", [False, True])
@pytest.mark.parametrize(
    ("line", "kind"),
    [("\n", None), ("# said, or not\n", "comments"), ("# a remark\n", "comments"), ("a,b,c\n", "headers")],
)
def test_lines_without_end_that_are_no_rows_are_counted_where_they_stand(line, kind, by_kernel):
    layout = find_layout(b"a,b,c\n" + b"1,2,3\n" * 20, "t.csv", "utf-8", whole=False)
    parser = BlockParser(layout, frozenset({0, 1}), frozenset({2}), by_kernel=by_kernel)
    text = "7,8,9\n" + line * 1000 + "4,5,6\n" + line * 500 + "1,2,x\n"
    for more in ("", "4,5\n"):  # a short line makes all of them be looked at one by one
        block = parser.parse((text + more).encode(), 10, (text + more).count("\n"))
        assert block.n_rows == 3 + bool(more)
        assert block.numbers[0].tolist() == [7, 4, 1, 4][: block.n_rows]
        assert block.texts[2].texts[block.texts[2].codes[2]] == "x"
        counted = {name: getattr(block.repairs, name) for name in ("comments", "headers", "short")}
        for name, tally in counted.items():
            assert (tally.count, tally.first) == ((1500, 11) if name == kind else (0, 0)) or name == "short"
        assert block.repairs.short.first == (1513 if more else 0)
    nothing = parser.parse(line.encode() * 9, 2, 9)
    assert (nothing.n_rows, len(nothing.numbers[0]), len(nothing.texts[2].codes)) == (0, 0, 0)


@pytest.mark.slow
def test_empty_lines_without_end_are_passed_over_fast(tmp_path, monkeypatch):
    """Pandas would go through them one by one, three times as long as this."""
    monkeypatch.setattr("workbench.data.text.reading_plan.kernels_ready", lambda **_: False)
    path = tmp_path / "t.csv.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b"a,b\n" + b"1,2\n" * 20)
        for _ in range(64):
            file.write(bytes(1 << 22).replace(b"\0", b"\n"))
        file.write(b"3,4\n")
    begun = time.process_time()
    assert read_table(path).n_rows == 21
    assert time.process_time() - begun < 3


@pytest.mark.parametrize(("module", "n"), [(gzip, 150_000), (bz2, 20_000), (lzma, 20_000)])
def test_very_many_short_streams_are_unpacked_in_a_time_that_grows_with_them(module, n):
    """Not by copying all that stands behind each of them."""
    lengths = (9000 if place % 7000 == 0 else place % 5 for place in range(n))
    pieces = [bytes([48 + length % 10]) * length for length in lengths]
    known = {piece: module.compress(piece) for piece in set(pieces)}
    packed = b"".join(known[piece] for piece in pieces)
    begun = time.process_time()
    assert b"".join(unpacked([packed[:99_999], packed[99_999:]], "t.csv.gz")) == b"".join(pieces)
    assert time.process_time() - begun < 3


def test_objects_in_objects_without_end_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("workbench.data.readers.json_lines.MOST_OF_ALL_INNER", 1000)
    path = tmp_path / "t.jsonl"
    with path.open("w") as file:
        for row in range(30):
            inner = {f"k{place}": 1 for place in range(10)}
            file.write(json.dumps({f"o{row} {number}": inner for number in range(4)}) + "\n")
    assert "more than 1,000 different keys in inner objects" in refused(path)


def zipped(path, rows):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("t.csv", "a,b\n" + rows)
    return path


def zips(path, rows):
    path.write_bytes(gzip.compress(b"a,b\n" + rows.encode()))
    return path


@pytest.fixture
def small_bounds(monkeypatch):
    monkeypatch.setattr(room, "MUCH_TEXT", 1 << 20)
    monkeypatch.setattr(room, "TOLD_BY", 1 << 16)
    monkeypatch.setattr(TextStream.__init__, "__defaults__", (1 << 16,))


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.usefixtures("small_bounds")
@pytest.mark.parametrize("write", [zipped, zips])
def test_a_packed_table_that_unpacks_beyond_proportion_is_asked_about(tmp_path, write):
    """Long before all of it is read; not where a person settled that it is."""
    path, told = write(tmp_path / "t.csv.packed", "7,7\n" * 1_000_000), []
    with pytest.raises(WorkbenchError, match=r"to [1-4] MiB or more, .* with --unpack-all") as found:
        read_table(path, progress=lambda done, _total: told.append(done))
    assert "\n" not in str(found.value)
    assert not told or told[-1] < 500_000
    for options in ({"unpacks_all": True}, {"sample_rows": 5}, {"map_folder": str(tmp_path)}):
        read = read_table(path, options=ReadOptions(**options))
        assert read.n_rows == (5 if "sample_rows" in options else 1_000_000)
    (tmp_path / "tables").mkdir()
    path.rename(tmp_path / "tables" / "t.csv.gz")
    assert "--unpack-all" in refused(tmp_path / "tables")
    assert read_table(tmp_path / "tables", options=ReadOptions(unpacks_all=True)).n_rows == 1_000_000


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.usefixtures("small_bounds")
@pytest.mark.parametrize("write", [zipped, zips])
def test_a_packed_table_that_shrinks_as_tables_do_is_read(tmp_path, write):
    """A log, in which most of a line is that of the one before, and one of little text."""
    log = "".join(f"24 01:{n // 60:02}:{n % 60:02} GET /index.html 200,{n % 7}\n" for n in range(999))
    assert read_table(write(tmp_path / "log", 60 * log)).n_rows == 59_940
    assert read_table(write(tmp_path / "few", "7,7\n" * 200_000)).n_rows == 200_000
