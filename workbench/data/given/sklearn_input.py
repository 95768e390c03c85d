"""What scikit-learn's conventions ask of rows and targets that an estimator is given."""

from __future__ import annotations

import functools
import sys
import warnings
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from workbench.data.classes import FEW_CLASSES
from workbench.data.given.answers import is_missing, plain_values
from workbench.data.given.rows import rows_of
from workbench.errors import InputError, WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

F = TypeVar("F", bound="Callable[..., Any]")


def refusing(method: F) -> F:
    """Let a method refuse bad input by a ValueError, as scikit-learn does."""

    @functools.wraps(method)
    def called(*args: Any, **named: Any) -> Any:
        try:
            return method(*args, **named)
        except WorkbenchError as error:
            if isinstance(error, ValueError):
                raise
            raise InputError(str(error)) from error

    return called  # type: ignore[return-value]


def not_fitted(estimator: object) -> WorkbenchError:
    """Return the error of an estimator that has no model yet; scikit-learn's too, where that is loaded."""
    text = f"This {type(estimator).__name__} is not fitted yet; call fit first."
    known = sys.modules.get("sklearn.exceptions")
    if known is None:
        return InputError(text)
    return type("NotFittedError", (WorkbenchError, known.NotFittedError), {})(text)


def training_rows(X: Any) -> Any:
    """Return rows as `rows_of` does, where there are some."""
    rows = rows_of(X)
    if getattr(rows, "ndim", 2) == 2 and hasattr(rows, "shape") and not rows.shape[1]:
        raise InputError(f"There are 0 feature(s) (shape={rows.shape}) while a minimum of 1 is required.")
    return rows


def rows_to_predict(estimator: object, X: Any, n_features: int) -> Any:
    """Return rows as `rows_of` does, where arrays have as many columns as there were in training."""
    rows = rows_of(X)
    if isinstance(rows, np.ndarray) and rows.ndim == 2 and rows.shape[1] != n_features:
        name = type(estimator).__name__
        raise InputError(
            f"X has {rows.shape[1]} features, but {name} is expecting {n_features} features as input."
        )
    return rows


def whole_target(estimator: object, y: Any) -> NDArray[Any]:
    """Return a target, of which every row must have a value."""
    if y is None:
        raise InputError(f"{type(estimator).__name__} requires y to be passed, but the target y is None.")
    if getattr(y, "ndim", 1) == 2 and y.shape[1] == 1:
        known = sys.modules.get("sklearn.exceptions")
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected; its one column is taken.",
            UserWarning if known is None else known.DataConversionWarning, stacklevel=4,
        )  # fmt: skip
    array = plain_values(y, "y")
    if array.dtype.kind == "O":
        missing = np.array([is_missing(value) for value in array.ravel().tolist()], bool)
    elif array.dtype.kind in "fM":
        missing = np.isnan(array)
    else:
        return array
    if missing.any():
        row = int(np.argmax(missing))
        raise InputError(f"Input y contains NaN, first in row {row}. Leave such rows out.")
    if array.dtype.kind == "f" and np.isinf(array).any():
        row = int(np.argmax(np.isinf(array)))
        raise InputError(f"Input y contains infinity, first in row {row}. Correct it or leave the row out.")
    return array


def one_each(truth: NDArray[Any], predicted: NDArray[Any]) -> NDArray[Any]:
    """Return the truth about rows, of which there must be one for each prediction."""
    if truth.shape != predicted.shape:
        raise InputError(f"The target has shape {truth.shape} where {predicted.shape} is needed.")
    if truth.dtype.kind == "f" and np.isnan(truth).any():
        raise InputError(f"Input y contains NaN, first in row {int(np.argmax(np.isnan(truth)))}.")
    return truth


def classes_of(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the labels, ascending, and the code of each row; refuse what is measured."""
    if y.dtype.kind == "O" and len({isinstance(value, str) for value in y.ravel().tolist()}) > 1:
        raise InputError("The target y mixes texts with other values. Give labels of one kind.")
    labels, codes = np.unique(y, return_inverse=True)
    if labels.dtype.kind == "f" and len(labels) > FEW_CLASSES and np.any(labels != np.floor(labels)):
        raise InputError(
            f"Unknown label type: continuous. The target y has {len(labels):,} different numbers, "
            "no classes. Take BoostedTreesRegressor."
        )
    return labels, codes
