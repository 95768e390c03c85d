"""The columns of a table held against those that a model reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from workbench.data.found_columns import alike_columns, alike_text, found_columns, twins_text
from workbench.data.values.dates import FIRST_PART
from workbench.data.values.decimal_sign import OTHER, SIGN_WORDS
from workbench.errors import WorkbenchError
from workbench.scoring.feature_cells import EXACT_TO

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from workbench.data.schema import DataSchema
    from workbench.scoring.column_unit import ColumnUnit
    from workbench.scoring.feature_cells import FeatureCells
    from workbench.scoring.tally import Tally

MOST_NAMED = 5
DifferenceKind = Literal[
    "read", "order", "decimal", "unit", "missing", "extra", "renamed", "type", "new", "rounded"
]


@dataclass(frozen=True)
class TableDifference:
    """One way in which a table is not as the model knows it, in a sentence.

    Attributes
    ----------
    kind : {"read", "order", "decimal", "unit", "missing", "extra", "renamed", "type", "new", "rounded"}
    text : str
    columns : tuple of str
    cells : int
        How many it concerns; 0 where whole columns.
    """

    kind: DifferenceKind
    text: str
    columns: tuple[str, ...]
    cells: int = 0

    @property
    def is_warning(self) -> bool:
        """Whether predictions suffer by it."""
        return self.kind not in ("read", "extra", "renamed")


@dataclass(frozen=True)
class Match:
    """Where a model's columns stand in a table.

    Attributes
    ----------
    found : mapping of str to str
        By the model's name, the table's.
    missing : tuple of str
    extra : tuple of str
        Columns that the model does not read; the target and the like are not among them.
    advice : mapping of str to str
        For missing columns, what to do: where others differ only by case, spaces or signs, or names are one.
    """

    found: Mapping[str, str]
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    advice: Mapping[str, str]

    def differences(self) -> list[TableDifference]:
        """Say what is missing, what is read from a column of another name, and what is left alone."""
        told = self._missing()
        for name, here in self.found.items():
            if here != name.strip():
                told.append(TableDifference("renamed", _renamed_text(name, here), (name,)))
        if self.extra:
            n = len(self.extra)
            are = "1 column is" if n == 1 else f"{n:,} columns are"
            words = f"{are} not the model's and left alone: {_listed(self.extra)}."
            told.append(TableDifference("extra", words, self.extra))
        return told

    def _missing(self) -> list[TableDifference]:
        """Say what is missing: in one line, but for columns with advice of their own."""
        words = "missing, and taken as missing in every row"
        bare = tuple(name for name in self.missing if not self.advice[name])
        told = [
            TableDifference("missing", f"Column '{name}' is {words}.{self.advice[name]}", (name,))
            for name in self.missing if self.advice[name] or len(bare) == 1
        ]  # fmt: skip
        if len(bare) > 1:
            text = f"{len(bare):,} columns are {words}: {_listed(bare)}."
            told.append(TableDifference("missing", text, bare))
        return told


def match_columns(schema: DataSchema, names: Sequence[str], source: str) -> Match:
    """Find the model's columns by their names.

    Raises
    ------
    WorkbenchError
        Where the table has none of them, or lacks the model's offset.
    """
    found = found_columns(schema, names)
    missing = tuple(name for name in schema.names if name not in found)
    if not found and schema.names:
        meant = alike_columns(missing[:1], names).get(missing[0], ())
        choose = alike_text(meant) or " Choose a table with the columns that the model was trained on."
        raise WorkbenchError(
            f"'{source}' has none of the model's {len(missing):,} columns: '{_short(missing[0])}' is "
            f"missing, and so on.{twins_text(schema, missing[0]) or choose}"
        )
    if schema.offset is not None and schema.offset not in names:
        raise WorkbenchError(f"The model's offset '{schema.offset}' is missing. Add it to the table.")
    known = {*found.values(), schema.target, schema.weight, schema.group, schema.offset}
    extra = tuple(name for name in names if name not in known)
    alike = alike_columns(missing, extra)
    advice = {name: twins_text(schema, name) or alike_text(alike.get(name, ())) for name in missing}
    return Match(found, missing, extra, advice)


def cell_differences(features: Iterable[FeatureCells], *, of_doubles: bool) -> list[TableDifference]:
    """Say which cells were not as the model expects.

    `of_doubles` tells that the program which made the model does not round numbers to single precision.
    """
    told = []
    for column in features:
        name = column.feature.name
        told += _order_differences(column) + _sign_differences(column)
        told += _unit_differences(name, column.unit)
        if column.turned.cells:
            words = _turned_text(name, column.order or "", column.turned)
            told.append(TableDifference("order", words, (name,), column.turned.cells))
        if column.unread.cells:
            words = _unread_text(name, column.feature.kind == "date", column.unread)
            told.append(TableDifference("type", words, (name,), column.unread.cells))
        if column.unknown.cells:
            words = _unknown_text(name, column.unknown)
            told.append(TableDifference("new", words, (name,), column.unknown.cells))
        if of_doubles and column.rounded.cells:
            words = _rounded_text(name, column.rounded)
            told.append(TableDifference("rounded", words, (name,), column.rounded.cells))
    return told


def _renamed_text(name: str, here: str) -> str:
    is_underscored = here.replace(" ", "_").strip("_") == name.strip("_")
    why = ": the model's file has underscores for blanks" if is_underscored else ""
    return f"Column '{name}' is read from '{here}'{why}."


def _order_differences(column: FeatureCells) -> list[TableDifference]:
    """Say where day and month stand otherwise than in the table trained on, or are only known by it."""
    name = column.feature.name
    ours, other = ("day", "month") if column.feature.writing.order == "dmy" else ("month", "day")
    if column.is_reordered:
        words = f"dates begin with the {other} here, and began with the {ours} where the model was trained"
        text = f"Column '{name}': {words}. They are read as they stand here."
        return [TableDifference("order", text, (name,))]
    if column.is_as_trained:
        words = f"no first date tells day from month; as for training, the {ours} comes first"
        return [TableDifference("read", f"Column '{name}': {words}.", (name,))]
    return []


def _unit_differences(name: str, unit: ColumnUnit) -> list[TableDifference]:
    """Say which numbers have another unit than those of the table trained on, or none."""
    own = unit.trained
    told: tuple[tuple[Tally, DifferenceKind, str], ...] = (
        (unit.converted, "read", f"in another unit and brought to {own}, as for training"),
        (unit.refused, "unit", f"in a unit that cannot be brought to {own}, and taken as missing"),
        (unit.bare, "unit", f"without a unit and taken as {own}, as for training"),
        (unit.left_out, "unit", "with a unit, which is left out, as the model knows none for this column"),
    )
    return [
        TableDifference(kind, _unit_text(name, tally, words), (name,), tally.cells)
        for tally, kind, words in told if tally.cells
    ]  # fmt: skip


def _unit_text(name: str, tally: Tally, words: str) -> str:
    cells = "1 cell is" if tally.cells == 1 else f"{tally.cells:,} cells are"
    return f"Column '{name}': {cells} {words}, first '{_short(tally.first)}' in row {tally.first_row:,}."


def _turned_text(name: str, order: str, tally: Tally) -> str:
    cells = "1 cell tells" if tally.cells == 1 else f"{tally.cells:,} cells tell"
    return (
        f"Column '{name}': the {FIRST_PART[order]} is read as the first part of dates, and {cells} "
        f"otherwise, first '{_short(tally.first)}' in row {tally.first_row:,}. Where all are so, give the "
        "other order."
    )


def _sign_differences(column: FeatureCells) -> list[TableDifference]:
    """Say where numbers have another decimal sign than in the table trained on, or it is only known by it."""
    name, sign = column.feature.name, column.feature.writing.decimal
    if column.has_other_sign:
        here, there = SIGN_WORDS[OTHER[sign]], SIGN_WORDS[sign]
        words = f"a {here} is the decimal sign here, and a {there} was where the model was trained"
        text = f"Column '{name}': {words}. It is read as it stands here."
        return [TableDifference("decimal", text, (name,))]
    if column.has_open_sign:
        words = f"no first number tells the decimal sign; as for training, it is the {SIGN_WORDS[sign]}"
        return [TableDifference("read", f"Column '{name}': {words}.", (name,))]
    return []


def _unread_text(name: str, is_date: bool, tally: Tally) -> str:
    what = "date" if is_date else "number"
    cells = f"1 cell is no {what}" if tally.cells == 1 else f"{tally.cells:,} cells are no {what}s"
    return (
        f"Column '{name}': {cells} and taken as missing, first '{_short(tally.first)}' in row "
        f"{tally.first_row:,}."
    )


def _rounded_text(name: str, tally: Tally) -> str:
    cells = "1 number is" if tally.cells == 1 else f"{tally.cells:,} numbers are"
    return (
        f"Column '{name}': {cells} rounded, first '{_short(tally.first)}' in row {tally.first_row:,}, as "
        f"whole numbers are exact up to {EXACT_TO:,} only. The program that made the model tells them apart."
    )


def _unknown_text(name: str, tally: Tally) -> str:
    n = f"{len(tally.texts):,}"
    new = "a new category" if n == "1" else f"{'more than ' * tally.is_cut}{n} new categories"
    rows = "1 row has" if tally.cells == 1 else f"{tally.cells:,} rows have"
    named = ", ".join(f"'{_short(text)}'" for text, _ in tally.texts.most_common(MOST_NAMED))
    more = ", …" if len(tally.texts) > MOST_NAMED else ""
    return f"Column '{name}': {rows} {new} ({named}{more}), for which every question is answered no."


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return ", ".join(f"'{_short(name)}'" for name in names[:MOST_NAMED]) + more


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:39] + "…"

