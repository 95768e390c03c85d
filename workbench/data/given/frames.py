"""Tables made of pandas frames, column by column as the file readers would read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.given.plain_series import plain_series
from workbench.data.table import Column, Table, TableNote
from workbench.data.text.layout.header import name_of_label, unique_names
from workbench.data.values.cell_rules import USUAL, CellRules
from workbench.data.values.change import change_where
from workbench.data.values.change_notes import change_notes
from workbench.data.values.column_types import convert, infer
from workbench.data.values.columns import (
    category_column,
    long_whole_numbers,
    number_column,
    whole_number_column,
)
from workbench.data.values.dates import IN_UTC
from workbench.data.values.known_labels import is_beyond
from workbench.data.values.labels import Labels
from workbench.data.values.places import Places
from workbench.data.values.value_labels import labels_of_series

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    import pandas as pd
    from numpy.typing import NDArray

_OWN_LABELS = CellRules(missing=frozenset({"", "?"}), number_gaps=frozenset())  # what pandas reads as text


def frame_of(columns: Mapping[str, Any]) -> pd.DataFrame:
    """Make a frame of columns by name; those of objects get the type of their values."""
    import pandas as pd

    return pd.DataFrame(dict(columns)).infer_objects()


def table_from_frame(
    frame: pd.DataFrame, name: str = "table", wanted: Collection[str] | None = None,
    known: Mapping[str, Collection[str]] | None = None, rules: CellRules = USUAL,
) -> Table:  # fmt: skip
    """Make a table of a frame, or of the wanted columns: numbers, truth values, categories, text, dates.

    A frame says itself what is missing: texts such as "NULL" and "nan" are labels, which is remarked; only
    "?", which pandas does not know, is missing. Text that holds only numbers becomes a number, and there all
    of them are. With `known`, the labels of a model's columns, only those are kept, and
    texts are read by the model's rules.
    """
    names, notes = frame_names(frame)
    columns = []
    for place, column_name in enumerate(names):
        if wanted is not None and column_name not in wanted:
            continue
        column, more = column_from_series(
            column_name, frame.iloc[:, place], None if known is None else known.get(column_name, ()), rules
        )
        columns.append(column)
        notes = [*notes, *more]
    return Table(name, tuple(columns), tuple(notes))


def frame_names(frame: pd.DataFrame) -> tuple[tuple[str, ...], list[TableNote]]:
    """Return the names that the columns of a frame get in a table."""
    return unique_names([name_of_label(label) for label in frame.columns])


@np.errstate(invalid="ignore")  # of a NaN that signals, as a file may hold one
def column_from_series(
    name: str, series: pd.Series, known: Collection[str] | None = None, of_model: CellRules = USUAL
) -> tuple[Column, list[TableNote]]:
    """Make a column of one series; `known` labels are never missing, as in `table_from_frame`."""
    import pandas as pd

    series = plain_series(name, series)
    kind, rules = series.dtype, _OWN_LABELS if known is None else of_model.without(known)
    is_text = pd.api.types.is_object_dtype(kind) or pd.api.types.is_string_dtype(kind)
    if isinstance(kind, pd.CategoricalDtype) or (known and not is_text):
        return column_of_categories(name, labels_of_series(series), rules), []
    if pd.api.types.is_bool_dtype(kind):
        return infer(name, labels_of_series(series))
    if pd.api.types.is_integer_dtype(kind):
        missing, values = series.isna().to_numpy(), series.fillna(0).to_numpy(kind.type)
        return whole_number_column(name, values, missing | np.isnan(rules.without_missing(values)))
    if pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_complex_dtype(kind):
        numbers = series.to_numpy(dtype=np.float64, na_value=np.nan)
        return number_column(name, rules.without_missing(numbers))
    if pd.api.types.is_datetime64_any_dtype(kind):
        column, notes = number_column(name, _days(series), "date")
        return column, notes + zone_notes(column, series.dt.tz)
    labels = labels_of_series(series)
    if known:
        return _of_known_labels(name, labels, rules, known), []
    if known is not None:
        return infer(name, labels, rules)
    return column_of_texts(name, labels)


def column_of_categories(name: str, labels: Labels, rules: CellRules = _OWN_LABELS) -> Column:
    """Make a column of categories, also of those that are in no row."""
    return category_column(name, labels.tidy(rules.is_missing))


def column_of_texts(name: str, labels: Labels) -> tuple[Column, list[TableNote]]:
    """Make a column of texts that say themselves which are missing: numbers, dates, or their own labels."""
    column, notes = infer(name, labels)
    if column.kind in ("number", "date") and column.missing < len(labels.codes):
        return column, notes
    column, notes = infer(name, labels, _OWN_LABELS)
    return column, notes + _own_label_notes(name, labels)


def zone_notes(column: Column, zone: object) -> list[TableNote]:
    """Say that the times of a zone other than UTC are read in UTC."""
    if zone is None or str(zone).upper() in ("UTC", "ETC/UTC", "+00:00"):
        return []
    return whole_column_notes(column, IN_UTC)


def whole_column_notes(column: Column, what: str) -> list[TableNote]:
    """Say a rule by which every cell of a column that has a value was read."""
    present = Labels(("",), np.where(np.isnan(column.values), -1, 0))
    return change_notes(column.name, change_where(what, [True]), present)


def _of_known_labels(name: str, labels: Labels, rules: CellRules, known: Collection[str]) -> Column:
    """Take texts as they stand where a model knows them, 007 too, others as a column of them has them.

    Whole numbers of more digits than double precision stand as they are too.
    """
    tidy = Labels(labels.texts, np.arange(len(labels.texts))).tidy(rules.is_missing)
    known = frozenset((*known, *long_whole_numbers(tidy.texts)))
    each, _ = infer(name, Labels(tidy.texts, np.arange(len(tidy.texts))), rules)
    read = convert(each, "category")
    tidied = [
        text if text in known else None if np.isnan(code) or is_beyond(text) else read.categories[int(code)]
        for text, code in zip(tidy.texts, read.values, strict=True)
    ]
    texts = [
        text if text in known else None if place < 0 else tidied[place]
        for text, place in zip(labels.texts, tidy.codes.tolist(), strict=True)
    ]
    return category_column(name, Labels.of_recoded(labels, texts))


def _own_label_notes(name: str, labels: Labels) -> list[TableNote]:
    """Say which labels would mean missing in a file."""
    texts = [(text, text.strip()) for text in labels.texts]
    found = [text for text, code in texts if USUAL.is_missing(code) and not _OWN_LABELS.is_missing(code)]
    if not found:
        return []
    cells = Places.of_texts(labels, found)
    listed = " or ".join(f"'{text.strip()}'" for text in found)
    why = "a label, as the table has other signs for missing"
    text = f"Column '{name}': {cells.are} {listed}, {cells.first}: {why}."
    return [TableNote(text, name, cells.count, "warning")]


def _days(series: pd.Series) -> NDArray[np.float64]:
    if series.dt.tz is not None:
        series = series.dt.tz_convert("UTC").dt.tz_localize(None)
    moments = series.to_numpy().astype("datetime64[us]")
    days = moments.astype(np.int64) / 86_400_000_000
    return np.where(np.isnat(moments), np.nan, days)
