"""What a trainer is given: a float32 matrix, a target, weights, and which rows train or validate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.classes import class_counts, class_index, class_labels, label_text, ordered_labels
from workbench.data.encoding import encode, encode_table
from workbench.data.remarks import left_out_notes
from workbench.data.roles import guess_task, target_of
from workbench.data.room import ask_to_train
from workbench.data.schema import BY_COLUMN, DataSchema, Split, features_of
from workbench.data.split_columns import rows_by_column
from workbench.data.splits import hold_out, hold_out_groups
from workbench.data.values.places import Places
from workbench.data.values.weights import training_weight
from workbench.errors import WorkbenchError, leave_if
from workbench.mapped import is_mapped

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from workbench.data.schema import Feature, Role, SplitBy, Task
    from workbench.data.table import Column, Table


@dataclass(frozen=True)
class Dataset:
    """Encoded rows.

    Attributes
    ----------
    schema : DataSchema
    features : ndarray of float32, shape (n, d), Fortran order
        Codes for categorical columns; NaN is missing; no infinities.
    target : ndarray of float64, shape (n,)
        Class index for the classification tasks.
    weight : ndarray of float64, shape (n,), or None
    train_rows, valid_rows : ndarray of int64
        Indices into the above, ascending, disjoint; `valid_rows` may be empty.
    table_rows : ndarray of int64, shape (n,)
        Row of the table from which each row was made (rows without a target are left out).
    dropped : int
        Rows that were left out.
    groups : ndarray of int64, shape (n,), or None
        Code of the query that each row belongs to.
    offset : ndarray of float32, shape (n,), or None
        Known part of each row's raw prediction.
    """

    schema: DataSchema
    features: NDArray[np.float32]
    target: NDArray[np.float64]
    weight: NDArray[np.float64] | None
    train_rows: NDArray[np.int64]
    valid_rows: NDArray[np.int64]
    table_rows: NDArray[np.int64]
    dropped: int = 0
    groups: NDArray[np.int64] | None = None
    offset: NDArray[np.float32] | None = None

    def without_rows(self) -> Dataset:
        """Return what is told of the rows without them, and without holding their memory."""
        nothing = np.empty(0, np.int64)
        return replace(
            self, features=np.empty((0, self.features.shape[1]), np.float32), target=np.empty(0),
            weight=None if self.weight is None else np.empty(0), train_rows=nothing, valid_rows=nothing,
            table_rows=nothing, groups=None if self.groups is None else nothing,
            offset=None if self.offset is None else np.empty(0, np.float32),
        )


def build_dataset(
    table: Table,
    roles: Mapping[str, Role],
    task: Task | None = None,
    *,
    valid_fraction: float = 0.25,
    seed: int = 0,
    stratified: bool = True,
    positive: str | None = None,
    cancelled: Callable[[], bool] | None = None,
    split_by: SplitBy = "rows",
    split_column: str | None = None,
    valid: Table | None = None,
) -> Dataset:
    """Encode a table for training and split it.

    Parameters
    ----------
    table : Table
    roles : mapping of column name to Role
    task : Task, optional
        Whether the target is a number or a class, as the objective has it; None follows the target.
    valid_fraction : float
        Share of the rows held out.
    seed : int
    stratified : bool
        Keep the class shares in both parts, where no column has the role of a group.
    positive : str, optional
        Label of the positive class of two.
    cancelled : callable, optional
        Asked between the steps.
    split_by, split_column
        As `by` and `column` of `Split`.
    valid : Table, optional
        The rows held out, of a second file; all of `table` train.

    Raises
    ------
    Cancelled
    WorkbenchError
        In words for the person: no target, no feature, text where numbers are needed, weights
        or offsets that cannot be used.
    """
    target = table.column(target_of(roles))
    task = task or guess_task(target)
    split = Split(valid_fraction, seed, stratified, split_by, split_column)
    if valid is not None:
        split = replace(split, by="file", file=valid.name, file_sha256=valid.sha256)
    labels, values = target_values(target, task, positive)
    rows = np.flatnonzero(~np.isnan(values))
    leave_if(cancelled)
    features = feature_list(table, roles)
    weight_name, offset_name = column_of(roles, "weight"), column_of(roles, "offset")
    weight = None if weight_name is None else weight_values(table.column(weight_name), rows)
    schema = DataSchema(
        features=features,
        target=target.name,
        task=task,
        class_labels=labels,
        weight=weight_name,
        offset=offset_name,
        source=table.name,
        sha256=table.sha256,
        rows=table.n_rows,
        journal=(*table.notes, *left_out_notes(target.name, Places.of(np.isnan(values)))),
        settled=table.settled,
        group=column_of(roles, "group"),
        split=split.plain(),
        target_is_date=target.kind == "date" and not labels,
    )
    outputs = max(len(labels), 1) if task == "multiclass" else 1
    ask_to_train(table.name, len(rows), len(features), outputs, mapped=is_mapped(target.values))
    values = values[rows]
    classes = values if stratified and task != "regression" else None
    leave_if(cancelled)
    train_rows, valid_rows = split_rows(table, roles, rows, classes, split)
    matrix = encode_table(features, table, cancelled, rows)
    dataset = Dataset(
        schema=schema,
        features=matrix,
        target=values,
        weight=weight,
        train_rows=train_rows,
        valid_rows=valid_rows,
        table_rows=rows,
        dropped=table.n_rows - len(rows),
        groups=group_codes(table, roles, rows),
        offset=None if offset_name is None else column_offset(table.column(offset_name), rows),
    )
    if weight is not None and not weight[train_rows].any():
        raise WorkbenchError("Cannot train: all rows that train have weight 0. Hold out other rows.")
    return dataset if valid is None else with_second_table(dataset, valid)


def split_rows(
    table: Table,
    roles: Mapping[str, Role],
    rows: NDArray[np.int64],
    classes: NDArray[np.float64] | None,
    split: Split,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Split the rows that have a target: by a column, by whole groups, with equal shares of classes, or so.

    Parameters
    ----------
    rows : ndarray of int64, shape (n,)
        Rows of the table that have a target.
    classes : ndarray, shape (n,), or None
        Their classes, where both parts shall have the same shares of them; groups come before it.
    """
    if split.by == "file":
        return np.arange(len(rows)), np.arange(0)
    if split.by in BY_COLUMN:
        if split.column is None:
            raise WorkbenchError(f"Cannot hold rows out: choose the column of the {split.by}.")
        return rows_by_column(table.column(split.column), rows, split)
    group = column_of(roles, "group")
    if group is not None:
        return hold_out_groups(table.column(group).values[rows], split.valid_fraction, split.seed)
    return hold_out(len(rows) if classes is None else classes, split.valid_fraction, split.seed)


def with_second_table(dataset: Dataset, valid: Table) -> Dataset:
    """Return a dataset with the rows of a second table held out; they are numbered after those of the first.

    Raises
    ------
    WorkbenchError
        The table lacks a column, or has no row with an answer that the first one knows.
    """
    schema = dataset.schema
    try:
        values = _known_answers(schema, valid.column(schema.target))
        matrix = encode(schema, valid)
        rows = np.flatnonzero(~np.isnan(values))
        weight = None if schema.weight is None else weight_values(valid.column(schema.weight), rows)
        offset = None if schema.offset is None else column_offset(valid.column(schema.offset), rows)
        groups = None if schema.group is None else _group_codes(valid.column(schema.group), rows)
    except WorkbenchError as error:
        raise WorkbenchError(f"{valid.name} cannot be the hold-out: {error}") from None
    if not len(rows):
        raise WorkbenchError(
            f"{valid.name} cannot be the hold-out: no row has a value in '{schema.target}' that "
            f"{schema.source} knows."
        )
    first = len(dataset.target)
    begin = 0 if dataset.groups is None else int(dataset.groups.max(initial=-1)) + 1
    return replace(
        dataset,
        features=np.asfortranarray(np.concatenate([dataset.features, matrix[rows]])),
        target=np.concatenate([dataset.target, values[rows]]),
        weight=_both(dataset.weight, weight),
        valid_rows=np.arange(first, first + len(rows)),
        table_rows=np.concatenate([dataset.table_rows, schema.rows + rows]),
        groups=_both(dataset.groups, None if groups is None else groups + begin),
        offset=_both(dataset.offset, offset),
    )


def _both(one: Any, other: Any) -> Any:
    return None if one is None or other is None else np.concatenate([one, other])


def _known_answers(schema: DataSchema, target: Column) -> NDArray[np.float64]:
    """Return the target of each row; NaN where it is missing, or a class that the model does not know."""
    if schema.class_labels:
        texts = {label_text(label): place for place, label in enumerate(schema.class_labels)}
        present = [label_text(label) for label in class_labels(target)]
        places = class_index(target, class_labels(target))
        known = np.array([texts.get(text, np.nan) for text in present] + [np.nan])
        return known[np.where(np.isnan(places), len(present), places).astype(np.int64)]
    return numbers_to_predict(target.name, None if target.is_categorical else target.values)


def column_of(roles: Mapping[str, Role], role: Role) -> str | None:
    """Return the name of the column that has a role, where one has it."""
    return next((name for name, given in roles.items() if given == role), None)


def _check_numbers(column: Column, what: str) -> None:
    """Refuse texts and dates where weights or offsets are needed."""
    if column.kind != "number":
        has = "dates" if column.kind == "date" else "text"
        raise WorkbenchError(
            f"Cannot train: column '{column.name}' has {has} where {what} are needed. Give it another role."
        )


def column_offset(column: Column, rows: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the offset of the rows that have a target."""
    _check_numbers(column, "offsets")
    return offset_values(column.name, column.values[rows], rows)


def offset_values(name: str, values: NDArray[np.floating], rows: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the offset of the rows that have a target; each must be a number."""
    with np.errstate(over="ignore"):
        single = np.asarray(values, np.float32)
    if not np.isfinite(single).all():
        row = int(rows[np.argmax(~np.isfinite(single))]) + 1
        raise WorkbenchError(f"Cannot train: the offset '{name}' is no number in row {row}. Correct it.")
    return single


def group_codes(
    table: Table, roles: Mapping[str, Role], rows: NDArray[np.int64]
) -> NDArray[np.int64] | None:
    """Return the query of each row that has a target; rows without one belong together."""
    group = column_of(roles, "group")
    return None if group is None else _group_codes(table.column(group), rows)


def _group_codes(group: Column, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    values = group.values[rows]
    return np.unique(values, return_inverse=True, equal_nan=True)[1].astype(np.int64)


def target_values(
    target: Column, task: Task, positive: str | None = None
) -> tuple[tuple[str | int | float | bool, ...], NDArray[np.float64]]:
    """Return the class labels (none for regression) and the target of each row, NaN where it is missing."""
    if task == "regression":
        return (), regression_values(target.name, None if target.is_categorical else target.values)
    labels = ordered_labels(class_labels(target), task, positive, target.name, class_counts(target))
    return labels, class_index(target, labels)


def numbers_to_predict(name: str, values: NDArray[np.floating] | None) -> NDArray[np.float64]:
    """Return numbers to be predicted in double precision; None stands for text, which is refused."""
    if values is None:
        raise WorkbenchError(
            f"Cannot train: column '{name}' has text where numbers are needed. "
            "Choose an objective for classes, or another target."
        )
    return np.asarray(values, np.float64)


def regression_values(name: str, values: NDArray[np.floating] | None) -> NDArray[np.float64]:
    """Return numbers to be predicted; refuse a column from which nothing can be learnt."""
    numbers = numbers_to_predict(name, values)
    present = numbers[~np.isnan(numbers)]
    if len(present) < 2:
        rows = "1 row" if len(present) == 1 else "no row"
        raise WorkbenchError(f"Cannot train: '{name}' has a value in {rows}. Two are needed.")
    if present.min() == present.max():
        raise WorkbenchError(
            f"Cannot train: column '{name}' is {present[0]:g} in every row. Choose another target."
        )
    return numbers


def weight_values(column: Column, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the weight of the rows that have a target."""
    _check_numbers(column, "weights")
    return training_weight(column.values[rows].astype(np.float64), rows, column.name)


def feature_list(table: Table, roles: Mapping[str, Role]) -> tuple[Feature, ...]:
    """Return the columns that are features, in the order of the table."""
    features = features_of([column for column in table.columns if roles.get(column.name) == "feature"])
    if not features:
        raise WorkbenchError("Cannot train: no column is a feature. Give one the role of a feature.")
    return features
