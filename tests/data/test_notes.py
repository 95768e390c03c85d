"""Every repair is said with what, where and how many, whatever kind of file the table comes in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.data.making import said
from tests.examples import examples
from workbench import fit
from workbench.commands.describe import describe
from workbench.data.given.frames import table_from_frame
from workbench.data.readers.options import ReadOptions
from workbench.data.reading import preview, read_table, with_chunks
from workbench.data.values.column_types import change_kind
from workbench.errors import WorkbenchError
from workbench.session.opening.pasted import keep_pasted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tests.data.making import Write
    from workbench.data.table import Table, TableNote

# Cells of a column, what is said of it, in how many cells, and in which row first.
REPAIRS = [
    (["0", "$1,200.50", "$3"], "the sign $ is left out", 2, 2),
    (["0", "$3", "$1,200.50"], "a comma is read as thousands", 1, 3),
    (["$ -", "$3", "$4"], "a dash for no money is read as 0", 1, 1),
    (["5%", "0", "7 %"], "the sign % is left out", 2, 1),
    (["5 kg", "6 kg", "7 kg"], "the unit kg is left out", 3, 1),
    (["3", "4,5", "1.200,5"], "a comma is read as the decimal point", 2, 2),
    (["3", "4,5", "1.200,5"], "a point is read as thousands", 1, 3),
    (["5", "12,34,567", "1,00,000"], "commas are read as thousands and lakhs (12,34,567)", 2, 2),
    (["2", "(3)", "4"], "numbers in brackets are read as negative", 1, 2),
    (["2", "4", "3-"], "a minus behind a number is its sign", 1, 3),
    (["2", "−4", "1 000"], "unusual signs, digits or spaces are read as plain numbers", 2, 2),
    (["2.5", "1.5D-03", "3.5"], "powers of ten are written as in Fortran (1.5D-03)", 1, 2),
    (["850", "1.5k", "2.5M"], "k, M and the like are read as thousands and millions", 2, 2),
    (["0.5", "0.25**", "0.75*"], "stars and signs of footnotes behind numbers are left out", 2, 2),
    (["10", "20", "500+"], "a plus behind a number is left out", 1, 3),
    (["14:30", "15:00", "01:15"], "times of day are read as hours since midnight (14:30 as 14.5)", 3, 1),
    (["03/04/2020", "05/06/2020", "13/07/2020"], "the first part of a date is read as the day", 3, 1),
    (["3/4/2020", "2020-01-31", "2020-02-28"], "dates are written in 2 ways, not as the first one", 2, 2),
    (["3/4/2020", "5/6/20", "7/8/21"], "years of two digits are read as 1969 to 2068", 2, 2),
    (["2020-01-31T12:00Z", "2020-01-31T12:00+02:00", "2020-02-01T12:00Z"],
     "times with a zone are read in UTC", 1, 2),
    (["2020-01", "2020-02", "2020-03"], "a month is read as its first day", 3, 1),
    (["00123", "17", "05"], "leading zeros, as in 00123, go when read as numbers", 2, 1),
    (["TRUE", "true", "False"], "truth values that differ only by case, as TRUE, true, are read as one",
     1, 2),
    (["ja", "Ja", "nein"], "categories that differ only by case, as ja, Ja, stay apart", 1, 2),
    (["tea", "caf\u00e9", "cafe\u0301"],
     r"categories that look the same, as 'caf\xe9', 'cafe\u0301', stay apart", 1, 3),
    (["New York", "Rome", "New\u00a0 York"],
     r"categories that look the same, as 'New York', 'New\xa0 York', stay apart", 1, 3),
    (["a", "b", "a\u200b"], r"categories that look the same, as 'a', 'a\u200b', stay apart", 1, 3),
]  # fmt: skip
IDS = [f"{cells[1]}: {what}" for cells, what, _, _ in REPAIRS]
REST = (["x", "y"] * 4)[:7]  # a second column, which nothing is said of


def as_csv(folder: Path, cells: Sequence[str]) -> Path:
    return _csv(folder / "t.csv", cells)


def as_paste(folder: Path, cells: Sequence[str]) -> Path:
    path = folder / "pasted.csv"
    keep_pasted(path, "v\tz\n" + "".join(f"{cell}\t{z}\n" for cell, z in _rows(cells)))
    return path


def as_folder(folder: Path, cells: Sequence[str]) -> Path:
    made = folder / "tables"
    made.mkdir()
    _csv(made / "1.csv", cells[:2])
    _csv(made / "2.csv", cells[2:])
    return made


def as_workbook(folder: Path, cells: Sequence[str]) -> Path:
    frame = pd.DataFrame(_rows(cells), columns=["v", "z"])
    frame.to_excel(folder / "t.xlsx", index=False)
    return folder / "t.xlsx"


def as_json_lines(folder: Path, cells: Sequence[str]) -> Path:
    path = folder / "t.jsonl"
    lines = (json.dumps({"v": cell, "z": z}, ensure_ascii=False) for cell, z in _rows(cells))
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def as_parquet(folder: Path, cells: Sequence[str]) -> Path:
    pd.DataFrame(_rows(cells), columns=["v", "z"]).to_parquet(folder / "t.parquet")
    return folder / "t.parquet"


def _csv(path: Path, cells: Sequence[str]) -> Path:
    path.write_text("v;z\n" + "".join(f"{cell};{z}\n" for cell, z in _rows(cells)), encoding="utf-8")
    return path


def _rows(cells: Sequence[str]) -> list[tuple[str, str]]:
    return list(zip(cells, REST, strict=False))


def about(table: Table, what: str, column: str = "v") -> TableNote:
    """The one note that says it of a column."""
    (note,) = [note for note in table.notes if note.column == column and what in note.text]
    return note


def place(count: int, row: int) -> str:
    return f"in 1 cell, row {row}" if count == 1 else f"in {count} cells, first in row {row}"


@pytest.mark.sampled
@pytest.mark.parametrize("write_as", [as_csv, as_paste, as_folder, as_workbook, as_json_lines, as_parquet])
@pytest.mark.parametrize(("cells", "what", "count", "row"), REPAIRS, ids=IDS)
def test_a_repair_has_a_count_and_a_place(
    tmp_path: Path, write_as: Callable[[Path, Sequence[str]], Path], cells: Any, what: str, count: int,
    row: int,
) -> None:  # fmt: skip
    note = about(read_table(write_as(tmp_path, cells)), what)
    assert note.text.startswith(f"Column 'v': {what} {place(count, row)}.")
    assert note.count == count


def test_the_import_page_the_command_line_and_the_journal_say_the_same(tmp_path: Path) -> None:
    cells = ["$1,200", "$3", "$4"] * 2
    path, words = as_csv(tmp_path, cells), "Column 'v': the sign $ is left out in 6 cells, first in row 1."
    seen = preview(path)
    assert seen is not None
    assert about(seen.table, "the sign $").text == words
    assert words in [note["text"] for note in describe(read_table(path))["notes"]]
    frame = pd.DataFrame({"v": cells, "y": [1.0, 2, 3, 4, 5, 6]})
    model = fit(frame, target="y", rounds=1)
    assert words in [note.text for note in model.schema.journal]


@given(
    st.lists(st.integers(1, 10**7), min_size=2, max_size=40), st.data(),
    st.sampled_from([("{:,}", "a comma is read as thousands"), ("${}", "the sign $ is left out"),
                     ("{}\u2009", ""), ("({})", "numbers in brackets are read as negative")]),
)  # fmt: skip
@examples(60)
def test_counts_and_places_are_those_of_the_cells(numbers: list[int], data: st.DataObject, form: Any) -> None:
    way, what = form
    chosen = data.draw(st.lists(st.booleans(), min_size=len(numbers), max_size=len(numbers)))
    plain = "0" if "$" in way else "5"  # which stands beside those with a sign
    cells = [way.format(number) if wanted else plain for number, wanted in zip(numbers, chosen, strict=True)]
    touched = [place for place, cell in enumerate(cells) if cell.strip() != cell.strip("$()") or "," in cell]
    assume(touched and what)
    assume("(" not in way or len(set(cells)) > len({cells[place] for place in touched}))
    table = table_from_frame(pd.DataFrame({"v": pd.Series(cells, dtype=object)}))
    note = about(table, what)
    assert note.count == len(touched)
    assert place(len(touched), touched[0] + 1) in note.text


def test_missing_codes_and_gaps_have_a_place(write: Write) -> None:
    read = read_table(write("x,c,d\n1.5,a,2020-01-01\n2,NA,-\n-,NA,2020-01-03\n.,b,2020-01-04\n"))
    assert "Column 'x': 2 cells are missing (code - .), first in row 3." in said(read)
    assert "Column 'c': 2 cells are missing (code NA), first in row 2." in said(read)
    assert "Column 'd': 1 cell is missing (code -), in row 2." in said(read)


def test_codes_in_a_long_file_of_numbers_have_a_place(write: Write) -> None:
    lines = [f"{i},{i % 7},{'z' * 20}\n" for i in range(60_000)]
    lines[5], lines[55_555] = "NA,1,z\n", "NA,1,z\n"
    read = read_table(write("x,y,z\n" + "".join(lines)))
    assert "Column 'x': 2 cells are missing (code NA, or empty), first in row 6." in said(read)


@pytest.mark.sampled
@pytest.mark.parametrize("rows", [6, 60_000])
def test_errors_of_spreadsheets_are_said(tmp_path: Path, rows: int) -> None:
    cells: list[Any] = ["#DIV/0!" if i in (2, 3) else i for i in range(rows)]
    pd.DataFrame({"v": cells, "z": np.arange(rows) % 3}).to_excel(tmp_path / "t.xlsx", index=False)
    note = about(read_table(tmp_path / "t.xlsx"), "missing")
    assert note.text.startswith("Column 'v': 2 cells are missing (code #DIV/0!")
    assert note.text.endswith(", first in row 3.")


def test_impossible_dates_totals_and_mixed_cells_have_a_place(write: Write) -> None:
    days = ["2020-02-27", "2020-02-28"] * 10
    days[4] = "2020-02-30"
    lines = [f"{day},town {i % 3},{i}\n" for i, day in enumerate(days)]
    lines[7] = f"{days[7]},Total,7\n"
    lines[18:] = [f"{day},town 1,x\n" for day in days[18:]]
    read = read_table(write("d,c,m\n" + "".join(lines)))
    assert "Column 'd': 1 cell is no possible date, in row 5, and set missing." in said(read)
    assert "Column 'c': 1 cell is called a total, as 'Total', in row 8." in said(read)
    assert "Column 'm' mixes 18 numbers with 2 texts, such as 'x' in row 19" in said(read)


@pytest.mark.parametrize(("cells", "words"), [
    (["1%", "2.5%", "0", "n/k", "3%"], "'p' mixes 4 numbers with 1 text, such as 'n/k' in row 4"),
    (["1 €", "$2", "3 €", "4 €", "$5"],
     "'p' has numbers in several units (€ in 3 cells, first in row 1; $ in 2 cells, first in row 2) and is"),
])  # fmt: skip
def test_numbers_with_signs_that_are_mixed_with_others_are_told(
    cells: list[str], words: str, write: Write
) -> None:
    read = read_table(write("p,x\n" + "".join(f"{cell},{place}\n" for place, cell in enumerate(cells))))
    assert words in said(read)


@pytest.mark.parametrize("write_as", [as_csv, as_paste, as_folder, as_workbook, as_json_lines, as_parquet])
@pytest.mark.parametrize(("cells", "units"), [
    (["5 kg", "300 g", "2kg", "1 kg"], "kg in 3 cells, first in row 1; g in 1 cell, row 2"),
    (["180 cm", "1.7 m", "1.8 m"], "m in 2 cells, first in row 2; cm in 1 cell, row 1"),
    (["€ 5", "6 €", "$7", "unknown"], "€ in 2 cells, first in row 1; $ in 1 cell, row 3"),
])  # fmt: skip
def test_numbers_in_several_units_are_a_doubt(
    tmp_path: Path, write_as: Callable[[Path, Sequence[str]], Path], cells: list[str], units: str
) -> None:
    path = write_as(tmp_path, cells)
    read = read_table(path)
    assert about(read, "in several units").text == (
        f"Column 'v' has numbers in several units ({units}) and is read as a category."
    )
    assert read.column("v").kind == "category"
    seen = preview(path)
    if write_as not in (as_folder, as_parquet):  # of a folder the first file is looked at
        doubts = [] if seen is None else [(d.option, d.reason) for d in seen.doubts if d.column == "v"]
        reason = f"'v' has numbers in several units ({units}), so it is read as a category."
        assert doubts == [("kinds", reason)]


def test_durations_are_no_several_units(write: Write) -> None:
    seen = preview(write("t,y\n1h 30m,1\n45m,2\n2h,3\n"))
    assert seen is not None
    assert seen.table.column("t").kind == "number"
    assert "several units" not in " ".join(doubt.reason for doubt in seen.doubts)


def test_several_codes_far_from_the_numbers_are_a_doubt(write: Write) -> None:
    seen = preview(write("x,y\n" + "".join(f"{x},{x}\n" for x in (1, -99, -98, 2, 3, -97, 4, 5))))
    assert seen is not None
    (doubt,) = [doubt for doubt in seen.doubts if doubt.column == "x"]
    assert (doubt.option, doubt.value) == ("missing", ("-97", "-98", "-99"))
    ages = preview(write("x,y\n" + "".join(f"{x},{x}\n" for x in (60, -999, 97, 98, -999, 61, 62, 63, 80))))
    assert ages is not None
    assert [doubt.value for doubt in ages.doubts if doubt.column == "x"] == [("-999",)]
    assert "far from its other numbers. If they mean missing, name them." in doubt.reason


def test_units_of_one_and_of_several_are_the_same(write: Write) -> None:
    read = read_table(write("v,z\n1 lb,a\n5 lbs,b\n7 lbs,c\n"))
    assert read.column("v").values.tolist() == [1, 5, 7]


def test_spaces_that_go_are_said_where_they_tell_texts_apart(write: Write) -> None:
    read = read_table(write('c,x,y\na,1,1\n"a ",2 ,2\nb,3,3\n"b  ",4,4\n'))
    assert read.column("c").categories == ("a", "b")
    assert "Column 'c': spaces round the text are left out in 2 cells, first in row 2." in said(read)
    assert "Column 'x': spaces" not in said(read)


def test_names_that_are_changed_are_told_with_their_columns(write: Write) -> None:
    read = read_table(write("a ,b,,b,b\n1,2,3,4,5\n2,3,4,5,6\n"))
    assert read.names == ("a", "b", "column 3", "b (2)", "b (3)")
    assert "Columns of the same name were numbered: b (2 columns, first column 4)." in said(read)
    assert "Columns without a name are called after their place (column 3)." in said(read)
    assert "Spaces, quotes or unseen signs round names are left out (column 1)." in said(read)


def test_rows_without_a_value_are_told(write: Write) -> None:
    read = read_table(write("x,c\n1,a\n,\n2,NA\n?,-\n, \n3,b\n"))
    assert "2 rows, first 2, have no value in any column." in said(read)
    assert "Row 2 has no value in any column." in said(read_table(write("x,c\n1,a\n,\n3,\n")))
    assert "no value in any" not in said(read_table(write("x,c\n1,a\n,b\n3,\n")))
    assert "no value in any" not in said(read_table(write('x\n1\n""\n3\n')))


def test_names_that_look_the_same_are_told(write: Write) -> None:
    read = read_table(write("caf\u00e9,cafe\u0301,New York,New  York,y\n1,2,3,4,5\n2,3,4,5,6\n"))
    listed = r"'caf\xe9', 'cafe\u0301', 'New York', 'New  York'"
    assert f"Names that look the same stay apart: {listed}." in said(read)
    assert "look the same" not in said(read_table(write("caf\u00e9,New  York\n1,2\n")))


def test_lines_that_are_left_out_are_counted(write: Write) -> None:
    read = read_table(write("\n# one\n# two\nx,y\n1,2\n3\n# pause\nx,y\n5,6\n"))
    assert "2 lines at the start left out as comments (first line 2)." in said(read)
    assert "1 line with too few fields, filled up with missing values (first line 6)." in said(read)
    assert "1 line left out as comments (first line 7)." in said(read)
    assert "1 line left out as repeated headers (first line 8)." in said(read)


@pytest.mark.usefixtures("either_way", "small_head")
@pytest.mark.parametrize(
    "header", [" word", "word,other", "  word,other", "word,  other", ' "word", "other"']
)
@pytest.mark.parametrize("cell", ["b", '"c"'])
def test_a_header_among_the_rows_may_have_blanks_before_its_names(
    write: Write, header: str, cell: str
) -> None:
    width = header.count(",") + 1
    rows = [", ".join([f"{'ab'[i % 2]} {i % 7} word", cell][:width]) + "\n" for i in range(200)]
    read = read_table(write(header + "\n" + "".join(rows[:150]) + header + "\n" + "".join(rows[150:])))
    assert read.n_rows == 200
    assert "1 line left out as repeated headers (first line 152)." in said(read)


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("cell", ["a", '"a\n\nb"'])
def test_blank_lines_among_the_rows_are_counted(write: Write, cell: str) -> None:
    lines = [f"{i},{i % 7},z\n" for i in range(60_000)]
    lines[4] += "\n   \n"
    lines[7] = f"7,0,{cell}\n"
    lines[50_000] += "\n"
    read = read_table(write("x,y,z\n" + "".join(lines) + "\n\n"))
    assert read.n_rows == 60_000
    note = next(note for note in read.notes if "blank" in note.text)
    assert (note.text, note.count) == ("3 lines left out as blank (first line 7).", 3)
    assert "blank" not in said(read_table(write("x,y\n1,2\n3,4\n\n\n")))


def test_blank_lines_are_counted_in_folders_and_sheets(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / "1.csv").write_text("x,y\n1,2\n\n3,4\n")
    (folder / "2.csv").write_text("x,y\n5,6\n7,8\n")
    assert "1.csv: 1 line left out as blank (first line 3)." in said(read_table(folder))
    rows: list[list[Any]] = [[i, i % 3] for i in range(100)]
    rows[40:40], rows[90:90] = [[None, None]] * 2, [[None, None]] * 3
    path = tmp_path / "t.xlsx"
    pd.DataFrame(rows, columns=["x", "y"]).to_excel(path, index=False)
    read = read_table(path)
    assert read.n_rows == 100
    assert "5 lines left out as blank (first line 42)." in said(read)


@pytest.mark.parametrize(("content", "words"), [
    ('"x,y"\n"1,2"\n"3,4"\n"5,6"\n', "they are left out (4 lines, first line 1)."),
    ("x;y\n1;'a;b'\n2;c\n3;'d;e'\n", "Single quotes are read as quotes (2 lines, first line 2)."),
    ("| x | y |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n",
     "The frame round the table is left out (4 lines, first line 1)."),
])  # fmt: skip
def test_lines_taken_out_of_what_is_round_them_are_counted(write: Write, content: str, words: str) -> None:
    assert words in said(read_table(write(content)))


# --- encodings -------------------------------------------------------------------------------------------


TOWNS = "stadt;x\nBonn;1\nZürich;2\nÅrhus;3\nZürich;4\n"


def test_an_encoding_of_before_is_told_with_the_cells_that_show_it(write: Write, tmp_path: Path) -> None:
    words = (
        "The file is not UTF-8 (first in line 3), so it is read as Windows-1252; 3 cells have letters beyond "
        "ASCII, first in row 2, column 'stadt'."
    )
    path = write(TOWNS.encode("cp1252"))
    read, seen = read_table(path), preview(path)
    assert seen is not None
    for table in (read, seen.table):
        assert [(note.text, note.count) for note in table.notes if "UTF-8" in note.text] == [(words, 3)]

    def scored(table: Any) -> tuple[TableNote, ...]:
        list(table.chunks(frozenset({"x"}), frozenset({"stadt"})))
        return tuple(table.notes())

    assert words in [note.text for note in with_chunks(path, scored)]
    folder = tmp_path / "towns"
    folder.mkdir()
    (folder / "1.csv").write_text("stadt;x\nBonn;1\n")
    (folder / "2.csv").write_bytes(TOWNS.encode("cp1252"))
    assert f"2.csv: {words}" in said(read_table(folder))


@pytest.mark.parametrize(("encoding", "called"), [
    ("utf-16-le", "UTF-16, low byte first"), ("utf-16-be", "UTF-16, high byte first")
])  # fmt: skip
def test_an_encoding_that_nothing_marks_is_a_doubt(
    write: Write, tmp_path: Path, encoding: str, called: str
) -> None:
    path = write(TOWNS.encode(encoding))
    seen = preview(path)
    assert seen is not None
    (doubt,) = [guess for guess in seen.doubts if guess.option == "encoding"]
    assert (doubt.value, called in doubt.reason) == (encoding, True)
    words = f"The file is read as {called}, though no mark at its start says so."
    assert words in said(read_table(path))
    chosen = preview(path, ReadOptions(encoding=encoding))
    assert chosen is not None
    assert "encoding" not in [guess.option for guess in chosen.doubts]
    folder = tmp_path / "towns"
    folder.mkdir()
    path.rename(folder / "1.csv")
    assert f"1.csv: {words}" in said(read_table(folder))


def test_bytes_that_are_no_letters_are_counted(write: Write) -> None:
    towns = TOWNS + TOWNS.removeprefix("stadt;x\n") * 8
    read = read_table(write(towns.encode() + b"B\xffnn;5\n"))
    assert "such bytes are shown as �; 1 cell has such a �, in row 37, column 'stadt'." in said(read)


def test_letters_that_stand_in_names_only_are_told(write: Write) -> None:
    assert "Windows-1252; no cell has letters beyond ASCII." in said(
        read_table(write("größe,x\n1,2\n2,3\n3,4\n".encode("cp1252")))
    )


@pytest.mark.parametrize("rows", [4, 30_000])
def test_cells_in_a_sample_are_those_of_the_sample(write: Write, rows: int) -> None:
    cells = ["Bonn,1\n", "Zürich,2\n"] * (rows // 2)
    path = write(("stadt,x\n" + "".join(cells)).encode("cp1252"))
    read = read_table(path, options=ReadOptions(sample_rows=3))
    found = [note for note in read.notes if "UTF-8" in note.text]
    labels = read.column("stadt")
    shown = np.array([labels.categories[int(code)] == "Zürich" for code in labels.values])
    assert found[0].count == shown.sum()
    assert not shown.any() or f"row {int(np.argmax(shown)) + 1}, column" in found[0].text


# --- what single precision does not hold -----------------------------------------------------------------


SMALL = ["1e-320", "-1e-46", "1e-400", "-2E-0312", "0.5e-45"]  # the first three of them nearest to 0


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("rows", [8, 40_000])
def test_numbers_that_become_0_are_told(write: Write, rows: int) -> None:
    lines = [f"{i},{i % 5}\n" for i in range(rows)]
    lines[3:6] = [f"{text},1\n" for text in SMALL[:3]]
    lines[0] = "0.0e-999,1\n"
    read = read_table(write("x,y\n" + "".join(lines)))
    values = read.column("x").values
    assert np.count_nonzero(values == 0) == 4
    assert np.signbit(values[4])
    note = about(read, "closer to 0", "x")
    assert note.text == "Column 'x': 3 cells are closer to 0 than 7e-46, first in row 4, and read as 0."
    assert (note.count, note.severity) == (3, "warning")


@pytest.mark.parametrize("write_as", [as_csv, as_paste, as_folder, as_workbook, as_json_lines, as_parquet])
def test_numbers_that_become_0_are_told_of_every_kind_of_file(
    tmp_path: Path, write_as: Callable[[Path, Sequence[str]], Path]
) -> None:
    note = about(read_table(write_as(tmp_path, ["0", "1e-320", "5", "1e-400"])), "closer to 0")
    assert note.text == "Column 'v': 2 cells are closer to 0 than 7e-46, first in row 2, and read as 0."


def test_numbers_of_frames_that_become_0_are_told() -> None:
    table = table_from_frame(pd.DataFrame({"v": [1.0, 0.0, 1e-46, 2e-45, -1e-320]}))
    assert about(table, "closer to 0").text == (
        "Column 'v': 2 cells are closer to 0 than 7e-46, first in row 3, and read as 0."
    )
    assert np.count_nonzero(table.column("v").values) == 2


@given(st.lists(st.floats(-1e-30, 1e-30) | st.sampled_from([0.0, 7e-46, 7.1e-46, 5e-324]), min_size=1))
@examples(200)
def test_every_number_that_becomes_0_is_counted(numbers: list[float]) -> None:
    table = table_from_frame(pd.DataFrame({"v": numbers}))
    lost = [value != 0 and np.float32(value) == 0 for value in numbers]
    found = [note for note in table.notes if "closer to 0" in note.text]
    assert [note.count for note in found] == ([sum(lost)] if any(lost) else [])
    assert not any(lost) or f"row {lost.index(True) + 1}, and" in found[0].text
    assert all(abs(value) < 7.1e-46 for value, gone in zip(numbers, lost, strict=True) if gone)


def test_values_that_become_equal_are_told_with_the_first_row(write: Write) -> None:
    small = read_table(write("x,y\n1,2\n1e-40,3\n2e-40,3\n1.0000001e-40,4\n3,5\n"))
    assert "Column 'x': 1 distinct value equals another one in single precision" in said(small)
    assert about(small, "cannot be told apart", "x").text.endswith("in row 4.")
    lines = "".join(f"{2**24 + i},1\n" for i in range(30_000))
    large = read_table(write("x,y\n" + lines))
    assert about(large, "14,999 distinct values equal", "x").text.endswith("first in row 2.")


@pytest.mark.parametrize("rows", [6, 90_000])  # of which the latter are read as numbers
def test_digits_that_are_lost_are_counted(write: Write, rows: int) -> None:
    cells = ["7", "9007199254740993", "9007199254740995", "5", "12", "13"] * (rows // 6)
    read = read_table(write("x,y\n" + "".join(f"{cell},1\n" for cell in cells)))
    note = about(read, "do not keep all digits", "x")
    assert note.text.startswith(
        "Column 'x': whole numbers beyond 2^53, as 9007199254740993, do not keep all digits in "
        f"{rows // 3:,} cells, first in row 2."
    )


def test_what_a_sample_leaves_out_is_not_counted(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = ["1e39", "1e-50", "3", "4.5"] * 30_000
    read = read_table(
        write("x,y\n" + "".join(f"{cell},1\n" for cell in cells)), options=ReadOptions(sample_rows=500)
    )
    values = read.column("x").values
    for what, marked in (("beyond 3.4e38", np.isnan(values)), ("closer to 0", values == 0)):
        note = about(read, what, "x")
        assert (note.count, marked.sum()) == (marked.sum(), note.count)
        assert f"first in row {int(np.argmax(marked)) + 1}," in note.text


def test_refused_cells_of_several_blocks_are_counted(write: Write) -> None:
    cells = ["3.25"] * 200_000
    cells[150], cells[199_999] = "-1e39", "inf"
    read = read_table(write("x,y\n" + "".join(f"{cell},1\n" for cell in cells)))
    text = "Column 'x': 2 cells are infinite or beyond 3.4e38, first in row 151, and set missing."
    assert about(read, "infinite", "x").text == text


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("odd", ["", '"x",7\n'])
def test_leading_zeros_are_counted_in_all_rows(write: Write, odd: str) -> None:
    """Also where the first of them stands far below the rows by which the file is judged."""
    lines = [f"{i % 9 + 1},{i % 5}\n" for i in range(60_000)]
    lines[50_000], lines[50_001], lines[59_999] = '"00123",1\n', "0.5,00\n", "007 ,2\n"
    read = read_table(write("x,y\n" + "".join(lines) + odd.replace('"x"', "0002 ")))
    count = 3 if odd else 2
    for name, words in (
        ("x", f"as in 00123, go when read as numbers in {count} cells, first in row 50001."),
        ("y", "as in 00, go when read as numbers in 1 cell, row 50002."),
    ):
        note = about(read, "leading zeros", name)
        assert note.text.startswith(f"Column '{name}': leading zeros, {words}")
    assert about(read, "leading zeros", "x").count == count


def test_leading_zeros_of_a_sample_are_those_of_its_rows(write: Write) -> None:
    cells = [f"{i:05}" for i in range(60_000)]
    read = read_table(
        write("x,y\n" + "".join(f"{cell},1\n" for cell in cells)), options=ReadOptions(sample_rows=500)
    )
    padded = read.column("x").values < 10_000
    note = about(read, "leading zeros", "x")
    assert note.count == padded.sum()
    assert f"as in {int(read.column('x').values[np.argmax(padded)]):05}, go" in note.text


# --- a column that is made another kind ------------------------------------------------------------------


def test_what_a_change_of_kind_repairs_is_told(write: Write) -> None:
    options = ReadOptions(kinds=(("p", "number"),))
    read = read_table(write("p,d\n$5,3/4/2020\n7 kg,x\n$1k,x\n007,x\n"), options=options)
    np.testing.assert_array_equal(read.column("p").values, [5, 7, 1000, 7])
    for what, cells in (
        ("the sign $ is left out", "2 cells, first in row 1"), ("the unit kg is left out", "1 cell, row 2"),
        ("k, M and the like are read as thousands and millions", "1 cell, row 3"),
        ("leading zeros, as in 007, go when read as numbers", "1 cell, row 4"),
    ):  # fmt: skip
        assert f"Column 'p': {what} in {cells}." in said(read)


def test_what_was_guessed_is_not_said_of_a_column_that_is_made_another_kind(write: Write) -> None:
    content = "p\n" + "".join(f"{row}\n" for row in range(60)) + "odd\neven\n" * 20
    assert "read as a category" in said(read_table(write(content)))
    read = read_table(write(content), options=ReadOptions(kinds=(("p", "number"),)))
    assert read.column("p").kind == "number"
    assert "read as a category" not in said(read)


def test_a_column_made_dates_tells_the_order_and_days_that_are_none() -> None:
    cells = pd.Series(["2020-02-30", "3/4/2020", "Feb 5, 2020", "x"]).astype("category")
    column = table_from_frame(pd.DataFrame({"d": cells})).columns[0]
    with pytest.raises(WorkbenchError, match="'x' in row 4 is none"):
        change_kind(column, "date")
    known = cells[:3].cat.remove_unused_categories()
    days, notes = change_kind(table_from_frame(pd.DataFrame({"d": known})).columns[0], "date")
    assert np.isnan(days.values).tolist() == [True, False, False]
    texts = [note.text for note in notes]
    assert "Column 'd': 1 cell is no possible date, in row 1, and set missing." in texts
    assert "Column 'd': the first part of a date is read as the month in 1 cell, row 2." in texts


# --- kinds of file with rules of their own ---------------------------------------------------------------


def test_empty_fields_behind_the_last_column_are_counted(write: Write) -> None:
    read = read_table(write("a,b\n1,2\n3,4,\n5,6,,\n7,8\n"))
    assert "2 lines with empty fields behind the last column, left out (first line 3)." in said(read)


def test_numbers_of_libsvm_and_json_that_become_0_are_told(write: Write) -> None:
    lines = "1 1:5 2:3\n1e-50 1:1e-320\n0 1:0 2:1e-400\n1 2:2e-45\n" * 4
    read = read_table(write(lines, "t.libsvm"))
    for name, count, row in (("target", 4, 2), ("f1", 4, 2), ("f2", 4, 3)):
        words = f"{count} cells are closer to 0 than 7e-46, first in row {row}, and read as 0."
        assert about(read, "closer to 0", name).text == f"Column '{name}': {words}"
    numbers = ('{"v": 5.5}', '{"v": 1e-400}', '{"v": 0e-400}', '{"v": -2E-320}')
    for content in ("\n".join(numbers), f"[{', '.join(numbers)}]"):
        text = "Column 'v': 2 cells are closer to 0 than 7e-46, first in row 2, and read as 0."
        assert about(read_table(write(content, "t.json")), "closer to 0").text == text


def test_times_of_a_zone_and_durations_are_told(tmp_path: Path) -> None:
    moments = pd.to_datetime(["2020-01-31 12:00", None, "2020-02-01 00:00"])
    frame = pd.DataFrame({
        "at": moments.tz_localize("Europe/Oslo"), "utc": moments.tz_localize("UTC"),
        "took": pd.to_timedelta([None, "00:01:30", "2 days"]),
    })  # fmt: skip
    frame.to_parquet(tmp_path / "t.parquet")
    read = read_table(tmp_path / "t.parquet")
    for table in (read, table_from_frame(frame)):
        told = about(table, "with a zone", "at").text
        assert told == "Column 'at': times with a zone are read in UTC in 2 cells, first in row 1."
        assert "'utc'" not in said(table)
    assert "Column 'took': durations are read as seconds in 2 cells, first in row 2." in said(read)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('x,y\n1,2\n"1,2\n' + "3,4\n" * 9, "line 3, column 'x', and does not close. Close or .* it: \"1,2"),
        ('x,y,z\n1,"a\nb",c\n4,"q\nr","op,5\n6,7,8\n', "line 5, column 'z', and .* remove it: r\",\"op,5"),
        ('x y\n1 2\n3   "4\n5 6\n', "line 3, column 'y', and .* remove it: 3   \"4"),
        ('# made\na,"b,c\n1,2,3\n4,5,6\n', "line 2, field 2, and does not close. .*: a,\"b,c"),
        ("x;y\n" + '1;"ok"\n' * 30_000 + '2;"no\n', "line 30002, column 'y', and .*: 2;\"no"),
    ],
)  # fmt: skip
def test_a_quote_that_does_not_close_is_named_and_shown(write: Write, content: str, words: str) -> None:
    with pytest.raises(WorkbenchError, match=f"^A quote opens in {words}$"):
        read_table(write(content))


def test_what_is_no_object_is_shown(write: Write) -> None:
    for content in ('{"a": 1}\n[1, 2]\n', '[{"a": 1}, [1, 2]]'):
        with pytest.raises(WorkbenchError, match=r"(line|entry) 2 holds no object: \[1, 2\]\."):
            read_table(write(content, "t.json"))
