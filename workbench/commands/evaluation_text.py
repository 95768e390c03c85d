"""An evaluation as lines of text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from workbench.isolation import isolated
from workbench.number_text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.explain.evaluation import Evaluation

MOST_CLASSES = 20  # of a confusion matrix on a console


def evaluation_lines(evaluation: Evaluation, rows: int) -> list[str]:
    """Return the rows that counted, metrics, confusion matrix, coverage and the same by value."""
    whole = f" of {rows:,}" if evaluation.rows != rows else ""
    lines = [f"{counted(evaluation.rows, 'row')} with an answer{whole}", "", *metric_lines(evaluation)]
    if evaluation.confusion is not None and len(evaluation.labels) <= MOST_CLASSES:
        lines += ["", *_confusion(evaluation)]
    if evaluation.coverage:
        lines += ["", *(f"{name}: {share:.4f} of the rows lie at or below" for name, share in
                        evaluation.coverage.items())]  # fmt: skip
    if evaluation.by:
        lines += ["", *_by(evaluation)]
    return lines


def metric_lines(evaluation: Evaluation) -> Iterator[str]:
    """Yield one metric a line, with the way in which it is better."""
    from workbench.metrics.base import METRICS

    if not evaluation.metrics and evaluation.rows:
        yield "No metric can be taken of them; of a ranking, the column of queries is missing."
    width = max((len(name) for name in evaluation.metrics), default=0)
    for name, value in evaluation.metrics.items():
        way = "higher" if METRICS.get(name).higher_is_better else "lower"
        yield f"{name:<{width}}  {_number(value):>12}  {way} is better"


def _number(value: float) -> str:
    return f"{value:.6g}" if math.isfinite(value) else "not defined"


def _confusion(evaluation: Evaluation) -> Iterator[str]:
    assert evaluation.confusion is not None
    cells = [[f"{cell:,.6g}" for cell in line] for line in evaluation.confusion]
    return _table(["truth \\ taken for", *evaluation.labels], [
        [label, *line] for label, line in zip(evaluation.labels, cells, strict=True)
    ])  # fmt: skip


def _by(evaluation: Evaluation) -> Iterator[str]:
    names = list(evaluation.metrics)
    lines = [
        [value, f"{one.rows:,}", *(_number(one.metrics[name]) if one.metrics else "" for name in names)]
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
