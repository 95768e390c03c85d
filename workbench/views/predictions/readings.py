"""The figures of predictions, as the strip above the plots reads them out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.explain.predictions.confusion import Confusion
from workbench.number_text import amount, count, counted, figure, fixed, percent
from workbench.views.curves.kpi_strip import Cell, Widths

if TYPE_CHECKING:
    from workbench.explain.predictions.findings import PredictionFindings
    from workbench.explain.predictions.score_curve import Counts

COLUMNS = (Widths(170, 116), *(Widths(140, 92),) * 6)
UNKNOWN = "–"
NAMES = {
    "log loss": "Log loss", "auc": "AUC", "average precision": "Average precision", "brier": "Brier score",
    "rmse": "RMSE", "mae": "MAE", "r2": "R²", "pinball": "Pinball loss", "ndcg": "NDCG", "map": "MAP",
}  # fmt: skip
SHORTS = {"average precision": "Avg. precision"}


def prediction_cells(
    found: PredictionFindings | None, counts: Counts | None, matrix: Confusion | None, round: str
) -> list[Cell]:
    """Return the figures of the rows after a round; those above the threshold come after the others."""
    if found is None:
        return [Cell("After", round)]
    rows = found.rows
    note = f"of {count(rows.of)}" if rows.is_sample else "row" if len(rows) == 1 else "rows"
    cells = [Cell(round, count(len(rows)), note)]
    shown = [name for name in found.figures if name in NAMES]
    if counts is not None:
        shown = [name for name in shown if name in ("log loss", "auc", "average precision")]
    for name in shown:
        value = found.figures[name]
        cells.append(Cell(NAMES[name], fixed(value) if name != "rmse" and name != "mae" else figure(value),
                          short=SHORTS.get(name, "")))
    if counts is not None:
        told = {"Precision": counts.precision, "Recall": counts.recall}
        told["Accuracy"] = float("nan") if matrix is None else matrix.accuracy
        cells += [Cell(name, fixed(value)) for name, value in told.items()]
    return cells


def counts_words(counts: Counts, label: str, threshold: float) -> str:
    """Say the counts above a threshold."""
    taken = counts.true_positive + counts.false_positive
    right = counts.true_positive
    of_class = right + counts.false_negative
    precision = f" ({percent(counts.precision)})" if taken else ""
    recall = f" ({percent(counts.recall)})" if of_class else ""
    return (
        f"Above {fixed(threshold)}: {_rows(taken)} taken for {label}, {amount(right)} of them "
        f"rightly{precision}; {amount(right)} of {amount(of_class)} found{recall}."
    )


def _rows(weight: float) -> str:
    return counted(weight, "row") if weight == int(weight) else f"weight {figure(weight)}"


def two_classes(labels: tuple[str, ...], k: int, counts: Counts) -> Confusion:
    """Return who is taken for whom of two classes, class k above the threshold."""
    cells = np.empty((2, 2))
    cells[k, k], cells[k, 1 - k] = counts.true_positive, counts.false_negative
    cells[1 - k, k], cells[1 - k, 1 - k] = counts.false_positive, counts.true_negative
    return Confusion(labels, cells)
