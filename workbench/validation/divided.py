"""The folds of a dataset: its rows divided as planned, by what a column says, or as they were given."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.split_columns import moments_of, values_in_full
from workbench.errors import WorkbenchError
from workbench.validation.cross_validation import rows_to_fold
from workbench.validation.fold_plan import FOLDS_BY, FoldPlan
from workbench.validation.folds import Fold, folds_of, given_folds

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.data.table import Column


def folds_of_dataset(dataset: Dataset, plan: FoldPlan, column: Column | None = None) -> tuple[Fold, ...]:
    """Divide the rows of a dataset.

    Parameters
    ----------
    plan : FoldPlan
        The queries of a ranking stay whole: rows and classes give way to them.
    column : Column, optional
        Of the groups or of the time, for each row of the table.

    Raises
    ------
    WorkbenchError
        In one line why they cannot be divided so.
    """
    if plan.by not in FOLDS_BY:
        raise WorkbenchError(f"Rows are divided by one of {', '.join(FOLDS_BY)}, not by {plan.by!r}.")
    rows = rows_to_fold(dataset)
    of_table, marks = dataset.table_rows[rows], None
    if plan.by in ("groups", "time"):
        if column is None:
            raise WorkbenchError(f"Choose the column of the {plan.by} by which rows are divided.")
        marks = moments_of(column, of_table) if plan.by == "time" else values_in_full(column)[of_table]
    elif dataset.groups is not None:
        plan = replace(plan, by="groups", column=dataset.schema.group)
        marks = dataset.groups[rows].astype(np.float64)
    by_class = plan.by == "classes" and bool(dataset.schema.class_labels)
    classes = dataset.target[rows] if by_class else None
    made = folds_of(plan, len(rows), classes, marks)
    return tuple(fold._replace(train=rows[fold.train], valid=rows[fold.valid]) for fold in made)


def folds_as_given(dataset: Dataset, splits: Iterable[Any]) -> tuple[Fold, ...]:
    """Return the folds whose rows were given, by place in the table; those without a target are left out.

    Raises
    ------
    WorkbenchError
        They are no pairs of rows, or rows stand in both parts, or there is none.
    """
    place = np.full(dataset.schema.rows, -1, np.int64)
    place[dataset.table_rows] = np.arange(len(dataset.table_rows))
    made: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    for number, split in enumerate(splits, 1):
        if not isinstance(split, (tuple, list)) or len(split) != 2:
            raise WorkbenchError(f"Fold {number} is no pair of rows that train and rows that are held out.")
        train, valid = (_places(part, place, number) for part in split)
        if np.isin(train, valid).any():
            raise WorkbenchError(f"Fold {number} has rows that both train and are held out.")
        made.append((train, valid))
    if not made:
        raise WorkbenchError("There is no fold. Give a number, or pairs of rows.")
    return given_folds(made)


def _places(part: Any, place: NDArray[np.int64], number: int) -> NDArray[np.int64]:
    rows = np.asarray(part)
    rows = np.flatnonzero(rows) if rows.dtype == bool else rows.astype(np.int64)
    if rows.size and (rows.min() < 0 or rows.max() >= len(place)):
        raise WorkbenchError(f"Fold {number} has a row that is none: there are {len(place)}, from 0.")
    found = place[rows]
    found = found[found >= 0]
    if not found.size:
        raise WorkbenchError(f"Fold {number} has a part without rows.")
    return found
