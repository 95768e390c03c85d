"""The classes of a target: their labels in natural types, their order, the positive one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.distinct import distinct, distinct_codes
from workbench.data.values.truth_words import AFFIRMATIVE
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.data.schema import Task
    from workbench.data.table import Column

    Label = str | int | float | bool

_WORDS = """yes y true t 1 positive pos malignant dead died death diseased sick bad fail failed failure
churn churned default defaulted fraud spam survived success won win"""
POSITIVE_WORDS = frozenset(_WORDS.split()) | AFFIRMATIVE
FEW_CLASSES = 20  # more different numbers than this are hardly classes


def class_labels(column: Column) -> list[Label]:
    """Return the labels that occur in a column, in its order."""
    present = distinct(_known(column))
    if column.is_categorical:
        texts = [column.categories[int(code)] for code in present]
        return [text == "true" for text in texts] if set(texts) <= {"true", "false"} else list(texts)
    if all(float(value).is_integer() for value in present):
        return [int(value) for value in present]
    return [float(str(value)) for value in present]


def class_index(column: Column, labels: Sequence[Label]) -> NDArray[np.float64]:
    """Return for each row the place of its label in `labels`; NaN where it is missing or not listed."""
    place = {label: index for index, label in enumerate(labels)}
    of_present = np.array([place.get(label, np.nan) for label in class_labels(column)])
    index = np.full(len(column.values), np.nan)
    if len(of_present):
        index[~np.isnan(column.values)] = of_present[distinct_codes(_known(column))[1]]
    return index


def _known(column: Column) -> NDArray[np.float32]:
    return column.values[~np.isnan(column.values)] + np.float32(0)  # which makes −0 a 0


def ordered_labels(labels: Sequence[Label], task: Task, positive: str | None, name: str) -> tuple[Label, ...]:
    """Check the number of classes, and put the positive one of two in the second place."""
    if len(labels) < 2:
        shown = f" '{labels[0]}'" if labels else ""
        raise WorkbenchError(
            f"Cannot train: column '{name}' has one value{shown} where two classes are needed. "
            "Choose another target."
        )
    if task == "multiclass":
        return tuple(labels)
    if len(labels) > 2:
        is_numbers = len(labels) > FEW_CLASSES and all(isinstance(label, (int, float)) for label in labels)
        raise WorkbenchError(
            f"Cannot train: column '{name}' has {len(labels):,} classes where two are needed. "
            f"Choose the objective {'squared' if is_numbers else 'softmax'}."
        )
    chosen = positive_label(labels) if positive is None else _chosen(labels, positive, name)
    return (labels[1 - labels.index(chosen)], chosen)


def positive_label(labels: Sequence[Label]) -> Label:
    """Return the one of two labels that is the event: by its word, else the second."""
    words = [isinstance(label, str) and label.casefold() in POSITIVE_WORDS for label in labels]
    return labels[0] if words == [True, False] else labels[1]


def label_text(label: Label) -> str:
    """Write a label as it stands in the table."""
    return str(label).lower() if isinstance(label, bool) else str(label)


def _chosen(labels: Sequence[Label], positive: str, name: str) -> Label:
    for label in labels:
        if label_text(label) == str(positive) or label == positive:
            return label
    listed = " and ".join(map(label_text, labels))
    raise WorkbenchError(f"Column '{name}' has no class '{positive}'. Choose one of {listed}.")
