"""Columns of a table that hold predictions beside the truth, whoever predicted them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.classes import class_counts, class_index, class_labels, label_text, ordered_labels
from workbench.data.distinct import distinct
from workbench.data.values.weights import usable_weight
from workbench.errors import WorkbenchError
from workbench.explain.predictions.scored_rows import ScoredRows, known_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
FEW_LABELS = 20  # distinct whole numbers that are classes, where only such are predicted
LARGE = 2.0**24  # from where single precision leaves whole numbers out
FIRST_ROWS, MOST_NUMBERS = 5000, 50  # rows that are looked at first, and their distinct numbers
MOST_CLASSES = 1000  # a matrix of more is no picture
MOST_SHARES = 200_000_000  # rows times classes


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

    `target` is the truth where a column of what is predicted is there, but none is called the truth. Of
    probabilities those that are there are returned, where the column of a class is not.
    """
    by_name = {name.casefold().strip(): name for name in table.names}
    truth = next((by_name[word] for word in TRUTHS if word in by_name), None)
    is_called_so = truth is not None
    words = PREDICTIONS if is_called_so else PLAIN_PREDICTIONS
    truth = truth or target
    if truth is None:
        return None
    family = _family(table.names)
    labels = _labels_of(table.column(truth)) if family else ()
    named = [by_name[word] for word in words if word in by_name and by_name[word] != truth]
    predicted = _of_all(labels, family) or tuple(named[:1])
    if not predicted and is_called_so:
        predicted = tuple(family[label] for label in labels if label in family)
    weights = (by_name[word] for word in WEIGHTS if word in by_name)
    weight = next((name for name in weights if _are_weights(table.column(name))), None)
    return BareColumns(truth, predicted, weight) if predicted else None


def _are_weights(column: Column) -> bool:
    values = column.values
    return not column.is_categorical and not ((values < 0) | np.isinf(values)).any()


def _weight(column: Column) -> NDArray[np.float64]:
    """Return the weight of each row, 0 where there is none; refuse a column that is none of weights."""
    if column.is_categorical:
        raise WorkbenchError(f"'{column.name}' holds text, and weights are numbers. Choose another weight.")
    weight = _exact(column)
    return usable_weight(np.where(np.isnan(weight), 0.0, weight), column=column.name)


def prediction_choices(table: Table, truth: str) -> list[tuple[str, ...]]:
    """Return what may be predictions of a truth: the probabilities of its classes, then each column."""
    family = _family(table.names)
    whole = _of_all(_labels_of(table.column(truth)), family) if len(family) > 1 else ()
    alone: list[tuple[str, ...]] = [(name,) for name in table.names if name != truth]
    return [whole, *alone] if whole else alone


def _of_all(labels: Sequence[str], family: Mapping[str, str]) -> tuple[str, ...]:
    """Return the columns of the probabilities of all classes; none where one is lacking."""
    return tuple(family[one] for one in labels) if len(labels) > 1 and set(labels) <= family.keys() else ()


def bare_rows(table: Table, columns: BareColumns) -> ScoredRows:
    """Return the rows of the table with what was predicted for them.

    Raises
    ------
    WorkbenchError
        The columns do not go together, in words for the person.
    """
    truth, predicted = table.column(columns.truth), [table.column(name) for name in columns.predicted]
    rows = np.arange(table.n_rows)
    weight = None if columns.weight is None else _weight(table.column(columns.weight))
    _check(truth, predicted)
    scores = np.stack([_exact(column) for column in predicted], axis=1)
    if len(predicted) == 1 and _are_numbers(truth, predicted[0]):
        return known_rows(ScoredRows("numbers", _exact(truth), scores[:, 0], rows, weight))
    truth, predicted = _in_text(truth, predicted)
    names, target = _classes(truth, predicted)
    if len(predicted) > 1:
        shares = _by_label(names, predicted, scores)
        return known_rows(ScoredRows("classes", target, shares, rows, weight, names))
    if _are_labels(names, predicted[0]):
        chosen = _codes(predicted[0], names)
        taken = (chosen[:, None] == np.arange(len(names))).astype(np.float32)
        taken[np.isnan(chosen)] = np.nan
        shares = taken[:, 1] if len(names) == 2 else taken
        return known_rows(ScoredRows("classes", target, shares, rows, weight, names))
    if len(names) > 2:
        raise WorkbenchError(
            f"'{predicted[0].name}' holds numbers, and '{truth.name}' {len(names):,} classes. "
            "Choose a column of predicted classes, or give a column probability_CLASS for each."
        )
    known = scores[np.isfinite(scores)]
    are_shares = bool(((known >= 0) & (known <= 1)).all())
    boundary, shares = (0.5 if are_shares else 0.0), scores[:, 0]
    if list(_family([predicted[0].name])) == [names[0]]:  # what is predicted is the other class
        shares = 1 - shares if are_shares else -shares
    return known_rows(ScoredRows("classes", target, shares, rows, weight, names, boundary))


def _check(truth: Column, predicted: Sequence[Column]) -> None:
    """Raise WorkbenchError for columns without values, and for text where probabilities are to be."""
    for column in (truth, *predicted):
        if np.isnan(column.values).all():
            raise WorkbenchError(f"'{column.name}' is empty. Choose another column.")
    text = next((column.name for column in predicted if column.is_categorical), None)
    if len(predicted) > 1 and text is not None:
        raise WorkbenchError(f"'{text}' holds text, and probabilities are numbers. Choose other columns.")


def _are_numbers(truth: Column, predicted: Column) -> bool:
    """Whether numbers were predicted, not classes."""
    if truth.is_categorical or predicted.is_categorical:
        return False
    known = _exact(truth)
    known = known[np.isfinite(known)]
    if len(np.unique(known[:1000])) <= FEW_NUMBERS and len(np.unique(known)) <= FEW_NUMBERS:
        return False
    return not _are_whole_labels(truth, predicted)


def _are_whole_labels(truth: Column, predicted: Column) -> bool:
    """Whether a few whole numbers stand for classes: only such are predicted as are true somewhere."""
    said, true = (np.unique(values[np.isfinite(values)]) for values in map(_exact, (predicted, truth)))
    few = all(0 < len(one) <= FEW_LABELS for one in (said, true))
    return few and bool(np.isin(said, true).all()) and bool((true == np.floor(true)).all())


def _in_text(truth: Column, predicted: list[Column]) -> tuple[Column, list[Column]]:
    """Return classes as text where single precision would make one of several whole numbers."""
    if truth.is_categorical or np.nanmax(np.abs(truth.values)) < LARGE:
        return truth, predicted
    if len(predicted) == 1 and not predicted[0].is_categorical and _are_whole_labels(truth, predicted[0]):
        predicted = [_text(predicted[0])]
    return _text(truth), predicted


def _text(column: Column) -> Column:
    exact = _exact(column)
    known = np.unique(exact[np.isfinite(exact)])
    codes = np.where(np.isfinite(exact), np.searchsorted(known, exact), np.nan).astype(np.float32)
    names = tuple(f"{value:.17g}" for value in known)
    return replace(column, kind="category", values=codes, categories=names, exact=None)


def _are_labels(names: tuple[str, ...], predicted: Column) -> bool:
    """Whether classes were predicted themselves, and no score."""
    if predicted.is_categorical:
        return True
    numbers = [float(name) for name in names if _is_number(name)]
    if len(names) == 2 and (set(numbers) <= {0.0, 1.0} or _family([predicted.name])):
        return False  # 0 and 1 are shares as well
    return bool(np.isin(predicted.values[np.isfinite(predicted.values)], numbers).all())


def _classes(
    truth: Column, predicted: Sequence[Column]
) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    """Return the classes, those that are only predicted last, and which of them is true of each row."""
    labels = class_labels(truth)
    told = set(map(label_text, labels))
    others: list[str] = []
    if predicted[0].is_categorical:
        others = [text for text in map(label_text, class_labels(predicted[0])) if text not in told]
    n = len(labels) + len(others)
    if n > MOST_CLASSES or n * len(truth.values) > MOST_SHARES:
        column = truth if len(labels) >= len(others) else predicted[0]
        raise WorkbenchError(
            f"'{column.name}' has {max(len(labels), len(others)):,} different values, too many to be "
            "classes here. Choose another column."
        )
    if n < 2:
        raise WorkbenchError(
            f"'{truth.name}' has one value, and two classes are needed. Choose another truth."
        )
    ordered = tuple(labels)
    if len(labels) == 2:
        ordered = ordered_labels(labels, "binary", None, truth.name, class_counts(truth))
    return (*map(label_text, ordered), *others), class_index(truth, ordered)


def _labels_of(truth: Column) -> tuple[str, ...]:
    """Return the classes; none of a column of many numbers. Further rows are read where they have to be."""
    first = replace(truth, values=truth.values[:FIRST_ROWS])
    labels = class_labels(first)
    if truth.kind == "number" and len(labels) > MOST_NUMBERS:
        return ()
    if not _has_no_others(truth, distinct(first.values[~np.isnan(first.values)])):
        labels = class_labels(truth)
    return tuple(map(label_text, labels))


def _has_no_others(truth: Column, seen: NDArray[np.float32]) -> bool:
    if truth.is_categorical:
        return len(seen) == len(truth.categories)
    if len(seen) > FEW_LABELS:
        return False
    known = np.isnan(truth.values)
    for value in seen:
        known |= truth.values == value
    return bool(known.all())


def _by_label(
    names: tuple[str, ...], predicted: Sequence[Column], scores: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return a probability a class; of two classes that of the second."""
    named = _family([column.name for column in predicted])
    family = {label: [column.name for column in predicted].index(name) for label, name in named.items()}
    if not set(names) <= family.keys():
        raise WorkbenchError(
            f"There is no column of probabilities for '{next(n for n in names if n not in family)}'. "
            "Call them probability_CLASS, one for each class."
        )
    by_class = scores[:, [family[name] for name in names]]
    return by_class[:, 1] if len(names) == 2 else by_class


def _family(names: Sequence[str]) -> dict[str, str]:
    """Return the columns of probabilities by the class that their name ends in."""
    return {found[1].strip(): name for name in names if (found := FAMILY.match(name))}


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
