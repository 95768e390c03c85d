"""Datasets made of arrays, for the Python API."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.classes import ordered_labels
from workbench.data.dataset import Dataset, numbers_to_predict, offset_values
from workbench.data.encoding import encode, encode_table, single_precision, without_infinite
from workbench.data.given.answers import answers_of, one_value_notes, with_other_class
from workbench.data.given.plain_series import numbers_of, one_a_row
from workbench.data.given.rows import is_frame, rows_of, values_of
from workbench.data.remarks import identifier_notes, left_out_notes
from workbench.data.schema import BY_COLUMN, DataSchema, Split, features_of
from workbench.data.split_columns import rows_by_column
from workbench.data.splits import hold_out, hold_out_groups
from workbench.data.table import Column, Table, TableNote
from workbench.data.values.column_types import convert
from workbench.data.values.columns import category_column, refused_notes
from workbench.data.values.places import Places
from workbench.data.values.value_labels import labels_of_array, labels_of_series
from workbench.data.values.weights import training_weight
from workbench.errors import WorkbenchError, warn
from workbench.parameters.nearest import nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.classes import Label
    from workbench.data.given.answers import Answers
    from workbench.data.schema import SplitBy, Task
    from workbench.data.values.labels import Labels


def dataset_from_arrays(
    X: Any,
    y: Any,
    *,
    weight: Any = None,
    weight_name: str = "weight",
    names: Sequence[str] | None = None,
    categories: Iterable[object] = (),
    valid: tuple[Any, ...] | None = None,
    valid_fraction: float = 0.0,
    seed: int = 0,
    stratified: bool = True,
    task: Task | None = None,
    positive: str | None = None,
    target_name: str = "target",
    group: Any = None,
    group_name: str | None = None,
    offset: Any = None,
    offset_name: str = "base_margin",
    split_by: SplitBy = "rows",
    split_values: Any = None,
    split_name: str | None = None,
    missing: tuple[str, ...] = (),
) -> Dataset:
    """Encode arrays or frames for training.

    Parameters
    ----------
    X : ndarray of shape (n, d), DataFrame, or table of Arrow
    y : array-like of shape (n,)
        Numbers, dates, text or truth values; class labels keep their type. Rows without one are left out.
        Numbers in float64 that stand for themselves are not copied. Where all are the same, the model is a
        constant, which is warned of.
    weight : array-like of shape (n,), optional
    weight_name : str
        Of its column.
    names : sequence of str, optional
        Of the columns of an ndarray; f0, f1 … without.
    categories : iterable of names or places, or of one truth value a column
        Columns to be taken as categories.
    valid : tuple, optional
        (X, y) or (X, y, weight) of validation rows; otherwise
        `valid_fraction` of the rows is held out.
    valid_fraction, seed, stratified, task, positive
        As in `build_dataset`.
    target_name : str
    group : array-like of shape (n,), optional
        The query of each row; whole queries are held out.
    group_name : str, optional
        Of its column, where it is one.
    offset : array-like of shape (n,), optional
        Known part of each row's raw prediction.
    split_by, split_values, split_name
        By what rows are held out: see `Split`; the group, time or part of each row, and its name.
    missing : tuple of str
        What stood for missing, and will in other tables; in `X` it is NaN already.
    """
    X = rows_of(X)
    table, matrix = _table_of(X, names)
    columns = list(X.columns) if is_frame(X) else ()
    table, matrix = _with_categories(table, matrix, category_places(categories, table.names, columns), X)
    answers = answers_of(y, table.n_rows, target_name, only_numbers=task == "regression")
    if answers.missing.all():
        raise WorkbenchError(f"The target '{target_name}' has no value. Give numbers or classes.")
    if np.count_nonzero(~answers.missing) == 1:
        raise WorkbenchError(f"The target '{target_name}' has a value in one sample only. Two are needed.")
    task = task or answers.task()
    labels = _class_labels(answers, task, positive)
    values = answers.classes(labels) if labels else numbers_to_predict(target_name, answers.numbers)
    rows = np.flatnonzero(~np.isnan(values))
    notes = (*identifier_notes(table.columns), *one_value_notes(answers, labels))
    for note in notes:
        warn(note.text)
    schema = DataSchema(
        features=features_of(table.columns),
        target=target_name,
        task=task,
        class_labels=labels,
        weight=None if weight is None else weight_name,
        group=None if group is None else group_name,
        offset=None if offset is None else offset_name,
        source=table.name,
        rows=table.n_rows,
        target_is_date=answers.kind == "date" and not labels,
        settled=(("missing", missing),) if missing else table.settled,
        journal=(*table.notes, *notes, *left_out_notes(target_name, Places.of(np.isnan(values)))),
    )
    by_class = stratified and task != "regression"
    fraction = 0.0 if valid is not None else valid_fraction
    groups = None if group is None else _groups(group, rows, table.n_rows)
    by_group = groups is not None and split_by == "rows"
    by: SplitBy = "groups" if by_group else split_by
    split = Split(fraction, seed, stratified, by, split_name, by_group).plain()
    if split.holds_out:
        schema = replace(schema, split=split)
    if split_by in BY_COLUMN:
        marks = column_of_values(split_values, split_name or f"the {split_by}", table.n_rows)
        train_rows, valid_rows = rows_by_column(marks, rows, split)
    elif groups is not None:
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


def _class_labels(answers: Answers, task: Task, positive: Any) -> tuple[Label, ...]:
    if task == "regression":
        return ()
    return ordered_labels(with_other_class(answers.labels, positive), task, positive, answers.name)


def column_of_values(values: Any, name: str, n_rows: int) -> Column:
    """Return one value a row as a column; how it is read follows from the values."""
    import pandas as pd

    from workbench.data.given.frames import column_from_series

    series = values_of(values, name)
    if len(series) != n_rows:
        raise WorkbenchError(f"{name} has {len(series)} values for {n_rows} rows. Give one for each row.")
    return column_from_series(name, pd.Series(series))[0]


def _groups(group: Any, rows: NDArray[np.int64], n_rows: int) -> NDArray[np.int64]:
    values = values_of(group, "groups")
    if values.shape != (n_rows,):
        raise WorkbenchError(
            f"The groups have shape {values.shape} where ({n_rows},) is needed. Give one for each row."
        )
    import pandas as pd

    codes = pd.factorize(values)[0]
    if (codes < 0).any():
        row = int(np.argmax(codes < 0))
        raise WorkbenchError(f"The groups have no value in row {row}. Give each row one.")
    return codes[rows].astype(np.int64)


def _offset(offset: Any, rows: NDArray[np.int64], n_rows: int, name: str) -> NDArray[np.float32]:
    array = numbers_of(offset, "offset")
    if array.shape != (n_rows,):
        raise WorkbenchError(
            f"The offset has shape {array.shape} where ({n_rows},) is needed. Give one value for each row."
        )
    return offset_values(name, array[rows], rows)


def _table_of(
    array: Any, names: Sequence[str] | None
) -> tuple[Table, NDArray[np.float32] | None]:
    """Return a table, and the matrix that its columns are views of, where there is one."""
    if is_frame(array):
        from workbench.data.given.frames import table_from_frame

        if not len(array.columns):
            raise WorkbenchError("There is no column to learn from beside the target. Add one.")
        return table_from_frame(array, "frame"), None
    if isinstance(array, Table):
        return array, None
    if array.ndim != 2 or array.shape[1] == 0:
        raise WorkbenchError(
            f"The features have shape {array.shape}; (rows, columns) is needed. Reshape your data."
        )
    names = tuple(names) if names is not None else tuple(f"f{place}" for place in range(array.shape[1]))
    if len(names) != array.shape[1]:
        raise WorkbenchError(f"There are {len(names)} names for {array.shape[1]} columns. Give one for each.")
    if array.dtype.kind not in "fiub":
        import pandas as pd

        cells = array if array.dtype.kind in "mM" else array.astype(object)
        return _table_of(pd.DataFrame(cells, columns=list(names)), None)
    single, infinite = without_infinite(single_precision(array))
    columns = tuple(Column(name, "number", single[:, i]) for i, name in enumerate(names))
    notes = () if infinite is None else _infinite_notes(names, infinite)
    return Table("array", columns, notes), single


def _infinite_notes(names: Sequence[str], infinite: NDArray[np.bool_]) -> tuple[TableNote, ...]:
    pairs = zip(names, infinite.T, strict=True)
    return tuple(note for name, column in pairs for note in refused_notes(name, Places.of(column)))


def _with_categories(
    table: Table, matrix: NDArray[np.float32] | None, places: Sequence[int], given: Any
) -> tuple[Table, NDArray[np.float32] | None]:
    """Return the table with these columns as categories, and the matrix with their codes.

    Categories are made of the numbers as they were given, which single precision may not tell apart. The
    matrix given is not written to; where it has the codes already, it is not copied either.
    """
    coded = matrix
    for place in places:
        column = table.columns[place]
        if column.kind == "number" and (labels := _labels_given(column, given, place)) is not None:
            column = category_column(column.name, labels.tidy())
        column = convert(column, "category")
        table = table.with_column(column)
        if coded is not None and not np.array_equal(coded[:, place], column.values, equal_nan=True):
            coded = coded.copy(order="K") if coded is matrix else coded
            coded[:, place] = column.values
    return table, coded


def _labels_given(column: Column, given: Any, place: int) -> Labels | None:
    """Return the labels of numbers as they were given; None where they are texts that a number tells."""
    if isinstance(given, Table):
        return None
    if is_frame(given):
        series = given.iloc[:, place]
        is_text = series.dtype.kind not in "fiub"
        return None if is_text and not column.collapsed else labels_of_series(series)
    values = given[:, place]
    if values.dtype.kind in "fiub":
        return labels_of_array(values)
    import pandas as pd

    return labels_of_series(pd.Series(values))


def category_places(categories: object, names: Sequence[str], labels: Sequence[object] = ()) -> list[int]:
    """Return the places of columns that are named, or given by place or as one truth value a column.

    `labels` are those of the frame, of which one that is no text is found before a place.
    """
    if categories is None or isinstance(categories, str):
        categories = [] if categories is None else [categories]
    if not isinstance(categories, Iterable):
        raise WorkbenchError(f"categories is {categories!r}; give a list of names or places of columns.")
    wanted = list(categories)
    if wanted and all(isinstance(one, (bool, np.bool_)) for one in wanted):
        if len(wanted) != len(names):
            raise WorkbenchError(f"categories has {len(wanted)} truth values for {len(names)} columns.")
        return [place for place, one in enumerate(wanted) if one]
    return list(dict.fromkeys(_category_place(one, names, labels) for one in wanted))


def _category_place(one: object, names: Sequence[str], labels: Sequence[object]) -> int:
    if isinstance(one, str) and one in names:
        return names.index(one)
    if one in labels:
        return list(labels).index(one)
    if isinstance(one, (int, np.integer)) and -len(names) <= one < len(names):
        return int(one) % len(names)
    if isinstance(one, (int, np.integer)):
        raise WorkbenchError(f"categories has the place {one}; there are {len(names)} columns, from 0 on.")
    raise WorkbenchError(f"categories names '{one}', which is no column. {nearest(str(one), names)}.")


def _weights(weight: Any, rows: NDArray[np.int64], n_rows: int) -> NDArray[np.float64]:
    return training_weight(one_a_row(weight, "weight", n_rows)[rows], rows)


def _with_valid(dataset: Dataset, features: Any, target: Any, weight: Any = None) -> Dataset:
    """Append validation rows that were given apart."""
    schema = dataset.schema
    matrix = encode(schema, features)
    answers = answers_of(target, len(matrix), schema.target)
    unseen = [label for label in answers.labels if schema.class_labels and label not in schema.class_labels]
    if unseen:
        raise WorkbenchError(f"The validation target has '{unseen[0]}', which the training target has not.")
    if not schema.class_labels and answers.numbers is None:
        raise WorkbenchError("The validation target is text where the training target is numbers.")
    values = answers.classes(schema.class_labels) if schema.class_labels else answers.numbers
    assert values is not None
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
