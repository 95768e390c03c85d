"""What offices of statistics put above, beside and below their figures, and how tables are printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.data.making import labels_of, said
from workbench.data.readers.options import ReadOptions
from workbench.data.reading import preview, read_table

if TYPE_CHECKING:
    from tests.data.making import Write
    from workbench.data.table import Table

TOWNS = ("AMC Oslo", "Pune", "Chev. Monte Lima")


def kinds(read: Table) -> list[str]:
    return [column.kind for column in read.columns]


ABOVE = (
    '"Title","GDP","GDP per head"\n"CDID","YBHA","IHXT"\n"Source dataset ID","PN2","PN2"\n"PreUnit","£",""\n'
    '"Unit","m","GBP"\n"Release date","22-12-2023","22-12-2023"\n"Important Notes",,\n'
)


def test_rows_that_describe_the_columns_are_no_rows(write: Write) -> None:
    text = ABOVE + "".join(f'"{1948 + i}","{i * 100}","{i}"\n' for i in range(30))
    read = read_table(write(text))
    assert read.names == ("Title", "GDP", "GDP per head")
    assert kinds(read) == ["number"] * 3
    assert read.n_rows == 30
    assert "Below the names the columns are described. Lines 2 to 7 are left out." in said(read)
    seen = preview(write(text), ReadOptions())
    assert seen is not None
    assert [guess.option for guess in seen.doubts if guess.option == "units"] == ["units"]
    assert read_table(write(text), options=ReadOptions(units=False)).n_rows == 36


def test_descriptions_below_names_of_which_the_first_is_empty(write: Write) -> None:
    head = '"";BBK01.WT5511;FLAGS\n"";Goldpreis;\nEinheit;EUR;\nStand vom;01.01.2020;\n'
    text = head + "".join(f"{1990 + i // 12}-{i % 12 + 1:02d};{i},5;\n" for i in range(30))
    read = read_table(write(text))
    assert read.names == ("column 1", "BBK01.WT5511", "FLAGS")
    assert kinds(read)[:2] == ["date", "number"]
    assert read.n_rows == 30


@pytest.mark.parametrize(
    "text",
    [
        "kind,x\n" + "other,n/v\nnone,k.A.\n" + "2020,5\n" * 9,  # missing, not described
        "kind,x\n" + "other,1\nnone,2\n" + "2020,5\n" * 9,
        "kind,c\n" + "other,a\nnone,b\n" + "2020,c\n" * 9,
        "kind,x\n" + "other,a\nnone,b\n" + "2020,5\n" * 4 + "rest,6\n",
    ],
)
def test_rows_of_texts_before_rows_of_numbers_are_kept(write: Write, text: str) -> None:
    assert read_table(write(text)).n_rows == text.count("\n") - 1


def test_tables_of_eurostat(write: Write) -> None:
    rows = "".join(
        f"PC,{'MF'[i % 2]},G{i % 4}\t{i}.5 {'' if i % 3 else 'bp'}\t{': c' if i == 4 else f'{i} '}\t: \n"
        for i in range(24)
    )
    path = write("unit,sex,geo\\time\t2020 \t2019 \t2018 \n" + rows, "t.tsv")
    read = read_table(path)
    assert read.names == ("unit", "sex", "geo", "2020", "2019", "2018")
    assert labels_of(read.column("sex"))[:2] == ["M", "F"]
    np.testing.assert_array_equal(read.column("2020").values, np.arange(24) + np.float32(0.5))
    assert read.column("2019").missing == 1
    assert read.column("2018").missing == 24
    assert "letters behind numbers are left out" in said(read)


def test_a_rule_with_separators_parts_the_rows_from_remarks(write: Write) -> None:
    rows = "".join(f"31.12.{1960 + i};{i}\n" for i in range(20))
    below = "__________;\nBevölkerung der Republik;\n© Amt | Stand: 1;\n"
    read = read_table(write(f"Stichtag;Männer\n{rows}{below}"))
    assert read.n_rows == 20
    assert kinds(read) == ["date", "number"]
    assert "3 lines below the table are left out" in said(read)


def test_a_remark_below_a_gap_may_have_as_many_fields_as_a_row(write: Write) -> None:
    rows = "".join(f"{'ab'[i % 2]},{i}\n" for i in range(20))
    assert read_table(write(f"c,x\n{rows}\nSource: office of things, 2020\n")).n_rows == 20
    assert read_table(write(f"c,x\n{rows}Source: office of things, 2020\n")).n_rows == 21


def test_labview_says_much_above_its_columns(write: Write) -> None:
    head = (
        "LabVIEW Measurement\t\nWriter_Version\t2\nSeparator\tTab\n***End_of_Header***\t\n\t\n"
        "Channels\t2\t\t\nSamples\t30\t30\t\n***End_of_Header***\t\t\t\nX_Value\tVoltage_0\tVoltage_1\tComment\n"
    )
    rows = "".join(f"{i * 0.5:.6f}\t{i:.6f}\t{i * 2:.6f}{'' if i else chr(9) + 'begun'}\n" for i in range(30))
    read = read_table(write(head + rows, "t.lvm"))
    assert read.names == ("X_Value", "Voltage_0", "Voltage_1", "Comment")
    np.testing.assert_array_equal(read.column("Voltage_1").values, np.arange(30) * 2)
    assert labels_of(read.column("Comment"))[:2] == ["begun", None]
    assert "8 lines of LabVIEW above the table are left out" in said(read)


def stata() -> str:
    rule = f"     +{'-' * 34}+\n"
    rows = [f"{i + 1:>3}. | {TOWNS[i % 3]:<16}  {i * 10 + 4000:>6,}   {i:>3}   |\n" for i in range(20)]
    inner = f"     |{'-' * 34}|\n"
    names = f"     | {'town':<16}  {'price':>6}   {'mpg':>3}   |\n"
    return f"\n{rule}{names}{inner}{''.join(rows[:5])}{inner}{''.join(rows[5:])}{rule}"


def latex() -> str:
    cars = [(TOWNS[i % 3], i * 10 + 4000, i) for i in range(20)]
    rows = "".join(f"\\textbf{{{town}}} & {price:,} & ${mpg}$ \\\\ \\hline\n" for town, price, mpg in cars)
    head = "\\begin{table}\n\\centering\n\\caption{Cars \\& towns}\n\\begin{tabular}{|l|r|r|}\n\\hline\n"
    return f"{head}town & price & mpg \\\\ \\hline\n{rows}\\end{{tabular}}\n\\end{{table}}\n"


@pytest.mark.parametrize("text", [stata(), latex()], ids=["stata", "latex"])
def test_tables_printed_for_people(write: Write, text: str) -> None:
    read = read_table(write(text, "t.txt"))
    assert read.names == ("town", "price", "mpg")
    assert labels_of(read.column("town")) == [TOWNS[i % 3] for i in range(20)]
    np.testing.assert_array_equal(read.column("price").values, np.arange(20) * 10 + 4000)
    np.testing.assert_array_equal(read.column("mpg").values, np.arange(20))
    assert "left out" in said(read)


def test_signs_of_latex_are_those_that_it_shows(write: Write) -> None:
    rows = "".join(f"R\\&D \\#{i % 2} & {i}\\% & 1{{,}}50{i} \\\\\n" for i in range(9))
    head = "\\begin{tabular}{lrr}\n\\toprule\na\\_b & c (\\%) & d \\\\\n"
    read = read_table(write(f"{head}{rows}\\end{{tabular}}\n"))
    assert read.names == ("a_b", "c (%)", "d")
    assert read.column("a_b").categories == ("R&D #0", "R&D #1")
    assert read.column("d").values[2] == 1502


def test_rows_called_totals_are_kept_and_said(write: Write) -> None:
    parts = "".join(f"{r},1\n" * 3 + f"{r} Total,3\n" for r in ("North", "South", "East"))
    read = read_table(write("region,x\n" + parts))
    assert read.n_rows == 12
    assert "3 cells are called a total, as 'North Total'" in said(read)
    assert "called a total" not in said(read_table(write("game,x\n" + "Total War,1\nother,2\n" * 9)))


def test_answers_below_their_question_are_names(write: Write) -> None:
    rows = "".join(f"{n},{'A' if n % 2 else ''},{'B' if n % 3 else ''},,{n}\n" for n in range(30))
    read = read_table(write(f"id,Which apply?,,,age\n,A,B,Other,\n{rows}"))
    assert read.names == ("id", "Which apply? A", "Which apply? B", "Which apply? Other", "age")
    assert (read.n_rows, read.column("id").kind) == (30, "number")
    assert "Below names of groups stand those of their columns. Line 2 is left out." in said(read)
    kept = read_table(write(f"id,Which apply?,,,age\n7,A,B,Other,\n{rows}"))
    assert (kept.n_rows, kept.names[1:4]) == (31, ("Which apply?", "column 3", "column 4"))


def test_a_first_text_that_never_recurs_is_asked_about(write: Write) -> None:
    path = write("k,0,1\n" + "".join(f"a{n % 3},{n},{n * 2}\n" for n in range(30)))
    seen = preview(path)
    assert seen is not None
    guess = seen.guess("header")
    assert guess is not None
    assert (guess.value, guess.doubtful) == (False, True)
    assert "'k' recurs in no other" in guess.reason
    assert read_table(path, options=ReadOptions(header=True)).names == ("k", "0", "1")
    plain = preview(write("a1,0,1\n" + "".join(f"a{n % 3},{n},{n * 2}\n" for n in range(30))))
    assert plain is not None
    assert "header" not in {doubt.option for doubt in plain.doubts}


def test_a_first_line_that_is_longer_than_all_others(write: Write) -> None:
    read = read_table(write("a0,0,1,z,7\n" + "".join(f"a{n % 3},{n},{n * 2}\n" for n in range(30))))
    assert len(read.names) == 5
    assert read.n_rows == 31
