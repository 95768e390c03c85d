"""The character between fields: the one by which most lines have as many fields."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.data.guess import Guess, chosen
from workbench.data.text.layout.header import LOOKED_AT, MOST_JUDGED
from workbench.data.text.layout.record import Record
from workbench.data.text.layout.titles import common_width, count_titles, is_as_wide
from workbench.data.text.wrappings.aligned import ALIGNED, find_gaps, with_tabs
from workbench.data.values import numerals

if TYPE_CHECKING:
    from _csv import Reader
    from collections.abc import Sequence

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar", " ": "space"}
CONTROL_SEPARATORS = {"\x01": "control character 1"}  # Hive's
RARE_SEPARATORS = ("^", "~", ":")
LONGEST_FIELD = 2**31 - 1
FEWEST_NUMBERS = 0.5  # of the fields, where spaces part them beside tabs
ALMOST = 0.9  # of the best agreement: another separator that comes so near makes a doubt
OF_BARS = 0.5  # of the lines, which beside rules and remarks part a short table at all
_IN_QUOTES = re.compile(r'"[^"\n]*"')
_RUN_OF_SPACES = re.compile(rb'"(?:[^"]|"")*"|[ \t]+')


@dataclass(frozen=True)
class _Trial:
    """How a text looks when it is cut at one separator."""

    separator: str
    records: list[Record]
    width: int = 1
    agreeing: int = 0
    agreement: float = 0.0
    is_even: bool = False  # whether all rows have as many fields

    @cached_property
    def merit(self) -> tuple[float, float, int]:
        """Agreement first; of equal ones, by which more fields are numbers, then by which there are more."""
        if not self.agreement:
            return 0.0, 0.0, self.width
        looked_at = (record.fields[:MOST_JUDGED] for record in self.records[:LOOKED_AT])
        fields = [field.strip() for fields in looked_at for field in fields]
        return self.agreement, sum(map(numerals.is_number, fields)) / len(fields), self.width


def separator_name(separator: str) -> str:
    """Return what a separator is called."""
    return (SEPARATORS | CONTROL_SEPARATORS).get(separator, f"'{separator}'")


def find_separator(text: str, wanted: str | None = None) -> tuple[list[Record], Guess]:
    """Return the records of the text and the separator, or those by a wanted one."""
    if wanted is not None:
        return records_of(text, wanted), chosen("separator", wanted)
    outside = _IN_QUOTES.sub('""', text)
    possible = [mark for mark in (*SEPARATORS, *CONTROL_SEPARATORS) if mark == "," or mark in outside]
    trials = [_trial(text, separator) for separator in possible]
    if not any(trial.agreement for trial in trials):
        trials += _rare_trials(text)
    best = max(trials, key=lambda trial: trial.merit)  # the first of equal ones
    if best.separator == "\t":
        best = next((trial for trial in trials if _parts_numbers(trial, best)), best)
    is_loose = best.separator == " " or best.agreement < (OF_BARS if best.separator == "|" else ALMOST)
    if is_loose and not best.is_even and (gaps := find_gaps(text)):
        reason = f"The lines are aligned: {len(gaps) + 1} columns part where every line is blank."
        return records_of(text, ALIGNED), Guess("separator", ALIGNED, reason, doubtful=True)
    if not best.agreement:
        return trials[0].records, Guess("separator", ",", "No separator stands in every line: one column.")
    others = [t for t in trials if t is not best and t.agreement >= ALMOST * best.agreement]
    return best.records, Guess("separator", best.separator, _reason(best, others), bool(others))


def _parts_numbers(spaces: _Trial, tabs: _Trial) -> bool:
    """Whether spaces beside the tabs part numbers where by the tab none is a field."""
    parts_all = spaces.separator == " " and spaces.is_even and spaces.width > tabs.width
    return parts_all and tabs.merit[1] == 0 and spaces.merit[1] >= FEWEST_NUMBERS


def _trial(text: str, separator: str) -> _Trial:
    records = records_of(text, separator)
    width, count = common_width(records)
    titles = count_titles(records)
    header = records[titles].fields if records else ()
    if width < 2 or len(header) < 2:
        return _Trial(separator, records)
    fits = is_as_wide(header, width) or len(header) == width - 1
    agreement = count / (len(records) - titles) * (1 if fits else 0.5)
    if separator == " ":
        agreement *= 0.5
    is_even = fits and all(len(record.fields) == width for record in records[titles + 1 :])
    return _Trial(separator, records, width, count, agreement, is_even)


def _rare_trials(text: str) -> list[_Trial]:
    """Try the separators of few programs; a colon only below names, as it also stands in times."""
    trials = [_trial(text, separator) for separator in RARE_SEPARATORS if separator in text]
    return [trial for trial in trials if trial.is_even and _are_names(trial.records[0].fields)]


def _are_names(fields: Sequence[str]) -> bool:
    return all(field.strip() and not numerals.is_number(field.strip()) for field in fields)


def _reason(best: _Trial, others: list[_Trial]) -> str:
    share = f"{best.agreeing:,} of {len(best.records):,} lines"
    reason = f"By the {separator_name(best.separator)}, {share} have {best.width} fields"
    if not others:
        return f"{reason}."
    other = max(others, key=lambda trial: trial.merit)
    return f"{reason}; by the {separator_name(other.separator)}, {other.agreeing:,} have {other.width}."


def records_of(text: str, separator: str) -> list[Record]:
    """Cut a text into records that hold something; by the space, tabs count as spaces."""
    if separator == ALIGNED:
        text, separator = with_tabs(text, find_gaps(text)), "\t"
    if separator == " ":
        text, separator = spaces_to_tabs(text.encode("utf-8", "replace")).decode(), "\t"
    reader = reader_of(text, separator)
    return [Record(tuple(fields), reader.line_num) for fields in reader if any(fields)]


def reader_of(text: str, separator: str) -> Reader:
    """Read the fields of each record of a text, however long they are."""
    csv.field_size_limit(LONGEST_FIELD)  # of the process; the usual one is below many a text
    return csv.reader(io.StringIO(text, newline="\n"), delimiter=separator, skipinitialspace=True)


def spaces_to_tabs(data: bytes) -> bytes:
    """Write each run of spaces outside quotes as one tab."""
    lines = (line.strip(b" \t") for line in data.split(b"\n"))
    tight = b"\n".join(lines)
    return _RUN_OF_SPACES.sub(lambda run: run[0] if run[0][:1] == b'"' else b"\t", tight)
