"""Numbers, dates, durations, truth values and gaps as programs and people of many countries write them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.data.making import labels_of, said
from workbench.data.classes import positive_label
from workbench.data.readers.options import ReadOptions
from workbench.data.reading import preview, read_table, with_chunks
from workbench.data.schema import Feature
from workbench.data.values import dates, numerals
from workbench.data.values.column_types import change_kind
from workbench.scoring.feature_cells import FeatureCells

if TYPE_CHECKING:
    from pathlib import Path

    from tests.data.making import Write


@pytest.mark.parametrize(
    ("texts", "values", "words"),
    [
        (["1.5D-03", "-2.25d+01", "3.0", "1.5-103"], [0.0015, -22.5, 3, 1.5e-103], "as in Fortran"),
        (["1’234.50", "3.10"], [1234.5, 3.1], "unusual signs"),
        (["１２．５", "－３"], [12.5, -3], "unusual signs"),
        (["- 1.5", "2"], [-1.5, 2], "unusual signs"),
        (["1.#INF", "-1.#INF00", "∞", "1"], [np.inf, -np.inf, np.inf, 1], "unusual signs"),
        (["US$1,234.50", "US$3"], [1234.5, 3], "the sign US$ is left out"),
        (["1 234,50 ₽", "3,00 ₽"], [1234.5, 3], "the sign ₽ is left out"),
        (["$ 1,234.50", "$ -", "$ (3.00)"], [1234.5, 0, -3], "the sign $ is left out"),
        (["5 kg", "7.5 kg"], [5, 7.5], "the unit kg is left out"),
        (["85 m²", "1,200.5 m2"], [85, 1200.5], "the unit m² is left out"),
        (["850 sq ft", "1,200 sq. ft."], [850, 1200], "the unit sq ft is left out"),
        (["8 µg/m³", "12.5 µg/m3"], [8, 12.5], "the unit µg/m³ is left out"),
        (["1 acre", "2.5 acres"], [1, 2.5], "the unit acre is left out"),
        (["1 month", "36 months"], [1, 36], "the unit month is left out"),
        (["PT1H30M", "PT45S", "-P1DT2H", "P1W"], [1.5, 0.0125, -26, 168], "durations are read as hours"),
        (["1 days 02:00:00", "0 days 00:30:00.5"], [26, 0.5 + 0.5 / 3600], "durations are read as hours"),
        (["1 day, 2:00:00", "1.02:00:00"], [26, 26], "durations are read as hours"),
        (["1h 30m", "45s", "2 hours"], [1.5, 0.0125, 2], "durations are read as hours"),
        (["02:30.6", "1:10"], [2.51, 1 + 1 / 6], "minutes and seconds are read as minutes"),
        (["$0.5K", "$1.2M", "$0"], [500, 1.2e6, 0], "k, M and the like are read as thousands"),
        (["35k", "1.57M", "850", "1,200"], [35e3, 1.57e6, 850, 1200], "thousands and millions"),
        (["1,5 Mio", "2 Mrd", "3"], [1.5e6, 2e9, 3], "k, M and the like"),
        (["0.10**", "-1.25***", "3", "0.5 *"], [0.1, -1.25, 3, 0.5], "stars and signs of foot"),
        (["1,234[3]", "567", "8†"], [1234, 567, 8], "signs of footnotes behind numbers"),
        (["1,000+", "500+", "10"], [1000, 500, 10], "a plus behind a number is left out"),
        (["5%", "0", "12.5%"], [5, 0, 12.5], "the sign % is left out"),
    ],
)
def test_numbers_in_other_forms(texts: list[str], values: list[float], words: str) -> None:
    numbers = numerals.parse(texts)
    assert numbers is not None
    np.testing.assert_allclose(numbers.values, values)
    assert any(words in change.what and change.touched.any() for change in numbers.changes)


@pytest.mark.parametrize(
    "texts",
    [["2+", "2", "1"], ["1+", "2-"], ["12B", "14B"], ["12K", "3"], ["5M", "7M", "5"], ["a*", "b*"],
     ["+", "5"], ["1++", "2"], ["[1]", "2"], ["0", "$1", "€2"],
     ["12D4", "34D5"], ["555-123", "555-124"], ["5 kg", "3 m"], ["5 a", "6 a"], ["5A", "6A"], ["P", "PT"]],
)
def test_codes_are_no_numbers(texts: list[str]) -> None:
    assert numerals.parse(texts) is None


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2020-01-31 12:00:00,250", "2020-01-31T12:00:00.250"), ("20200131T120000Z", "2020-01-31T12:00:00"),
        ("2020-01-31 12:00:00 UTC", "2020-01-31T12:00:00"), ("2020-01-31 12:00:00+02", "2020-01-31T10:00:00"),
        ("2020-01-31 12:00:00 CET", "2020-01-31T11:00:00"), ("2020-01-31 12:00 PST", "2020-01-31T20:00:00"),
        ("2020-01-31T12:00+01:00[Europe/Paris]", "2020-01-31T11:00:00"),
        ("Fri, 31 Jan 2020 12:00:00 -0130", "2020-01-31T13:30:00"),
        ("Fri Jan 31 12:00:00 2020", "2020-01-31T12:00:00"),
        ("Friday, January 31, 2020", "2020-01-31"),
        ("31/Jan/2020:12:00:00 +0000", "2020-01-31T12:00:00"),
        ("31-JAN-20 12.00.00.000000 PM", "2020-01-31T12:00:00"),
        ("2020/01/31 2:30:00 PM GMT+1", "2020-01-31T13:30:00"),
        ("1/31/2020 11:00 AM EST", "2020-01-31T16:00:00"), ("2020-01-31 12:00 UTC-5", "2020-01-31T17:00:00"),
        ("2020-01-31 12:00 GMT+05:30", "2020-01-31T06:30:00"),
        ("31JAN2020:12:00:00", "2020-01-31T12:00:00"), ("31st January 2020", "2020-01-31"),
        ("31. Januar 2020", "2020-01-31"), ("31. März 2020", "2020-03-31"), ("2 août 2020", "2020-08-02"),
        ("31 de enero de 2020", "2020-01-31"), ("31. Dez. 2020", "2020-12-31"),
        ("31 января 2020", "2020-01-31"), ("3 października 2020", "2020-10-03"),
        ("2 Maja 2020", "2020-05-02"), ("2020年1月31日", "2020-01-31"),
        ("Mrz 2020", "2020-03-01"), ("2020-W01", "2019-12-30"), ("2020W53", "2020-12-28"),
        ("2020-W05-5", "2020-01-31"),
        ("1990:2", "1990-04-01"), ("1990:11", "1990-11-01"), ("3Q2020", "2020-07-01"),
        ("2. Quartal 2020", "2020-04-01"),
    ],
)  # fmt: skip
def test_dates_in_other_forms(text: str, moment: str) -> None:
    found = dates.parse([text, text])
    assert found is not None
    expected = (np.datetime64(moment, "ms") - np.datetime64("1970-01-01", "ms")) / np.timedelta64(1, "D")
    np.testing.assert_allclose(found.days, expected, rtol=0, atol=1e-8)


@pytest.mark.parametrize(
    ("text", "remark"), [("2020-01-31T12:00+02:00", dates.IN_UTC), ("2020-W05", "as its Monday")]
)
def test_what_a_date_loses_is_told(text: str, remark: str) -> None:
    found = dates.parse([text])
    assert found is not None
    assert [remark in change.what for change in found.changes] == [True]


@pytest.mark.parametrize("text", ["2020-01-31 25:00", "2020-01-31 12:61", "2020-W54"])
def test_impossible_times_and_weeks_are_no_moment(text: str) -> None:
    found = dates.parse(["2020-01-31 12:00" if ":" in text else "2020-W01", text])
    assert found is None or np.isnan(found.days[1])


def test_signs_for_missing_among_dates_are_missing(write: Write) -> None:
    read = read_table(write("day,x\n2020-01-01,1\n-,2\n2020-01-03,3\n.,4\n"))
    np.testing.assert_array_equal(read.column("day").values, [18262, np.nan, 18264, np.nan])
    assert "2 cells are missing (code - .)" in said(read)


@pytest.mark.parametrize("code", ["\\N", "(null)", "[NULL]", "NAN", "#NV", "#N/D"])
def test_codes_of_databases_and_spreadsheets_are_missing_everywhere(write: Write, code: str) -> None:
    read = read_table(write("x,c\n" + f"1.5,a\n{code},b\n2.5,{code}\n" * 4))
    assert [(column.kind, column.missing) for column in read.columns] == [("number", 4), ("category", 4)]


@pytest.mark.parametrize("code", ["n/v", "unknown", "Unbekannt", "fehlt", "(D)", "ei tietoa", "brak danych"])
def test_words_for_missing_are_missing_among_numbers(write: Write, code: str) -> None:
    read = read_table(write("x;c\n" + f"1,5;a\n{code};b\n2,5;{code}\n" * 4))
    assert [(column.kind, column.missing) for column in read.columns] == [("number", 4), ("category", 0)]
    assert f"4 cells are missing (code {code})" in said(read)


def test_dates_written_in_two_ways_are_dates_and_it_is_said(write: Write) -> None:
    first = "d,x\n\"Feb 3, 2020\",0\n"
    read = read_table(write(first + "2020-01-31,1\n13.02.2020,2\n\"Feb 3, 2020\",3\n" * 4))
    assert read.column("d").values[:4].tolist() == [18295, 18292, 18305, 18295]
    assert "dates are written in 3 ways, not as the first one in 8 cells, first in row 2." in said(read)
    assert "Column 'd': the first part of a date is read as the day in 4 cells, first in row 3." in said(read)


def test_days_that_are_none_are_missing_among_dates(write: Write) -> None:
    read = read_table(write("d,x\n" + "2020-01-31,1\n0000-00-00,2\n" * 6))
    assert (read.column("d").kind, read.column("d").missing) == ("date", 6)
    assert "6 cells are missing (code 0000-00-00)" in said(read)


def test_texts_among_dates_are_said(write: Write) -> None:
    read = read_table(write("d,x\n" + "2020-01-31,1\n2020-02-01,2\npending,3\n" * 4))
    assert "mixes 8 dates with 4 texts, such as 'pending' in row 3" in said(read)


@pytest.mark.parametrize(("number", "day"), [("1,5", 18293), ("1.5", 18263)])
def test_beside_decimal_commas_the_day_comes_first(write: Write, number: str, day: int) -> None:
    path = write("d;x\n" + f"01/02/2020;{number}\n" * 6)
    assert read_table(path).column("d").values[0] == day
    seen = preview(path)
    assert seen is not None
    guess = seen.guess("dates")
    assert guess is not None
    assert guess.value == ("dmy" if day == 18293 else "mdy")
    cells = with_chunks(path, lambda table: FeatureCells(
        Feature("d", "date"), table.rules, table.first_texts["d"]).values(
        next(table.chunks(frozenset({"d"}), frozenset())).cells["d"]))  # fmt: skip
    assert cells.tolist() == [day] * 6


def test_dates_of_a_category_have_one_order_where_one_of_them_tells_it(write: Write) -> None:
    column = read_table(write("d,x\n" + "01/02/2020,1\nlater,2\n13/02/2020,3\n" * 4)).column("d")
    kept = replace(column, categories=tuple("02/02/2020" if c == "later" else c for c in column.categories))
    assert change_kind(kept, "date")[0].values[:3].tolist() == [18293, 18294, 18305]


@pytest.mark.parametrize("code", ["nil", "ND", "Null", ".a", "._", "********", "(empty)"])
def test_signs_of_programs_are_missing_among_numbers(write: Write, code: str) -> None:
    read = read_table(write("x,c\n" + f"1.5,a\n{code},b\n2.5,{code}\n" * 4))
    assert [(column.kind, column.missing) for column in read.columns] == [("number", 4), ("category", 0)]


@pytest.mark.parametrize(
    "words", ["N J", "epätosi tosi", "yanlış doğru", "nein ja", "non oui", "no sí", "falsch wahr",
              "faux vrai", "нет да", "não sim"],
)
def test_truth_values_of_other_languages(write: Write, words: str) -> None:
    no, yes = words.split()
    read = read_table(write("b,x\n" + f"{yes},1\n{no},2\n" * 4))
    assert read.column("b").kind == "boolean"
    assert positive_label(read.column("b").categories) == yes


def test_texts_in_formulas_are_read_as_the_texts(write: Write) -> None:
    path = write("=\"code\",x,n\n" + '="001",1,="5"\n"=""002""",2,="6.5"\n' * 5)
    read = read_table(path)
    assert read.names == ("code", "x", "n")
    assert labels_of(read.column("code"))[:2] == ["001", "002"]
    assert read.column("n").values.tolist() == [5, 6.5] * 5
    assert '10 cells are a text in a formula, as ="001", first in row 1, and read' in said(read)
    assert doubts(path, "kinds") == []


def doubts(path: Path, option: str, options: Any = None) -> list[str]:
    seen = preview(path, options or ReadOptions())
    assert seen is not None
    return [guess.reason for guess in seen.doubts if guess.option == option]


def test_points_before_three_digits_between_semicolons_are_asked_about(write: Write) -> None:
    asked = doubts(write("x;y\n583.867;a\n1.234;b\n12.345;a\n"), "decimal")
    assert asked == ["'x' has 583.867: read with a decimal point, but the point may mean thousands."]
    for clear in ("x;y\n583.867;a\n1.5;b\n", "x;y\n583.867;1.5\n1.234;2.25\n", "x;y\n0.867;a\n1.234;b\n",
                  "x,y\n583.867,a\n1.234,b\n"):  # fmt: skip
        assert doubts(write(clear), "decimal") == []


def test_days_of_eight_digits_are_asked_about_and_can_be_dates(write: Write) -> None:
    path = write("day,x\n20200131,1\n20201231,2\n")
    assert doubts(path, "kinds") == ["'day' has 20200131, read as a number. It may be a date."]
    read = read_table(path, options=ReadOptions(kinds=(("day", "date"),)))
    assert read.column("day").values.tolist() == [18292, 18627]


def test_a_far_code_with_a_point_is_asked_about(write: Write) -> None:
    asked = doubts(write("x,y\n" + "1.5,2\n3,4\n5,1\n7,8\n9,0\n-9999.0,3\n" * 2), "missing")
    assert asked == ["'x' has -9999.0, far from its other numbers. If it means missing, name it a code."]


def test_codes_of_digits_and_an_e_are_asked_about(write: Write) -> None:
    path = write("x,y\n12e5,2\n7712,4\n00e1,1\n99E9,3\n")
    asked = ["'x' has 12e5, read as the number 1.2e+06. A category keeps codes."]
    assert doubts(path, "kinds") == asked
    read = read_table(path, options=ReadOptions(kinds=(("x", "category"),)))
    assert set(read.column("x").categories) == {"12e5", "7712", "00e1", "99E9"}
    for powers in ("1e+05,2\n7712,4\n", "1.5e5,2\n7712,4\n", "1e-5,2\n1e5,4\n", "12,2\n13,4\n"):
        assert not doubts(write(f"x,y\n{powers}"), "kinds")


@pytest.mark.parametrize("code", ["-999.9", "9999.90", "99.99", "-32768", "9.96921e+36", "1.0E20"])
def test_codes_of_weather_stations_and_programs_are_asked_about(write: Write, code: str) -> None:
    asked = doubts(write("x,y\n" + f"1.5,2\n3,4\n5,1\n7,8\n9,0\n{code},3\n" * 2), "missing")
    assert asked == [f"'x' has {code}, far from its other numbers. If it means missing, name it a code."]


def test_dates_of_both_orders_are_counted_and_said(write: Write) -> None:
    later = ["25/03/2020", "26/03/2020"]
    cells = ["03/04/2020"] * 9000 + [f"04/{day}/2020" for day in range(13, 29)] * 300 + later
    read = read_table(write("when,x\n" + "".join(f"{cell},1\n" for cell in cells)))
    assert read.column("when").kind == "date"
    assert read.column("when").missing == 2
    assert (
        "the month is read as the first part of dates, and 2 cells tell otherwise, as 25/03/2020 first in "
        "row 13801. Others may be of the other order too: look at them." in said(read)
    )
    halves = later * 50 + ["03/25/2020"] * 50
    read = read_table(write("when,x\n" + "".join(f"{cell},1\n" for cell in halves)))
    assert read.column("when").kind == "category"
    assert "The column has both orders; make it one, or two columns." in said(read)


def test_the_order_that_most_dates_tell_is_taken(write: Write) -> None:
    cells = [f"04/{day}/2020" for day in range(13, 29)] + ["13/04/2020"]
    column = read_table(write("when,x\n" + "".join(f"{cell},1\n" for cell in cells))).column("when")
    assert (column.writing.order, column.missing) == ("mdy", 1)


def test_short_dates_with_points_need_no_zeros_and_versions_are_none(write: Write) -> None:
    days = [f"{n % 28 + 1}.{n % 12 + 1}.{19 + n % 3}" for n in range(60)]
    path = write("day,y\n" + "".join(f"{day},{n}\n" for n, day in enumerate(days)))
    read = read_table(path).column("day")
    assert (read.kind, read.missing) == ("date", 0)
    assert read.values[:2].tolist() == [17897.0, 18294.0]
    seen = preview(path)
    assert seen is not None
    assert not seen.doubts
    versions = "".join(f"{n % 3 + 1}.{n % 5}.{10 + n % 9},{n}\n" for n in range(60))
    assert read_table(write("version,y\n" + versions)).column("version").kind == "category"
    versions = "".join(f"{n % 3 + 1}.{n % 5 + 1}.{10 + n % 9},{n}\n" for n in range(60))
    assert read_table(write("version,y\n" + versions)).column("version").kind == "category"


@pytest.mark.parametrize("text", ["{}\u200b", "\u200f{}", "\u202a{}\u202c", "\u2066-{},5\u2069"])
def test_unseen_signs_keep_no_number_from_being_one(write: Write, text: str) -> None:
    read = read_table(write("a;b\n" + "".join(f"{text.format(n)};{n}\n" for n in range(20))))
    assert read.names == ("a", "b")
    assert [column.kind for column in read.columns] == ["number", "number"]
    assert read.column("a").values[3] in (3, np.float32(-3.5))
    assert "Column 'a': unseen signs in numbers are left out in 20 cells, first in row 1." in said(read)
