"""Columns of a table that hold predictions beside the truth, whoever predicted them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from workbench.data.classes import class_counts, class_index, class_labels, label_text, ordered_labels
from workbench.errors import WorkbenchError
from workbench.explain.predictions.scored_rows import ScoredRows, known_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.data.table import Column, Table

TRUTHS = ("truth", "y_true", "actual", "true", "observed", "target", "label", "y", "class", "outcome")
PLAIN_PREDICTIONS = ("prediction", "predicted", "y_pred", "y_score", "y_prob", "y_hat", "yhat")
PREDICTIONS = (*PLAIN_PREDICTIONS, "pred", "probability", "proba", "prob", "score", "p", "forecast")
WEIGHTS = ("weight", "sample_weight", "w")
FAMILY = re.compile(
    r"(?:probability|proba|prob|score|pred|prediction|p)[ _.:(\[]+(.+?)[)\]]?$", re.IGNORECASE
)
FEW_NUMBERS = 2  # distinct numbers of a truth that are classes, where what is predicted lies from 0 to 1


@dataclass(frozen=True)
class BareColumns:
    """Which columns are what.

    Attributes
    ----------
    truth : str
    predicted : tuple of str
        One; or a probability a class.
    weight : str or None
    """

    truth: str
    predicted: tuple[str, ...]
    weight: str | None = None

    @property
    def words(self) -> str:
        """The columns of what is predicted, in brief."""
        first, last = self.predicted[0], self.predicted[-1]
        return first if len(self.predicted) == 1 else f"{first} … {last}"


def guess_columns(table: Table, target: str | None = None) -> BareColumns | None:
    """Return the columns that are called as truth and prediction are; None where some are not there.

    `target` is the truth where a column of what is predicted is there, but none is called the truth.
    """
    by_name = {name.casefold().strip(): name for name in table.names}
    truth = next((by_name[word] for word in TRUTHS if word in by_name), None)
    words = PREDICTIONS if truth is not None else PLAIN_PREDICTIONS
    truth = truth or target
    if truth is None:
        return None
    families = [names for names in prediction_choices(table, truth) if len(names) > 1]
    named = [by_name[word] for word in words if word in by_name and by_name[word] != truth]
    predicted = families[0] if families else tuple(named[:1])
    weight = next((by_name[word] for word in WEIGHTS if word in by_name), None)
    return BareColumns(truth, predicted, weight) if predicted else None


def prediction_choices(table: Table, truth: str) -> list[tuple[str, ...]]:
    """Return what may be predictions of a truth: the probabilities of its classes, then each column."""
    labels = _labels_of(table.column(truth))
    family = {found[1].strip(): name for name in table.names if (found := FAMILY.match(name))}
    whole = tuple(family[label] for label in labels) if labels and set(labels) <= family.keys() else ()
    alone: list[tuple[str, ...]] = [(name,) for name in table.names if name != truth]
    return [whole, *alone] if len(whole) > 1 else alone


def bare_rows(table: Table, columns: BareColumns) -> ScoredRows:
    """Return the rows of the table with what was predicted for them.

    Raises
    ------
    WorkbenchError
        The columns do not go together, in words for the person.
    """
    truth, predicted = table.column(columns.truth), [table.column(name) for name in columns.predicted]
    rows = np.arange(table.n_rows)
    weight = None if columns.weight is None else table.column(columns.weight).values.astype(np.float64)
    scores = np.stack([column.values.astype(np.float64) for column in predicted], axis=1)
    if len(predicted) == 1 and _are_numbers(truth, predicted[0]):
        return known_rows(ScoredRows("numbers", _exact(truth), scores[:, 0], rows, weight))
    names, target = _classes(truth)
    if len(predicted) > 1:
        shares = _by_label(names, predicted, scores)
        return known_rows(ScoredRows("classes", target, shares, rows, weight, names))
    if predicted[0].is_categorical or len(names) > 2:
        chosen = _codes(predicted[0], names)
        taken = np.where(np.isnan(chosen)[:, None], np.nan, chosen[:, None] == np.arange(len(names)))
        shares = taken[:, 1] if len(names) == 2 else taken
        return known_rows(ScoredRows("classes", target, shares, rows, weight, names))
    known = scores[np.isfinite(scores)]
    are_shares = bool(((known >= 0) & (known <= 1)).all())
    boundary = 0.5 if are_shares else 0.0
    return known_rows(ScoredRows("classes", target, scores[:, 0], rows, weight, names, boundary))


def _are_numbers(truth: Column, predicted: Column) -> bool:
    """Whether numbers were predicted, not classes."""
    if truth.is_categorical or predicted.is_categorical:
        return False
    known = truth.values[np.isfinite(truth.values)]
    return len(np.unique(known[:1000])) > FEW_NUMBERS or len(np.unique(known)) > FEW_NUMBERS


def _classes(truth: Column) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    labels = class_labels(truth)
    if len(labels) < 2:
        raise WorkbenchError(
            f"'{truth.name}' has one value, and two classes are needed. Choose another truth."
        )
    task: Literal["binary", "multiclass"] = "binary" if len(labels) == 2 else "multiclass"
    ordered = ordered_labels(labels, task, None, truth.name, class_counts(truth))
    return tuple(map(label_text, ordered)), class_index(truth, ordered)


def _labels_of(truth: Column) -> tuple[str, ...]:
    if truth.kind == "number" and len(np.unique(truth.values[np.isfinite(truth.values)][:5000])) > 50:
        return ()
    return tuple(map(label_text, class_labels(truth)))


def _by_label(
    names: tuple[str, ...], predicted: Sequence[Column], scores: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return a probability a class; of two classes that of the second."""
    family = {found[1].strip(): place for place, column in enumerate(predicted)
              if (found := FAMILY.match(column.name))}
    if not set(names) <= family.keys():
        raise WorkbenchError(
            f"There is no column of probabilities for '{next(n for n in names if n not in family)}'. "
            "Call them probability_CLASS, one for each class."
        )
    by_class = scores[:, [family[name] for name in names]]
    return by_class[:, 1] if len(names) == 2 else by_class


def _codes(predicted: Column, names: tuple[str, ...]) -> NDArray[np.float64]:
    """Return the class that each label that was predicted is; one that is no class is not known."""
    if predicted.is_categorical:
        known = np.array([names.index(label) if label in names else np.nan for label in predicted.categories])
        codes = np.nan_to_num(predicted.values, nan=-1).astype(np.int64)
        return np.where(codes >= 0, np.append(known, np.nan)[codes], np.nan)
    texts = {float(name): place for place, name in enumerate(names) if _is_number(name)}
    return np.array([texts.get(float(value), np.nan) for value in predicted.values])


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _exact(column: Column) -> NDArray[np.float64]:
    return column.values.astype(np.float64) if column.exact is None else column.exact
