"""Rows that a script gives with their answers, to hold a model against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.data.classes import label_text
from workbench.data.given.answers import answers_of, plain_values
from workbench.data.given.plain_series import weights_of
from workbench.data.given.rows import is_frame, places_of, rows_of
from workbench.data.schema import Feature
from workbench.data.values.known_labels import KnownLabels
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema


class AnsweredRows(NamedTuple):
    """Rows and what is known of them.

    Attributes
    ----------
    features : Any
        As they were given.
    target : ndarray of float64, shape (n,)
        Numbers, or codes of classes; NaN where there is none that the model knows.
    weight : ndarray of float64, shape (n,), or None
    groups : ndarray of int64, shape (n,), or None
    by : dict of str to ndarray of int64
        Rows with each value of a column.
    """

    features: Any
    target: NDArray[np.float64]
    weight: NDArray[np.float64] | None
    groups: NDArray[np.int64] | None
    by: dict[str, NDArray[np.int64]]


def answered_rows(
    schema: DataSchema, X: Any, y: Any, weight: Any, group: Any, by: Hashable
) -> AnsweredRows:
    """Find answers, weights and queries: as they are given, else in the columns that training took.

    Raises
    ------
    WorkbenchError
        There are no answers, or no column to tell rows apart by.
    """
    X = rows_of(X)

    def column(name: Hashable) -> Any:
        places = places_of(X, name) if is_frame(X) and name is not None else []
        return X.iloc[:, places[0]] if len(places) == 1 else None

    y = column(schema.target) if y is None else y
    if y is None:
        raise WorkbenchError(f"Answers are missing: give y, or a frame with the target '{schema.target}'.")
    target = answers(schema, y, len(X))
    weight = column(schema.weight_column) if weight is None else weight
    group = column(schema.group) if group is None else group
    groups = None if group is None else np.unique(plain_values(group, "group"), return_inverse=True)[1]
    weights = None if weight is None else weights_of(weight, len(X))
    return AnsweredRows(X, target, weights, groups, _by(column(by), by))


def answers(schema: DataSchema, y: Any, n_rows: int) -> NDArray[np.float64]:
    """Return numbers, or the place of each row's class; NaN where there is none that the model knows."""
    given = answers_of(y, n_rows, schema.target, only_numbers=not schema.class_labels)
    if not schema.class_labels:
        if given.numbers is None:
            raise WorkbenchError(f"The target '{schema.target}' is text where the model predicts numbers.")
        return given.numbers
    known = KnownLabels(Feature(schema.target, "category", tuple(map(label_text, schema.class_labels))))
    codes = [known.code(label_text(label)) for label in given.labels]
    places = np.array([np.nan if code is None else code for code in codes] + [np.nan], np.float64)
    return places[given.codes]


def _by(values: Any, name: Hashable) -> dict[str, NDArray[np.int64]]:
    if name is None:
        return {}
    if values is None:
        raise WorkbenchError(f"There is no column '{name}' to tell rows apart by.")
    array = plain_values(values, str(name))
    found, codes = np.unique(array.astype(str) if array.dtype.kind == "O" else array, return_inverse=True)
    return {str(value): np.flatnonzero(codes == code) for code, value in enumerate(found)}
