"""Tables in frames, in quotes as a whole, with two-sign separators or other quotes: read as if without."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.data.making import labels_of, said
from workbench.data.readers.options import ReadOptions
from workbench.data.reading import preview, read_table
from workbench.data.text.wrappings.base import WRAPPINGS
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from tests.data.making import Write
    from workbench.data.table import Table

NAMES = ["oslo", "pune", 'a "b"', "d|e"]
ROWS = [(i, NAMES[i % 4], i / 2) for i in range(40)]
PLAIN = [(i, NAMES[i % 2], i / 2) for i in range(40)]


def framed(head: list[str], bars: str = "|", below: list[str] | None = None) -> str:
    cells = [(i, name.replace("|", "\\|"), value) for i, name, value in ROWS]
    rows = [f"{bars} {i:<3} {bars} {name:<6} {bars} {value:>5} {bars}" for i, name, value in cells]
    return "\n".join([*head, *rows, *(below or [])]) + "\n"


RULE = "+-----+--------+-------+"
BOX = ["┌─────┬────────┬───────┐", "│ id  │ name   │ score │", "╞═════╪════════╪═══════╡"]
HEAD = "| id  | name   | score |"
FRAMED = {
    "mysql": framed([RULE, HEAD, RULE], below=[RULE, "40 rows in set (0.00 sec)"]),
    "with a prompt": framed(["mysql> select * from t;", RULE, HEAD, RULE], below=[RULE]),
    "markdown": framed(["| id | name | score |", "|---|:--:|--:|"]),
    "box": framed(BOX, "│", ["└─────┴────────┴───────┘"]),
    "grid": framed([RULE, HEAD, RULE.replace("-", "=")]).replace("|\n|", f"|\n{RULE}\n|"),
}


def rows_of(read: Table) -> list[tuple[Any, ...]]:
    assert read.names == ("id", "name", "score")
    names = labels_of(read.column("name"))
    return list(zip(read.column("id").values, names, read.column("score").values, strict=True))


@pytest.mark.parametrize("text", FRAMED.values(), ids=list(FRAMED))
def test_the_frame_of_a_table_is_left_out_and_said(write: Write, text: str) -> None:
    read = read_table(write(text, "t.txt"))
    assert [column.kind for column in read.columns] == ["number", "category", "number"]
    assert rows_of(read) == ROWS
    assert "The frame round the table is left out (" in said(read)


def lines(*rows: str) -> str:
    return "\n".join(rows) + "\n"


WRAPPED = {
    "whole lines": lines('"id,name,score"', *(f'"{i},""{name}"",{v}"' for i, name, v in PLAIN)),
    "two bars": lines("id||name||score", *(f"{i}||{name}||{v}" for i, name, v in PLAIN)),
    "single quotes": lines("'id','name','score'", *(f"{i},'{name}',{v}" for i, name, v in PLAIN)),
    "rules": lines("===  =====  =====", "id   name   score", "===  =====  =====",
                   *(f"{i:<3}  {name}   {v:<5}" for i, name, v in PLAIN), "===  =====  ====="),
}  # fmt: skip


@pytest.mark.parametrize("text", WRAPPED.values(), ids=list(WRAPPED))
def test_other_wrappings_are_taken_off(write: Write, text: str) -> None:
    read = read_table(write(text))
    assert rows_of(read) == PLAIN


@pytest.mark.sampled
@pytest.mark.parametrize("kind", [*FRAMED, *WRAPPED])
@pytest.mark.parametrize("times", [1, 400])
def test_blank_lines_in_a_wrapping_are_counted_and_rules_are_no_gaps(
    write: Write, kind: str, times: int
) -> None:
    lines = (FRAMED | WRAPPED)[kind].splitlines()
    begin = next(place for place, line in enumerate(lines) if "39" in line)
    lines[begin:begin] = lines[begin : begin + 1] * (30 * (times - 1))
    assert "left out as blank" not in said(read_table(write("\n".join(lines) + "\n")))
    lines[begin - 4 : begin - 4] = [""]
    lines[begin + 1 : begin + 1] = ["", ""] * times
    read = read_table(write("\n".join(lines) + "\n"))
    assert read.n_rows == 40 + 30 * (times - 1)
    words = f"{2 * times + 1} lines left out as blank (first line {begin - 3})."
    assert words in [note.text for note in read.notes]


ESCAPED = [
    ("'day, ''{}''',{}", "day, '{}'"),
    ('"say \\"hi, {}\\"",{}', 'say "hi, {}"'),
    ("x\\, {},{}", "x, {}"),
]


@pytest.mark.parametrize(("row", "text"), ESCAPED)
def test_separators_in_other_quotes_shift_no_column(write: Write, row: str, text: str) -> None:
    read = read_table(write(lines("a,b", *(row.format(i % 3, i) for i in range(30)))))
    assert read.names == ("a", "b")
    assert labels_of(read.column("a")) == [text.format(i % 3) for i in range(30)]
    assert read.column("b").values.tolist() == list(range(30))


@pytest.mark.parametrize("text", [
    "it's,b\n" + "don't,1\n" * 5,
    'a,b\n"x\\",1\n' * 1 + '"y",2\n' * 4, "a|b\n" + "|1\n" * 4, "a\n" + '"1"\n' * 4,
    "path,b\n" + "C:\\dir,1\n" * 4,
])  # fmt: skip
def test_what_is_not_wrapped_stays_as_it_is(write: Write, text: str) -> None:
    read = read_table(write(text))
    assert "left out" not in said(read)
    assert "quote" not in said(read)


def test_a_frame_is_also_seen_in_the_preview_and_with_its_separator_chosen(write: Write) -> None:
    path = write(FRAMED["mysql"])
    seen = preview(path)
    assert seen is not None
    assert seen.table.names == ("id", "name", "score")
    assert read_table(path, options=ReadOptions(separator="|")).names == ("id", "name", "score")


@pytest.mark.parametrize("text", ['he said \\"hi\\", and\nleft, twice', '5\\" wide\nand more', '\\"\n\\"'])
@pytest.mark.parametrize("rows", [20, 90_000])
def test_line_ends_behind_escaped_quotes_end_no_record(write: Write, text: str, rows: int) -> None:
    lines = "".join(f'{n},"{text} {"x" * 50}",{2 * n}\n' for n in range(rows))
    read = read_table(write(f"id,text,n\n{lines}"))
    assert read.n_rows == rows
    assert read.column("text").categories == (text.replace("\\", "") + " " + "x" * 50,)
    assert read.column("n").values[-1] == 2 * rows - 2


def test_a_backslash_at_the_end_of_a_quoted_text_is_a_part_of_it(write: Write) -> None:
    lines = "".join(f'{n},"C:\\dir{n % 2}\\",{2 * n}\n{n},"two\nlines",1\n' for n in range(20))
    read = read_table(write(f"id,text,n\n{lines}"))
    assert (read.n_rows, read.column("text").categories) == (40, ("C:\\dir0\\", "C:\\dir1\\", "two\nlines"))


PAGED = "a,b\n" + "".join(f"{n},{n % 7}\n" for n in range(30))


@pytest.mark.parametrize("page", ["\f\n", "\f", "\fa,b\n"])
def test_breaks_of_pages_are_left_out_and_said(write: Write, page: str) -> None:
    lines = PAGED.splitlines(keepends=True)
    read = read_table(write("".join([*lines[:11], page, *lines[11:21], page, *lines[21:], "\f"])))
    assert (read.n_rows, {column.kind for column in read.columns}) == (30, {"number"})
    assert "Breaks of pages are left out (3 lines, first line 12)." in said(read)


@pytest.mark.slow
def test_a_break_of_pages_far_below_is_a_blank_line_that_is_told(write: Write) -> None:
    read = read_table(write(PAGED + "1,2\n" * 100_000 + "\f\n3,4\n"))
    assert (read.n_rows, read.column("b").values[-1]) == (100_031, 4)
    assert "1 line left out as blank (first line 100032)." in said(read)


def test_colours_of_a_terminal_are_left_out_within_a_frame_too(write: Write) -> None:
    rows = "".join(f"| \x1b[31m{n}\x1b[0m | \x1b[1;32mx{n % 3}\x1b[K |\n" for n in range(30))
    read = read_table(write(f"| \x1b[1ma\x1b[0m | b |\n|---|---|\n{rows}"))
    assert (read.names, read.n_rows, read.column("a").kind) == (("a", "b"), 30, "number")
    assert "Codes of colours for a terminal are left out. The frame" in said(read)


@pytest.mark.parametrize("quotes", ["“”", "„“", "„”", "«»"])
def test_curly_quotes_are_quotes_where_that_makes_all_lines_even(write: Write, quotes: str) -> None:
    one, other = quotes
    rows = "".join(f"{one}a, {n % 3}{other},{n}\n" for n in range(30))
    read = read_table(write(f"name,y\n{rows}"))
    assert (read.names, set(labels_of(read.column("name")))) == (("name", "y"), {"a, 0", "a, 1", "a, 2"})
    assert "Curly quotes are read as quotes (30 lines, first line 2)." in said(read)
    all_quoted = "".join(f"{one}{cell}{other},{one}{n}{other}\n" for n, cell in enumerate(["y", *"ab" * 9]))
    assert read_table(write(f"{one}k{other},{one}v{other}\n{all_quoted}")).column("v").kind == "number"


def test_curly_quotes_stay_where_they_are_text(write: Write) -> None:
    read = read_table(write("name,y\n" + "".join(f"“he” said “no”,{n}\n" for n in range(30))))
    assert set(labels_of(read.column("name"))) == {"“he” said “no”"}
    with pytest.raises(WorkbenchError, match="text that holds the separator into straight quotes"):
        read_table(write("name,y\n" + "a,1\n" * 9 + "“a, b”,3\nx,2,3\n"))


@pytest.mark.parametrize("names", ["||id||name||score||", "^ id ^ name ^ score ^"])
def test_names_between_the_marks_of_a_wiki_stand_over_their_columns(write: Write, names: str) -> None:
    rows = "".join(f"|{i}|{name}|{value}|\n" for i, name, value in PLAIN)
    read = read_table(write(f"{names}\n{rows}", "t.txt"))
    assert rows_of(read) == PLAIN
    assert "The frame round the table is left out (41 lines, first line 1)." in said(read)


def test_bold_cells_of_a_framed_table_are_what_they_hold(write: Write) -> None:
    rows = "".join(f"| **{i}** | `{name}` | {value} |\n" for i, name, value in PLAIN)
    read = read_table(write(f"| id | name | score |\n|---|---|---|\n{rows}", "t.md"))
    assert rows_of(read) == PLAIN
    assert "The frame round the table, and marks of bold text, are left out" in said(read)


@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize("separator", ["  ", "\t", " | "])
def test_names_and_rules_on_every_page_are_no_rows(write: Write, separator: str, quote: str) -> None:
    first, second = ("id", "name  ", "score"), ("--", "------", "-----")
    head = "".join(separator.join(cells) + "\n" for cells in (first, second))
    rows = [separator.join((f"{i:2}", f"{quote}{name:<4}{quote}", f"{v:5}")) + "\n" for i, name, v in PLAIN]
    pages = (head + "".join(rows[begin : begin + 8]) for begin in range(0, 40, 8))
    read = read_table(write("\n".join(pages), "t.txt"))
    assert [column.kind for column in read.columns] == ["number", "category", "number"]
    assert read.n_rows == 40
    assert "8 lines left out as repeated headers (first line 12)." in said(read)


def test_ways_of_wrapping_are_asked_in_an_order() -> None:
    """A frame is looked for before quotes, and what a program wrote before both; no two are asked at once."""
    orders = {way.name: way.order for way in WRAPPINGS}
    assert len(set(orders.values())) == len(orders)
    assert orders["LaTeX"] < orders["frame"] < orders["other quotes"]
