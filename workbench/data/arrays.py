"""Datasets made of arrays, for the Python API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.data.classes import ordered_labels
from workbench.data.dataset import Dataset, checked_weight, offset_values, regression_values
from workbench.data.distinct import distinct_codes
from workbench.data.encoding import encode, encode_table, single_precision, without_infinite
from workbench.data.remarks import left_out_notes
from workbench.data.roles import guess_task
from workbench.data.schema import DataSchema, features_of
from workbench.data.splits import hold_out, hold_out_groups
from workbench.data.table import Column, Note, Table
from workbench.data.values.column_types import convert
from workbench.data.values.columns import LARGEST, category_column, refused_notes
from workbench.data.values.places import Places
from workbench.data.values.value_labels import labels_of_array, labels_of_series
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.data.classes import Label
    from workbench.data.schema import Task
    from workbench.data.values.labels import Labels


class _Answers(NamedTuple):
    """A target as it was given: natural labels, code of each row (-1 is missing), numbers if it has any."""

    labels: Sequence[Label]
    codes: NDArray[np.int64]
    numbers: NDArray[np.float64] | None


def dataset_from_arrays(
    X: Any,
    y: Any,
    *,
    weight: Any = None,
    names: Sequence[str] | None = None,
    categories: Sequence[str | int] = (),
    valid: tuple[Any, ...] | None = None,
    valid_fraction: float = 0.0,
    seed: int = 0,
    stratified: bool = True,
    task: Task | None = None,
    positive: str | None = None,
    target_name: str = "target",
    group: Any = None,
    offset: Any = None,
    offset_name: str = "base_margin",
) -> Dataset:
    """Encode arrays or frames for training.

    Parameters
    ----------
    X : ndarray of shape (n, d) or DataFrame
    y : array-like of shape (n,)
        Numbers, text or truth values; class labels keep their type. Rows without one are left out. Numbers
        in float64 that stand for themselves are not copied.
    weight : array-like of shape (n,), optional
    names : sequence of str, optional
        Of the columns of an ndarray; f0, f1 … without.
    categories : sequence of str or int
        Names or places of columns to be taken as categories.
    valid : tuple, optional
        (X, y) or (X, y, weight) of validation rows; otherwise
        `valid_fraction` of the rows is held out.
    valid_fraction, seed, stratified, task, positive
        As in `build_dataset`.
    target_name : str
    group : array-like of shape (n,), optional
        The query of each row; whole queries are held out.
    offset : array-like of shape (n,), optional
        Known part of each row's raw prediction.
    """
    table, matrix = _table_of(X, names)
    if categories:
        table, matrix = _with_categories(table, matrix, categories, X)
    answers = _answers(y, table.n_rows, target_name, task == "regression")
    target = Column(target_name, _kind(answers), _single(answers), _texts(answers))
    task = task or guess_task(target)
    labels = () if task == "regression" else ordered_labels(answers.labels, task, positive, target_name)
    values = _target_values(answers, labels, target_name)
    rows = np.flatnonzero(~np.isnan(values))
    schema = DataSchema(
        features=features_of(table.columns),
        target=target_name,
        task=task,
        class_labels=labels,
        weight=None if weight is None else "weight",
        offset=None if offset is None else offset_name,
        source=table.name,
        rows=table.n_rows,
        journal=(*table.notes, *left_out_notes(target, Places.of(np.isnan(values)))),
    )
    by_class = stratified and task != "regression"
    fraction = 0.0 if valid is not None else valid_fraction
    groups = None if group is None else _groups(group, rows, table.n_rows)
    if groups is not None:
        train_rows, valid_rows = hold_out_groups(groups.astype(np.float64), fraction, seed)
    else:
        train_rows, valid_rows = hold_out(values[rows] if by_class else len(rows), fraction, seed, stratified)
    if len(train_rows) == table.n_rows:
        train_rows = rows  # the same numbers: once is enough
    if matrix is None:
        matrix = encode_table(schema.features, table)
    dataset = Dataset(
        schema=schema,
        features=matrix if len(rows) == len(matrix) else matrix[rows],
        target=values if len(rows) == len(values) else values[rows],
        weight=None if weight is None else _weights(weight, rows, table.n_rows),
        train_rows=train_rows,
        valid_rows=valid_rows,
        table_rows=rows,
        dropped=table.n_rows - len(rows),
        groups=groups,
        offset=None if offset is None else _offset(offset, rows, table.n_rows, offset_name),
    )
    return dataset if valid is None else _with_valid(dataset, *valid)


def _groups(group: Any, rows: NDArray[np.int64], n_rows: int) -> NDArray[np.int64]:
    array = np.asarray(group)
    if array.shape != (n_rows,):
        raise WorkbenchError(
            f"The groups have shape {array.shape} where ({n_rows},) is needed. Give one for each row."
        )
    import pandas as pd

    codes = pd.factorize(array)[0]
    if (codes < 0).any():
        row = int(np.argmax(codes < 0))
        raise WorkbenchError(f"The groups have no value in row {row}. Give each row one.")
    return codes[rows].astype(np.int64)


def _float64(what: str, values: Any) -> NDArray[np.float64]:
    try:
        return np.asarray(values, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise WorkbenchError(f"The {what} holds something that is no number. Give one a row.") from None


def _offset(offset: Any, rows: NDArray[np.int64], n_rows: int, name: str) -> NDArray[np.float32]:
    array = _float64("offset", offset)
    if array.shape != (n_rows,):
        raise WorkbenchError(
            f"The offset has shape {array.shape} where ({n_rows},) is needed. Give one value for each row."
        )
    return offset_values(name, array[rows], rows)


def _table_of(
    features: Any, names: Sequence[str] | None
) -> tuple[Table, NDArray[np.float32] | None]:
    """Return a table, and the matrix that its columns are views of, where there is one."""
    if hasattr(features, "columns"):
        from workbench.data.frames import table_from_frame

        if not len(features.columns):
            raise WorkbenchError("There is no column to learn from beside the target. Add one.")
        return table_from_frame(features, "frame"), None
    array = np.asarray(features)
    if array.ndim != 2 or array.shape[1] == 0:
        raise WorkbenchError(
            f"The features have shape {array.shape}; (rows, columns) is needed. Reshape them."
        )
    names = tuple(names) if names is not None else tuple(f"f{place}" for place in range(array.shape[1]))
    if len(names) != array.shape[1]:
        raise WorkbenchError(f"There are {len(names)} names for {array.shape[1]} columns. Give one for each.")
    if array.dtype.kind not in "fiub":
        import pandas as pd

        return _table_of(pd.DataFrame(array.astype(object), columns=list(names)), None)
    single, infinite = without_infinite(single_precision(array))
    columns = tuple(Column(name, "number", single[:, i]) for i, name in enumerate(names))
    notes = () if infinite is None else _infinite_notes(names, infinite)
    return Table("array", columns, notes), single


def _infinite_notes(names: Sequence[str], infinite: NDArray[np.bool_]) -> tuple[Note, ...]:
    pairs = zip(names, infinite.T, strict=True)
    return tuple(note for name, column in pairs for note in refused_notes(name, Places.of(column)))


def _with_categories(
    table: Table, matrix: NDArray[np.float32] | None, categories: Sequence[str | int], given: Any
) -> tuple[Table, NDArray[np.float32] | None]:
    """Return the table with these columns as categories, and the matrix with their codes.

    Categories are made of the numbers as they were given, which single precision may not tell apart. The
    matrix given is not written to; where it has the codes already, it is not copied either.
    """
    coded = matrix
    for category in categories:
        name = category if isinstance(category, str) else table.names[category]
        place = table.names.index(name)
        column = table.column(name)
        if column.kind == "number" and (labels := _labels_given(column, given, place)) is not None:
            column = category_column(name, labels.tidy())
        column = convert(column, "category")
        table = table.with_column(column)
        if coded is not None and not np.array_equal(coded[:, place], column.values, equal_nan=True):
            coded = coded.copy(order="K") if coded is matrix else coded
            coded[:, place] = column.values
    return table, coded


def _labels_given(column: Column, given: Any, place: int) -> Labels | None:
    """Return the labels of numbers as they were given; None where they are texts that a number tells."""
    if hasattr(given, "columns"):
        series = given.iloc[:, place]
        is_text = series.dtype.kind not in "fiub"
        return None if is_text and not column.collapsed else labels_of_series(series)
    values = (given if isinstance(given, np.ndarray) else np.asarray(given, object))[:, place]
    if values.dtype.kind in "fiub":
        return labels_of_array(values)
    import pandas as pd

    return labels_of_series(pd.Series(values))


def _answers(target: Any, n_rows: int, name: str, only_numbers: bool = False) -> _Answers:
    array = np.asarray(target)
    if array.shape != (n_rows,):
        raise WorkbenchError(
            f"The target has shape {array.shape} where ({n_rows},) is needed. Give one value for each row."
        )
    if array.dtype.kind in "fiu":
        numbers = np.asarray(array, np.float64)
        beyond = np.abs(numbers) > LARGEST
        if beyond.any():
            raise WorkbenchError(
                f"The target '{name}' is infinite or beyond 3.4e38 in row {int(np.argmax(beyond))}. Scale it."
            )
        if only_numbers:
            return _Answers((), np.empty(0, np.int64), numbers)
        codes = np.full(n_rows, -1)
        present = ~np.isnan(numbers)
        kept, codes[present], _ = distinct_codes(numbers[present])
        whole = bool(np.all(kept == np.floor(kept)))
        return _Answers([int(v) if whole else float(v) for v in kept], codes, numbers)
    natural = [_natural(value) for value in array.tolist()]
    labels_found = sorted({value for value in natural if value is not None}, key=lambda v: (str(type(v)), v))
    place = {label: code for code, label in enumerate(labels_found)}
    return _Answers(labels_found, np.array([-1 if v is None else place[v] for v in natural]), None)


def _natural(value: Any) -> str | bool | None:
    if value is None or value != value or type(value).__name__ in ("NAType", "NaTType"):
        return None
    return value if isinstance(value, bool) else str(value)


def _kind(answers: _Answers) -> Any:
    return "number" if answers.numbers is not None else "category"


def _single(answers: _Answers) -> NDArray[np.float32]:
    if answers.numbers is not None:
        return answers.numbers.astype(np.float32)
    return np.where(answers.codes < 0, np.nan, answers.codes).astype(np.float32)


def _texts(answers: _Answers) -> tuple[str, ...]:
    return () if answers.numbers is not None else tuple(map(str, answers.labels))


def _target_values(answers: _Answers, labels: Sequence[Label], name: str) -> NDArray[np.float64]:
    if not labels:
        return regression_values(name, answers.numbers)
    place = {label: index for index, label in enumerate(labels)}
    values = np.array([place[label] for label in answers.labels] + [np.nan])[answers.codes]
    numbers = answers.numbers
    return numbers if numbers is not None and np.array_equal(values, numbers) else values


def _weights(weight: Any, rows: NDArray[np.int64], n_rows: int) -> NDArray[np.float64]:
    values = _float64("weight", weight)
    if values.shape != (n_rows,):
        raise WorkbenchError(f"The weight has shape {values.shape} where ({n_rows},) is needed.")
    return checked_weight("weight", values[rows], rows)


def _with_valid(dataset: Dataset, features: Any, target: Any, weight: Any = None) -> Dataset:
    """Append validation rows that were given apart."""
    schema = dataset.schema
    matrix = encode(schema, features if hasattr(features, "columns") else np.asarray(features))
    answers = _answers(target, len(matrix), schema.target)
    unseen = [label for label in answers.labels if schema.class_labels and label not in schema.class_labels]
    if unseen:
        raise WorkbenchError(f"The validation target has '{unseen[0]}', which the training target has not.")
    values = _target_values_of(answers, schema.class_labels)
    rows = np.flatnonzero(~np.isnan(values))
    first = len(dataset.target)
    weights = dataset.weight
    if weight is not None or weights is not None:
        given = np.ones(len(matrix)) if weight is None else weight
        more = _weights(given, rows, len(matrix))
        weights = np.concatenate([np.ones(first) if weights is None else weights, more])
    return Dataset(
        schema=schema,
        features=np.concatenate([dataset.features, matrix[rows]]),
        target=np.concatenate([dataset.target, values[rows]]),
        weight=weights,
        train_rows=np.arange(first),
        valid_rows=np.arange(first, first + len(rows)),
        table_rows=np.concatenate([dataset.table_rows, schema.rows + rows]),
        dropped=dataset.dropped + len(matrix) - len(rows),
    )


def _target_values_of(answers: _Answers, labels: Sequence[Label]) -> NDArray[np.float64]:
    if labels:
        return _target_values(answers, labels, "")
    if answers.numbers is None:
        raise WorkbenchError("The validation target is text where the training target is numbers.")
    return answers.numbers
