"""The classes of a target: their labels in natural types, their order, the positive one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.distinct import distinct, distinct_codes
from workbench.data.name_words import name_words
from workbench.data.values.truth_words import AFFIRMATIVE
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.data.schema import Task
    from workbench.data.table import Column

    Label = str | int | float | bool

_WORDS = """yes y true t positive pos malignant dead died death deceased diseased disease sick ill bad fail
failed failure churn churned default defaulted delinquent fraud fraudulent spam survived success
won win late delayed overdue cancelled canceled left exited quit attrited anomaly attack faulty
defective broken event case high risky toxic poisonous hazardous infected recurrence converted
purchased bought clicked subscribed approved accepted"""
_OTHERS = """no n false f negative neg benign alive healthy normal good ok okay legit legitimate genuine ham
stayed retained existing active current none never control ontime paid repaid absent rest other
others background"""
_NEGATIONS = frozenset(("no", "not", "non", "never", "without", "un"))
POSITIVE_WORDS = frozenset(_WORDS.split()) | AFFIRMATIVE
OTHER_WORDS = frozenset(_OTHERS.split())
SHORTEST_PART = 3  # letters of a word in a label that counts: "on time" is not "on"
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


def class_counts(column: Column) -> list[int]:
    """Return the rows of each label that `class_labels` returns."""
    return distinct_codes(_known(column))[2].tolist()


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


def ordered_labels(
    labels: Sequence[Label], task: Task, positive: str | None, name: str, counts: Sequence[int] = ()
) -> tuple[Label, ...]:
    """Check the number of classes, and put the positive one of two in the second place.

    Parameters
    ----------
    counts : sequence of int
        Rows of each label, where the rarer of two may be taken as the positive one.
    """
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
    chosen = positive_label(labels, name, counts) if positive is None else _chosen(labels, positive, name)
    return (labels[1 - labels.index(chosen)], chosen)


def positive_label(labels: Sequence[Label], name: str = "", counts: Sequence[int] = ()) -> Label:
    """Return the one of two labels that is the event: as a word marks it, else the rarer, else the second.

    Parameters
    ----------
    name : str
        Of their column; its own words mark a label too.
    counts : sequence of int
        Rows of each label.
    """
    own = frozenset(name_words(name))
    for marks in (_is_above_zero, _affirms, partial(_speaks, words=own), _opposes):
        marked = [marks(label, other) for label, other in zip(labels, reversed(labels), strict=True)]
        if marked in ([True, False], [False, True]):
            return labels[marked.index(True)]
    return labels[0] if len(counts) == len(labels) == 2 and counts[0] < counts[1] else labels[1]


def _is_above_zero(label: Label, other: Label) -> bool:
    """Whether labels are numbers, one above 0 and the other not."""
    mine, others = _number(label), _number(other)
    return mine is not None and others is not None and mine > 0 >= others


def _number(label: Label) -> float | None:
    try:
        return float(label)
    except ValueError:
        return None


def _affirms(label: Label, _other: Label) -> bool:
    return _speaks(label, words=POSITIVE_WORDS)


def _opposes(_label: Label, other: Label) -> bool:
    """Whether the other label is that of the usual case."""
    return _speaks(other, words=OTHER_WORDS) or bool(_NEGATIONS & set(name_words(str(other))))


def _speaks(label: Label, _other: Label = "", *, words: frozenset[str]) -> bool:
    """Whether a label has one of the words, and none that denies it."""
    said = str(label).strip().casefold()
    parts = {word for word in name_words(said) if len(word) >= SHORTEST_PART or word in _NEGATIONS}
    return said in words or bool(parts & words and not parts & _NEGATIONS)


def label_text(label: Label) -> str:
    """Write a label as it stands in the table."""
    return str(label).lower() if isinstance(label, bool) else str(label)


def _chosen(labels: Sequence[Label], positive: str, name: str) -> Label:
    for label in labels:
        if label_text(label) == str(positive) or label == positive:
            return label
    listed = " and ".join(map(label_text, labels))
    raise WorkbenchError(f"Column '{name}' has no class '{positive}'. Choose one of {listed}.")
