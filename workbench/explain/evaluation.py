"""What a model is worth on rows whose answers are known: metrics, and who was taken for what; as text too."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.explain.predictions.confusion import Confusion
from workbench.isolation import isolated
from workbench.metrics.base import METRICS
from workbench.number_text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

MOST_CLASSES = 12  # of a confusion matrix in text
MOST_MISTAKES = 10  # that are named where there are more classes


@dataclass(frozen=True, repr=False)
class Evaluation:
    """The figures of some rows.

    Attributes
    ----------
    rows : int
        With an answer, and a weight above 0.
    weight : float
        Their sum of weights.
    metrics : dict of str to float
        The objective's own first; NaN where one is not defined.
    labels : tuple of str
        Of the classes.
    confusion : ndarray of float64, shape (K, K), or None
        Weight of the rows of each class (line) that were taken for each (column).
    coverage : dict of str to float
        Of quantiles: the share of rows at or below each.
    by : dict of str to Evaluation
        The same of the rows with each value of a column.
    parts : dict of str to Evaluation
        The same of the "hold-out" and the "training" rows, where these are rows that the model knows.
    note : str
        What these rows are to the model, in a sentence, where that is known.
    undefined : dict of str to str
        Why a metric is not defined, where that is known.
    """

    rows: int
    weight: float
    metrics: dict[str, float]
    labels: tuple[str, ...] = ()
    confusion: NDArray[np.float64] | None = None
    coverage: dict[str, float] = field(default_factory=dict)
    by: dict[str, Evaluation] = field(default_factory=dict)
    parts: dict[str, Evaluation] = field(default_factory=dict)
    note: str = ""
    undefined: dict[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return "\n".join(evaluation_lines(self, self.rows))

    @property
    def told(self) -> Evaluation:
        """The figures of the hold-out rows, where they are known; else these."""
        return self.parts.get("hold-out", self)

    @property
    def per_class(self) -> dict[str, dict[str, float]]:
        """Of each class: the weight of its rows, what was taken for it, precision, recall and F1."""
        if self.confusion is None:
            return {}
        made = Confusion(self.labels, self.confusion)
        figures = (made.support, made.taken, made.precision, made.recall, made.f1)
        names = ("rows", "taken", "precision", "recall", "f1")
        return {
            label: dict(zip(names, map(float, values), strict=True))
            for label, *values in zip(self.labels, *figures, strict=True)
        }

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values; what is not defined is null."""
        made: dict[str, Any] = {"rows": self.rows, "weight": self.weight}
        made["metrics"] = _or_null(self.metrics)
        made |= {"undefined": self.undefined} if self.undefined else {}
        if self.confusion is not None:
            made |= {"labels": list(self.labels), "confusion": self.confusion.tolist()}
            made["per_class"] = {label: _or_null(figures) for label, figures in self.per_class.items()}
        if self.coverage:
            made["coverage"] = self.coverage
        if self.by:
            made["by"] = {value: one.to_dict() for value, one in self.by.items()}
        if self.note:
            made["note"] = self.note
        if self.parts:
            made["parts"] = {part: one.to_dict() for part, one in self.parts.items()}
        return made


def _or_null(figures: Mapping[str, float]) -> dict[str, float | None]:
    return {name: value if np.isfinite(value) else None for name, value in figures.items()}


def evaluation_lines(evaluation: Evaluation, rows: int) -> list[str]:
    """Return the rows that counted, metrics, who was taken for whom, coverage and the same by value.

    Of a table that the model was trained on, all but the metrics is of the hold-out rows.
    """
    whole = f" of {rows:,}" if evaluation.rows != rows else ""
    lines = [f"{counted(evaluation.rows, 'row')} with an answer{whole}", *note_lines(evaluation), ""]
    lines += metric_lines(evaluation)
    told, of_parts = evaluation.told, " of the hold-out rows" if evaluation.parts else ""
    if told.confusion is not None:
        lines += ["", *([f"Classes{of_parts}:"] if of_parts else []), *_confusion(told)]
    if told.coverage:
        covered = told.coverage.items()
        lines += ["", *(f"{name}: {share:.4f}{of_parts or ' of the rows'} lie at or below" for name, share in
                        covered)]  # fmt: skip
    if told.by:
        lines += ["", *([f"Values{of_parts}:"] if of_parts else []), *_by(told)]
    return lines


def note_lines(evaluation: Evaluation) -> list[str]:
    """Return what these rows are to the model, where that is known."""
    return [evaluation.note] if evaluation.note else []


def metric_lines(evaluation: Evaluation) -> Iterator[str]:
    """Yield one metric a line, with the way in which it is better; hold-out rows come first, where known."""
    if not evaluation.metrics and evaluation.rows:
        yield "No metric can be taken of them; of a ranking, the column of queries is missing."
    columns = {**evaluation.parts, "all rows": evaluation}
    width = max((len(name) for name in evaluation.metrics), default=0)
    if evaluation.parts:
        yield " " * width + "".join(f"  {name:>12}" for name in columns)
    for name in evaluation.metrics:
        way = "higher" if METRICS.get(name).higher_is_better else "lower"
        values = (_number(one.metrics.get(name, math.nan)) for one in columns.values())
        why = next((one.undefined[name] for one in columns.values() if name in one.undefined), "")
        told = f"because {why}" if why else f"{way} is better"
        yield f"{name:<{width}}{''.join(f'  {value:>12}' for value in values)}  {told}"


def _number(value: float) -> str:
    return f"{value:.6g}" if math.isfinite(value) else "not defined"


def _confusion(evaluation: Evaluation) -> Iterator[str]:
    cells = evaluation.confusion
    assert cells is not None
    if len(evaluation.labels) > MOST_CLASSES:
        return _mistakes(evaluation.labels, cells)
    texts = [[f"{cell:,.6g}" for cell in line] for line in cells]
    return _table(["truth \\ taken for", *evaluation.labels], [
        [label, *line] for label, line in zip(evaluation.labels, texts, strict=True)
    ])  # fmt: skip


def _mistakes(labels: Sequence[str], cells: NDArray[np.float64]) -> Iterator[str]:
    """Yield the most frequent mistakes, and where all figures by class are."""
    wrong = cells.copy()
    np.fill_diagonal(wrong, 0.0)
    right, pairs = float(np.trace(cells)), int((wrong > 0).sum())
    yield f"{len(labels):,} classes: {right:,.6g} of {cells.sum():,.6g} rows taken for what they are"
    if pairs:
        order = np.argsort(-wrong, axis=None, kind="stable")[: min(pairs, MOST_MISTAKES)]
        places = [divmod(int(place), len(labels)) for place in order]
        yield from _table(["truth", "taken for", "rows"], [
            [labels[i], isolated(labels[j]), f"{wrong[i, j]:,.6g}"] for i, j in places
        ])  # fmt: skip
    if pairs > MOST_MISTAKES:
        yield f"and {pairs - MOST_MISTAKES:,} more pairs"
    yield "per_class has precision, recall and F1 of each class; so does --json."


def _by(evaluation: Evaluation) -> Iterator[str]:
    names = list(evaluation.metrics)
    lines = [
        [
            value,
            f"{one.rows:,}",
            *(_number(one.metrics.get(name, math.nan)) if one.metrics else "" for name in names),
        ]
        for value, one in evaluation.by.items()
    ]
    return _table(["", "rows", *names], lines)


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield lines with columns as wide as their widest cell, numbers at the right."""
    widths = [max(map(len, column)) for column in zip(head, *lines, strict=True)]
    for line in (head, *lines):
        first, *others = (isolated(cell) if k == 0 else cell for k, cell in enumerate(line))
        cells = [f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True)]
        yield "  ".join([f"{first:<{widths[0]}}", *cells]).rstrip()
