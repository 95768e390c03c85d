"""Workbooks of LibreOffice and of old Excels: sheets, kinds, repeated cells, and damage in one line."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.data.making import labels_of, said
from workbench.data.readers.options import ReadOptions
from workbench.data.readers.workbooks import sheets
from workbench.data.reading import preview, read_table
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from tests.data.making import Write
    from workbench.data.table import Table

OLD = Path(__file__).parent / "old_workbook.xls"
URN = "urn:oasis:names:tc:opendocument:xmlns"
HEAD = (
    f'<office:document-content xmlns:office="{URN}:office:1.0" xmlns:table="{URN}:table:1.0" '
    f'xmlns:text="{URN}:text:1.0"><office:body><office:spreadsheet>'
)
MANY = ' table:number-rows-repeated="1048576"'
EMPTY = f'<table:table table:name="Empty"><table:table-row{MANY}/></table:table>'


def cell(kind: str, value: str, more: str = "") -> str:
    if kind == "string":
        said = f'office:value-type="string"{more}><text:p>{value}</text:p>'
    else:
        name = "value" if kind == "float" else f"{kind}-value"
        said = f'office:value-type="{kind}" office:{name}="{value}"{more}><text:p>shown</text:p>'
    return f"<table:table-cell {said}</table:table-cell>"


def spreadsheet(*rows: str) -> bytes:
    packed = io.BytesIO()
    table = f'<table:table table:name="Data">{"".join(rows)}</table:table>'
    content = f"{HEAD}{EMPTY}{table}</office:spreadsheet></office:body></office:document-content>"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
    return packed.getvalue()


def row(*cells: str, attributes: str = "") -> str:
    return f"<table:table-row{attributes}>{''.join(cells)}<table:table-cell/></table:table-row>"


NAMES = row(*(cell("string", name) for name in ("id", "name", "day", "ok", "x", "at")))


def record(i: int) -> str:
    name = ["Zürich", "a<text:s/>b", "a,b"][i % 3]
    truth = "true" if i % 2 == 0 else "false"
    number = cell("float", str(i / 4)) if i % 5 else "<table:covered-table-cell/>"
    moment = cell("date", f"2020-01-{i + 1:02}"), cell("boolean", truth), number, cell("time", "PT12H30M00S")
    return row(cell("float", str(i)), cell("string", name), *moment)


def check(read: Table, names: list[str]) -> None:
    assert read.names == ("id", "name", "day", "ok", "x", "at")
    kinds = ["number", "category", "date", "boolean", "number", "number"]
    assert [column.kind for column in read.columns] == kinds
    np.testing.assert_array_equal(read.column("id").values, np.arange(20))
    assert labels_of(read.column("name"))[:3] == names
    np.testing.assert_array_equal(read.column("day").values, 18262 + np.arange(20))
    np.testing.assert_array_equal(read.column("x").values, [i / 4 if i % 5 else np.nan for i in range(20)])
    np.testing.assert_array_equal(read.column("at").values, np.full(20, 12.5))
    assert "Sheet 'Data' is read; the workbook also has 'Empty'." in said(read)


def test_an_old_workbook_is_read_and_previewed() -> None:
    pytest.importorskip("xlrd")
    check(read_table(OLD), ["Zürich", "東京", "a,b"])
    seen = preview(OLD)
    assert seen is not None
    assert (seen.parts, seen.table.n_rows) == (("Data",), 20)


def test_a_spreadsheet_that_repeats_its_cells_without_end_is_refused(write: Write) -> None:
    wide = cell("float", "1", ' table:number-columns-repeated="16384"')
    endless = row(wide, attributes=' table:number-rows-repeated="9999999"')
    path = write(spreadsheet(NAMES, endless), "t.ods")
    for look in (read_table, preview):
        with pytest.raises(WorkbenchError, match="repeats its cells"):
            look(path)


def test_a_cell_of_very_deep_text_is_read(write: Write) -> None:
    deep = "a" + "<text:span>b" * 20_000 + "<text:line-break/>" + "</text:span>c" * 20_000
    read = read_table(write(spreadsheet(row(cell("string", "name")), row(cell("string", deep))), "t.ods"))
    assert labels_of(read.column("name"))[0] == "a" + "b" * 20_000 + "\n" + "c" * 20_000


def test_an_old_workbook_with_a_damaged_formula_is_said(write: Write) -> None:
    pytest.importorskip("xlrd")
    damaged = bytearray(OLD.read_bytes())
    damaged[1277] = 24
    with pytest.raises(WorkbenchError, match="damaged Excel workbook"):
        read_table(write(bytes(damaged), "t.xls"))


def test_an_opendocument_spreadsheet_is_read_and_previewed(write: Write) -> None:
    path = write(spreadsheet(NAMES, *map(record, range(20))), "t.ods")
    check(read_table(path), ["Zürich", "a b", "a,b"])
    seen = preview(path, ReadOptions(part="Data"))
    assert seen is not None
    assert seen.table.n_rows == 20
    with pytest.raises(WorkbenchError, match=r"has no sheet 'C'\. It has 'Empty', 'Data'"):
        read_table(path, options=ReadOptions(part="C"))


def test_repeated_cells_and_rows_stand_as_often_as_they_say(write: Write) -> None:
    again = ' table:number-columns-repeated="3"'
    twelve = row(cell("float", "7", again), attributes=' table:number-rows-repeated="12"')
    read = read_table(write(spreadsheet(row(*(cell("string", name) for name in "abc")), twelve), "t.ods"))
    assert (read.names, read.n_rows) == (("a", "b", "c"), 12)
    assert read.column("c").values.tolist() == [7] * 12


@pytest.mark.parametrize("what", ["rows", "columns"])
def test_numbers_of_cells_beyond_all_bounds_are_refused(
    write: Write, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheets, "MOST_ROWS", 100)
    again = f' table:number-{what}-repeated="9999999"'
    huge = row(cell("float", "7", again * (what == "columns")), attributes=again * (what == "rows"))
    with pytest.raises(WorkbenchError, match=r"beyond 100|more than 16,384 cells"):
        read_table(write(spreadsheet(NAMES, huge), "t.ods"))


@pytest.mark.parametrize("name", ["t.ods", "t.xls"])
def test_damaged_workbooks_are_refused_in_one_line(write: Write, name: str) -> None:
    if name == "t.xls":
        pytest.importorskip("xlrd")
    damaged = OLD.read_bytes()[:600] if name == "t.xls" else spreadsheet(NAMES, "<<")
    with pytest.raises(WorkbenchError, match="is a damaged") as error:
        read_table(write(damaged, name))
    assert "\n" not in str(error.value)


def test_a_preview_that_a_long_cell_cuts_short_is_not_the_whole(write: Write) -> None:
    texts = ["1.5", "1.5", "1.5", "1" * 66_000, "1.5"]
    rows = [row(cell("float", text), cell("float", text)) for text in texts]
    path = write(spreadsheet(*rows), "t.ods")
    seen = preview(path)
    assert seen is not None
    assert seen.table.n_rows < read_table(path).n_rows
    assert not seen.is_whole


@pytest.mark.parametrize(("name", "part"), [("a.xlsx", "xl/sharedStrings.xml"), ("a.ods", "content.xml")])
@pytest.mark.slow
def test_a_workbook_made_to_fill_the_memory_is_refused_unread(tmp_path, name, part):
    file = tmp_path / name
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED)
        archive.writestr("xl/workbook.xml", "<workbook/>")
        with archive.open(part, "w") as cell_text:
            for _ in range(300):
                cell_text.write(b"a" * 2**20)
    with pytest.raises(WorkbenchError, match=r"unpacks 3\d\d,\d\d\d bytes to 300 MiB, which no table needs"):
        read_table(file)


def test_lines_are_counted_as_a_person_sees_them_in_excel(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    filled = {3: ["Sales of the year"], 5: ["shop", "sold"], 6: ["a", 1], 7: ["b", 2], 9: ["c", 3]}
    for line, cells in filled.items():
        for place, cell in enumerate(cells, 1):
            book.active.cell(line, place, cell)
    path = tmp_path / "t.xlsx"
    book.save(path)
    seen = preview(path)
    assert seen is not None
    begun = next(guess for guess in seen.guesses if guess.option == "first_line")
    assert begun.value == 5
    assert "it begins in line 5" in begun.reason
    for options in (ReadOptions(), ReadOptions(first_line=5)):
        table = read_table(path, options=options)
        assert table.names == ("shop", "sold")
        np.testing.assert_array_equal(table.column("sold").values, [1, 2, 3])
    below = read_table(path, options=ReadOptions(first_line=6, header=False))
    assert below.n_rows == 3
