"""A table as the matrix that trees read, by a model's schema."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.found_columns import alike_columns, alike_text, found_columns, one_of_each, twins_text
from workbench.data.given.missing import without_codes
from workbench.data.given.rows import is_frame, rows_of
from workbench.data.readers.options import ReadOptions
from workbench.data.table import Column, Table
from workbench.data.values import numerals
from workbench.data.values.column_types import convert
from workbench.data.values.columns import LARGEST_READ, category_column
from workbench.data.values.compact_dates import days_where_written, number_column_of
from workbench.data.values.known_labels import KnownLabels
from workbench.data.values.truth_words import NUMBERS
from workbench.data.values.units import factor_between
from workbench.data.values.value_labels import labels_of_array
from workbench.errors import WorkbenchError, leave_if
from workbench.mapped import empty_beside

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema, Feature
    from workbench.data.values.cell_rules import CellRules

CELLS_AT_ONCE = 65_536  # stay in the cache


def encode(schema: DataSchema, data: Any) -> NDArray[np.float32]:
    """Encode rows for prediction.

    Parameters
    ----------
    schema : DataSchema
    data : Table, DataFrame, table of Arrow, or array-like of shape (n, d)
        Columns are found by name, those of an ndarray by position. The target is not needed and
        other columns are left alone.

    Returns
    -------
    ndarray of float32, shape (n, d)
        Categories are codes of the schema; a category that it does not list is
        `len(categories)`, and missing is NaN, as is what is infinite or beyond 3.4e38.
    """
    data = rows_of(data)
    if isinstance(data, np.ndarray) and data.dtype.kind in "fiub":
        return _encode_numbers(schema, without_codes(schema, data) if schema.settled else data)
    if isinstance(data, Table):
        return encode_table(schema.features, data, found=_all_found(schema, data.names))
    from workbench.data.given.frames import frame_names, table_from_frame

    if is_frame(data):
        labels = [str(label) for label in data.columns]
        names = frame_names(data)[0]
        found = one_of_each(schema, _all_found(schema, names, labels), labels)
    else:
        data = _frame_of_array(schema, data)
        names = frame_names(data)[0]
        found = dict(zip(schema.names, names, strict=True))
    rules = _rules_of(schema, found)
    by_name = {name: place for place, name in enumerate(names)}
    places = [by_name[found[name]] for name in schema.names]
    numbers = _plain_numbers(schema.features, data, places, rules)
    if numbers is not None:
        return numbers
    known = {found[feature.name]: feature.categories for feature in schema.features if feature.is_categorical}
    table = table_from_frame(data, wanted=set(found.values()), known=known, rules=rules)
    return encode_table(schema.features, table, found=found)


def _plain_numbers(
    features: Sequence[Feature], frame: pd.DataFrame, places: list[int], rules: CellRules
) -> NDArray[np.float32] | None:
    """Encode few rows at once, to the same, where all columns are numbers of numpy; None for others."""
    are_plain = all(feature.kind == "number" and not feature.writing.unit for feature in features)
    if not are_plain or len(frame) * len(features) > CELLS_AT_ONCE:
        return None
    wanted = frame.iloc[:, places]
    if not all(isinstance(kind, np.dtype) and kind.kind in "fiu" for kind in wanted.dtypes):
        return None
    with np.errstate(invalid="ignore"):
        numbers = rules.without_missing(wanted.to_numpy(np.float64))
        return np.where(np.abs(numbers) > LARGEST_READ, np.nan, numbers).astype(np.float32)


def _rules_of(schema: DataSchema, found: Mapping[str, str]) -> CellRules:
    """Return how the texts of a frame are read: as was settled, or found, for the table trained on."""
    known = tuple((found[feature.name], feature.writing) for feature in schema.features)
    return ReadOptions(known=known).filled(schema.settled).cell_rules


def single_precision(array: NDArray[Any]) -> NDArray[np.float32]:
    """Return the numbers in float32, contiguous by row or column; the array itself where it is so already."""
    with np.errstate(over="ignore"):
        single = np.asarray(array, np.float32)
    return single if single.flags.forc else np.ascontiguousarray(single)


def without_infinite(matrix: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.bool_] | None]:
    """Return the matrix with NaN for what is infinite or beyond 3.4e38, and where that is.

    A matrix that has nothing of it is returned itself, with None; it is never written to.
    """
    rows_at_once = max(1, CELLS_AT_ONCE // max(1, matrix.shape[1]))
    for begin in range(0, len(matrix), rows_at_once):
        if _are_beyond(matrix[begin : begin + rows_at_once]).any():
            beyond = _are_beyond(matrix)
            return np.where(beyond, np.float32(np.nan), matrix), beyond
    return matrix, None


def _are_beyond(block: NDArray[np.float32]) -> NDArray[np.bool_]:
    return (block > LARGEST_READ) | (block < -LARGEST_READ)


def encode_table(
    features: tuple[Feature, ...], table: Table, cancelled: Callable[[], bool] | None = None,
    rows: NDArray[np.int64] | None = None, found: Mapping[str, str] | None = None,
) -> NDArray[np.float32]:  # fmt: skip
    """Encode the columns of a table at all or some ascending rows; mapped where it is.

    `found` gives the table's names of the features, where they are other ones; `cancelled` is asked before
    each column.
    """
    every = rows is None or len(rows) == table.n_rows
    shape = (table.n_rows if rows is None else len(rows), len(features))
    values = table.columns[0].values if table.columns else np.empty(0)
    matrix: NDArray[np.float32] = empty_beside(values, shape, np.float32, "F")
    columns = {column.name: column for column in table.columns}
    for place, feature in enumerate(features):
        leave_if(cancelled)
        name = feature.name if found is None else found[feature.name]
        encoded = encode_column(feature, columns[name])
        matrix[:, place] = encoded if every else encoded[rows]
    return matrix


def _all_found(
    schema: DataSchema, names: Sequence[str], labels: Sequence[str] | None = None
) -> dict[str, str]:
    """Return the table's names of all the model's columns."""
    found = found_columns(schema, names, labels)
    missing = [name for name in schema.names if name not in found]
    if missing:
        taken = set(found.values())
        alike = alike_columns(missing[:1], [name for name in names if name not in taken]).get(missing[0], ())
        raise WorkbenchError(
            f"Column '{missing[0]}' is missing, and the model needs it."
            + (twins_text(schema, missing[0]) or alike_text(alike) or " Add it to the table.")
        )
    return found


def encode_column(feature: Feature, column: Column) -> NDArray[np.float32]:
    """Encode one column as the feature that the model knows; truth values may be its numbers 0 and 1."""
    if feature.is_categorical:
        return _encode_labels(feature, column)
    if feature.kind == "number":
        column = _in_unit(feature, column)
    if not column.is_categorical:
        return _encode_numbers_or_dates(feature, column)
    labels = [label.lower() for label in column.categories]
    if feature.kind == "number" and set(labels) <= NUMBERS.keys():
        codes = np.where(np.isnan(column.values), len(labels), column.values).astype(np.int64)
        return np.array([*map(NUMBERS.__getitem__, labels), np.nan], np.float32)[codes]
    try:
        return convert(column, feature.kind).values
    except WorkbenchError:
        raise WorkbenchError(_text_in_numbers(feature, column)) from None


def _in_unit(feature: Feature, column: Column) -> Column:
    """Return numbers in the unit trained on, where they have another one, or each its own."""
    wanted = feature.writing.unit
    if not wanted or column.kind == "date":
        return column
    if not column.is_categorical:
        factor = _factor(feature, column.writing.unit)
        return column if factor == 1 else replace(column, values=(column.values * factor).astype(np.float32))
    units = [numerals.unit_of(label) or "" for label in column.categories]
    if set(units) <= {"", wanted}:
        return column
    factors = np.array([*(_factor(feature, unit) for unit in units), np.nan])
    codes = np.where(np.isnan(column.values), len(units), column.values).astype(np.int64)
    numbers = convert(column, "number")
    return replace(numbers, values=(numbers.values * factors[codes]).astype(np.float32))


def _factor(feature: Feature, unit: str) -> float:
    wanted = feature.writing.unit
    factor = factor_between(unit, wanted) if unit else 1.0
    if factor is None:
        raise WorkbenchError(
            f"Column '{feature.name}' has numbers in {unit}, and the model was trained on {wanted}. "
            "Convert them."
        )
    return factor


def _encode_numbers_or_dates(feature: Feature, column: Column) -> NDArray[np.float32]:
    """Encode dates, which may be written as whole numbers, 20200131, where the model has either."""
    if feature.kind == column.kind:
        return column.values
    if column.kind == "date":
        return number_column_of(column).values if column.writing.is_compact else column.values
    numbers = column.values if column.exact is None else column.exact
    return days_where_written(numbers).astype(np.float32)


def _encode_labels(feature: Feature, column: Column) -> NDArray[np.float32]:
    if not feature.categories and not column.is_categorical:
        return column.values
    if not column.is_categorical:
        column = convert(number_column_of(column) if column.writing.is_compact else column, "category")
    known, unseen = KnownLabels(feature), len(feature.categories)
    places = map(known.code, column.categories)
    recode = np.array([*(unseen if p is None else p for p in places), np.nan], dtype=np.float32)
    codes = np.where(np.isnan(column.values), len(column.categories), column.values).astype(np.int64)
    return recode[codes]


def _text_in_numbers(feature: Feature, column: Column) -> str:
    for code, label in enumerate(column.categories):
        single = Column(column.name, "category", np.zeros(1, np.float32), (label,))
        try:
            convert(single, feature.kind)
        except WorkbenchError:
            row = int(np.argmax(column.values == code)) + 1
            what = "dates" if feature.kind == "date" else "numbers"
            return (
                f"Column '{feature.name}' has text where the model needs {what}: '{label}' in row {row}. "
                "Correct it or leave it empty."
            )
    return f"Column '{feature.name}' has mixed ways of writing numbers. Write them in one way."


def _encode_numbers(schema: DataSchema, data: NDArray[Any]) -> NDArray[np.float32]:
    _check_shape(schema, data)
    matrix, _ = without_infinite(single_precision(data))
    coded_places = [place for place, feature in enumerate(schema.features) if feature.kind != "number"]
    if not coded_places:
        return matrix
    coded = matrix.copy(order="K")
    for place in coded_places:
        coded[:, place] = _encode_given(schema.features[place], matrix[:, place], data[:, place])
    return coded


def _encode_given(
    feature: Feature, single: NDArray[np.float32], given: NDArray[Any]
) -> NDArray[np.float32]:  # fmt: skip
    """Encode a column of an array as categories or dates, from its values as they were given."""
    if feature.categories:
        return _encode_labels(feature, category_column(feature.name, labels_of_array(given)))
    exact = np.where(np.isnan(single), np.nan, given.astype(np.float64)) if feature.kind == "date" else None
    return encode_column(feature, Column(feature.name, "number", single, exact=exact))


def _frame_of_array(schema: DataSchema, array: NDArray[Any]) -> pd.DataFrame:
    import pandas as pd

    _check_shape(schema, array)
    values = array if array.dtype.kind in "mM" else array.astype(object)  # as objects moments are numbers
    return pd.DataFrame(values, columns=list(schema.names))


def _check_shape(schema: DataSchema, data: NDArray[Any]) -> None:
    d = len(schema.features)
    if data.ndim != 2 or data.shape[1] != d:
        shape = f"The array has shape {data.shape}, the model needs (rows, {d})"
        raise WorkbenchError(f"{shape}. Reshape your data.")
