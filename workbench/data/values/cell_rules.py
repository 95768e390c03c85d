"""How the text of a cell is read: the decimal sign, what stands for missing, the order of dates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from workbench.data.values import numerals
from workbench.data.values.labels import MISSING_CODES
from workbench.data.values.writing import UNKNOWN, Writing

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from numpy.typing import NDArray

# Missing where all other cells are numbers.
_NO_DAY = ("0000-00-00", "0000-00-00 00:00:00", "00.00.0000", "00/00/0000")  # MySQL writes the first two
_SIGNS = (".", "-", "--", "---", "–", "—", "..", "...", ":", "/", *("*" * n for n in range(1, 21)))
_OF_STATA = (f".{letter}" for letter in "_abcdefghijklmnopqrstuvwxyz")  # and SAS
_GAPS = (
    "missing", "none", "na", "null", "nan",
    "n.a.", "n. a.", "k.a.", "k. a.", "not available", "no data", "nd", "n.d.", "nil",
    "undetermined", "n/d",
    "#na", "empty", "(empty)", "blank", "(blank)",
)  # fmt: skip
_WORDS = (
    "unknown", "unk", "not applicable", "not reported", "not recorded", "not measured", "n/r", "nr", "tbd",
    "tba", "tbc", "unspecified", "undefined", "(d)", "(s)", "(x)", "(na)", "#", "†",
    "n/v", "n.v.", "n. v.", "nv", "unbekannt", "fehlt", "fehlend", "leer", "keine angabe", "keine angaben",
    "keine daten", "nicht verfügbar", "inconnu", "manquant", "desconocido", "s/d", "s.d.", "sin dato",
    "sin datos", "sconosciuto", "onbekend", "okänd", "saknas", "ukjent", "ukendt", "mangler", "ei tietoa",
    "puuttuu", "brak", "brak danych", "нет данных", "н/д", "неизвестно", "不明", "未知", "欠損",
)  # fmt: skip
WORD_GAPS = frozenset(_WORDS)  # of which a person is asked
NUMBER_GAPS = frozenset({*_NO_DAY, *_SIGNS, *_GAPS, *_OF_STATA, *WORD_GAPS})

DecimalSign = Literal[".", ","]
DateOrder = Literal["dmy", "mdy"]


@dataclass(frozen=True)
class CellRules:
    """What holds for every cell of a table; None leaves it to each column.

    Attributes
    ----------
    decimal : "." or ",", optional
    missing : frozenset of str
        Texts that stand for missing in every column.
    number_gaps : frozenset of str
        Texts, in lower case, that stand for missing where all other cells of a column are numbers.
    dates : "dmy" or "mdy", optional
        What the first two parts of 03/04/2020 are.
    day_first : bool
        Whether they are likelier day and month where no date of a column tells.
    finds_days : bool
        Whether columns of whole numbers that write days, as 20200131, are dates.
    known : tuple of (name, Writing)
        How columns are written in another table; it holds where no cell tells.
    """

    decimal: DecimalSign | None = None
    missing: frozenset[str] = MISSING_CODES
    number_gaps: frozenset[str] = NUMBER_GAPS
    dates: DateOrder | None = None
    day_first: bool = False
    finds_days: bool = True
    known: tuple[tuple[str, Writing], ...] = ()

    def for_cells(self, columns: Iterable[Iterable[str]]) -> CellRules:
        """Return the rules for a table with these first cells: beside decimal commas the day comes first."""
        return replace(self, day_first=self.decimal == "," or any(map(self._has_decimal_commas, columns)))

    def _has_decimal_commas(self, cells: Iterable[str]) -> bool:
        cells = tuple(cells)
        if self.decimal is not None or not any("," in cell for cell in cells):
            return False
        texts = [text for text in map(str.strip, cells) if not self.is_missing(text)]
        texts = [text for text in texts if text.casefold() not in self.number_gaps]
        return bool(texts) and numerals.parse(texts) is not None and numerals.parse(texts, ".") is None

    @cached_property
    def _known(self) -> dict[str, Writing]:
        return dict(self.known)

    def writing_of(self, name: str) -> Writing:
        """Return how a column is written where no cell tells."""
        return self._known.get(name, UNKNOWN)

    def without(self, known: Collection[str]) -> CellRules:
        """Return rules under which these texts are labels, and not missing."""
        if not known:
            return self
        gaps = self.number_gaps - {text.lower() for text in known}
        return replace(self, missing=self.missing - frozenset(known), number_gaps=gaps)

    @cached_property
    def _missing_values(self) -> tuple[float, ...]:
        """The codes that are numbers, as -999."""
        sign = self.decimal or "."
        return tuple(numerals.plain_value(c, sign) for c in self.missing if numerals.is_plain(c, sign))

    def is_missing(self, text: str) -> bool:
        """Whether a cell is empty or a code; of a code that is a number the value counts: -999.0 is -999."""
        if text in self.missing:
            return True
        sign, values = self.decimal or ".", self._missing_values
        return bool(values) and numerals.is_plain(text, sign) and numerals.plain_value(text, sign) in values

    def without_missing(self, values: NDArray[Any]) -> NDArray[Any]:
        """Put the codes that are numbers to NaN."""
        codes = self._missing_values
        return np.where(np.isin(values, codes), np.nan, values) if codes else values


USUAL = CellRules()
