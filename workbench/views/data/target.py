"""What the plan's target means: the class of every row, or why nothing can be trained on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.classes import label_text
from workbench.data.dataset import (
    column_of,
    column_offset,
    feature_list,
    group_codes,
    split_rows,
    target_values,
    weight_values,
)
from workbench.data.distinct import distinct
from workbench.data.roles import MOST_NUMBERED_CLASSES, guess_task, target_of
from workbench.data.schema import BY_COLUMN, Split
from workbench.data.splits import queries_in_both
from workbench.errors import WorkbenchError
from workbench.session.growing import second_table
from workbench.session.opening.elsewhere import BY_ROWS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from workbench.data.schema import Task
    from workbench.data.statistics import ColumnSummary
    from workbench.data.table import Column, Table
    from workbench.session.opening.elsewhere import Elsewhere
    from workbench.session.plan import Plan


@dataclass(frozen=True, eq=False)
class TargetClasses:
    """The classes of the target; of two, the second is the positive one.

    Attributes
    ----------
    column : str
    labels : tuple of str
    of_row : ndarray of int64, shape (n_rows,)
        Place in `labels`, −1 where the target is missing.
    """

    column: str
    labels: tuple[str, ...]
    of_row: NDArray[np.int64]


@dataclass(frozen=True)
class PlanCheck:
    """What would come of training now.

    Attributes
    ----------
    problem : str
        Why it cannot start, and what to do; "" where it can.
    classes : tuple of str
        Of two, the second is the positive one; empty for regression.
    objectives : tuple of str
        Names of those that fit the target.
    n_train, n_valid : int
    note : str
        What should be known of how rows are held out.
    """

    problem: str = ""
    classes: tuple[str, ...] = ()
    objectives: tuple[str, ...] = ()
    n_train: int = 0
    n_valid: int = 0
    note: str = ""


def read_classes(target: Column, plan: Plan) -> TargetClasses | None:
    """Return the class of every row; None for regression and where the target cannot be trained."""
    try:
        labels, values = target_values(target, _task(plan, target), plan.positive)
    except WorkbenchError:
        return None
    if not labels:
        return None
    of_row = np.where(np.isnan(values), -1, values).astype(np.int64)
    return TargetClasses(target.name, tuple(map(label_text, labels)), of_row)


def check_plan(table: Table, plan: Plan) -> PlanCheck:
    """Count training and validation rows, or say what is wrong; part of a second for a million rows."""
    objectives: tuple[str, ...] = ()
    classes_told: tuple[str, ...] = ()
    try:
        target = table.column(target_of(plan.roles))
        objectives = fitting_objectives(target)
        labels, values = target_values(target, _task(plan, target), plan.positive)
        classes_told = tuple(map(label_text, labels))
        rows = np.flatnonzero(~np.isnan(values))
        classes = values[rows] if labels and plan.stratified else None
        if plan.split_problem:
            raise WorkbenchError(plan.split_problem)
        split = Split(plan.valid_fraction, plan.split_seed, plan.stratified, plan.split_by, plan.split_column)
        train, valid = split_rows(table, plan.roles, rows, classes, split)
        n_valid = len(valid) if plan.split_by != "file" else _rows_of_second(table, plan)
        is_by_column = plan.split_by in BY_COLUMN and plan.has_groups
        groups = group_codes(table, plan.roles, rows) if is_by_column else None
    except WorkbenchError as error:
        return PlanCheck(str(error), classes_told, objectives)
    return PlanCheck(
        _other_problem(table, plan, rows), classes_told, objectives,
        len(train), n_valid, queries_in_both(groups, [(train, valid)]),
    )


def check_there(
    check: PlanCheck, elsewhere: Elsewhere, plan: Plan, summaries: Mapping[str, ColumnSummary]
) -> PlanCheck:
    """Return what would come of training on all rows of a table, from a check of its first rows.

    Who is held out there is known once the rows are hashed; so many are expected.
    """
    if plan.split_by != "rows":
        return replace(check, problem=BY_ROWS)
    if check.problem or plan.target is None:
        return check
    target = summaries.get(plan.target)
    rows = elsewhere.rows - (0 if target is None else target.missing)
    n_valid = round(rows * plan.valid_fraction)
    return replace(check, n_train=rows - n_valid, n_valid=n_valid)


def _rows_of_second(table: Table, plan: Plan) -> int:
    """Count the rows with an answer of the second file."""
    second = second_table(table, plan)
    if second is None:
        return 0
    return int(np.count_nonzero(~np.isnan(second.column(target_of(plan.roles)).values)))


def fitting_objectives(target: Column) -> tuple[str, ...]:
    """Return the names of the objectives whose task the values of `target` allow."""
    from workbench.objectives.base import by_use  # brings numba, which takes its time

    n_distinct = len(distinct(target.values[~np.isnan(target.values)]))
    fitting = set() if target.is_categorical else {"regression"}
    if n_distinct == 2:
        fitting.add("binary")
    if target.is_categorical or n_distinct <= MOST_NUMBERED_CLASSES:
        fitting.add("multiclass")
    return tuple(objective.name for objective in by_use() if objective.task in fitting)


def _task(plan: Plan, target: Column) -> Task:
    from workbench.objectives.base import task_of

    return task_of(plan.objective) or guess_task(target)


def _other_problem(table: Table, plan: Plan, rows: NDArray[np.int64]) -> str:
    """Say what is wrong with features, weights, offsets or groups, "" where nothing is."""
    from workbench.ensembles.run.checks import check_roles
    from workbench.objectives.base import OBJECTIVES

    weight, offset = column_of(plan.roles, "weight"), column_of(plan.roles, "offset")
    try:
        feature_list(table, plan.roles)
        if weight is not None:
            weight_values(table.column(weight), rows)
        if offset is not None:
            column_offset(table.column(offset), rows)
        check_roles(OBJECTIVES.get(plan.objective), plan.has_groups, offset is not None)
    except WorkbenchError as error:
        return str(error)
    return ""
