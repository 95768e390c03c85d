"""All that is shown of some predictions, found out at once on a worker thread."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import leave_if
from workbench.explain.predictions import figures
from workbench.explain.predictions.calibration import calibration
from workbench.explain.predictions.column_values import ColumnValues
from workbench.explain.predictions.confusion import confusion
from workbench.explain.predictions.coverage import coverage
from workbench.explain.predictions.plane import plane
from workbench.explain.predictions.query_metrics import query_metrics
from workbench.explain.predictions.residual_profile import residual_profile
from workbench.explain.predictions.score_curve import score_curve
from workbench.explain.predictions.score_histogram import score_histogram
from workbench.explain.predictions.weighted_quantiles import weighted_quantiles

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.explain.predictions.calibration import Calibration
    from workbench.explain.predictions.confusion import Confusion
    from workbench.explain.predictions.coverage import Coverage
    from workbench.explain.predictions.plane import Plane
    from workbench.explain.predictions.query_metrics import QueryMetrics
    from workbench.explain.predictions.residual_profile import ResidualProfile
    from workbench.explain.predictions.score_curve import ScoreCurve
    from workbench.explain.predictions.score_histogram import ScoreHistogram
    from workbench.explain.predictions.scored_rows import ScoredRows

QUANTILES = np.linspace(0.0, 1.0, 201)


@dataclass(frozen=True, eq=False)
class ClassFindings:
    """Of one class against the others.

    Attributes
    ----------
    k : int
    curve : ScoreCurve
    histogram : ScoreHistogram
    uniform, quantile : Calibration or None
        None where the scores are no probabilities.
    brier : float
    """

    k: int
    curve: ScoreCurve
    histogram: ScoreHistogram
    uniform: Calibration | None
    quantile: Calibration | None
    brier: float


@dataclass(frozen=True, eq=False)
class PredictionFindings:
    """Of some rows.

    Attributes
    ----------
    rows : ScoredRows
    figures : dict of str to float
        By name; NaN where one is not defined.
    of_class : ClassFindings or None
    confusion : Confusion or None
        Of the likeliest classes.
    truth : Plane or None
        What is predicted (across) and what is so.
    residuals : Plane or None
        What is left (up) over the column it was asked for; None where that has categories.
    profile : ResidualProfile or None
    column : str
        The column of the two above; "" for what is predicted.
    quantiles : ndarray of float64 or None
        Of the residuals, at `QUANTILES`.
    queries : QueryMetrics or None
    coverage : Coverage or None
    """

    rows: ScoredRows
    figures: dict[str, float] = field(default_factory=dict)
    of_class: ClassFindings | None = None
    confusion: Confusion | None = None
    truth: Plane | None = None
    residuals: Plane | None = None
    profile: ResidualProfile | None = None
    column: str = ""
    quantiles: NDArray[np.float64] | None = None
    queries: QueryMetrics | None = None
    coverage: Coverage | None = None


def findings(
    rows: ScoredRows, k: int = 0, column: ColumnValues | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> PredictionFindings:  # fmt: skip
    """Return everything that is shown of rows.

    Parameters
    ----------
    rows : ScoredRows
    k : int
        The class that is looked at; or the level of quantiles.
    column : ColumnValues, optional
        Along which residuals are looked at; what is predicted where there is none.
    """
    if rows.task == "ranking":
        return _of_ranking(rows, cancelled)
    found = {"residual": rows.residual(k), "predicted": _predicted(rows, k)}
    leave_if(cancelled)
    along = column or ColumnValues("", found["predicted"])
    profile = residual_profile(along.values, found["residual"], rows.weight, along.categories)
    leave_if(cancelled)
    if rows.task == "classes":
        of_class = class_findings(rows, k, cancelled)
        matrix = confusion(rows.target, rows.taken_for(k, None), rows.labels, rows.weight)
        told = {
            "log loss": figures.log_loss(rows), "auc": of_class.curve.auc,
            "average precision": of_class.curve.average_precision, "brier": of_class.brier,
            "accuracy": matrix.accuracy,
        }  # fmt: skip
        return PredictionFindings(rows, told, of_class, matrix, profile=profile, column=along.name)
    residuals = None
    if not along.categories:
        residuals = plane(along.values.astype(np.float64), found["residual"], rows.weight)
    leave_if(cancelled)
    told = {"rmse": figures.rmse(rows), "mae": figures.mae(rows), "r2": figures.r2(rows)}
    covered = None
    if rows.task == "quantiles":
        told = {"pinball": figures.pinball(rows)}
        covered = coverage(rows.target, rows.prediction, rows.levels, rows.weight)
    return PredictionFindings(
        rows, told, truth=plane(found["predicted"], rows.target, rows.weight, same_limits=True),
        residuals=residuals, profile=profile, column=along.name,
        quantiles=weighted_quantiles(found["residual"], rows.weight, QUANTILES), coverage=covered,
    )  # fmt: skip


def class_findings(rows: ScoredRows, k: int, cancelled: Callable[[], bool] | None = None) -> ClassFindings:
    """Return what is shown of one class against the others."""
    score, is_positive, weight = rows.score(k), rows.is_of(k), rows.weight
    curve = score_curve(score, is_positive, weight)
    leave_if(cancelled)
    _ = curve.seen, curve.auc, curve.average_precision  # here, not where they are shown
    histogram = score_histogram(score, is_positive, weight, (0.0, 1.0) if rows.are_shares else None)
    if not rows.are_shares:
        return ClassFindings(k, curve, histogram, None, None, float("nan"))
    uniform, quantile = (calibration(score, is_positive, weight, way) for way in ("uniform", "quantile"))
    return ClassFindings(k, curve, histogram, uniform, quantile, figures.brier(rows, k))


def _of_ranking(rows: ScoredRows, cancelled: Callable[[], bool] | None) -> PredictionFindings:
    groups = np.zeros(len(rows), np.int64) if rows.groups is None else rows.groups
    queries = query_metrics(rows.target, rows.prediction.astype(np.float32), groups, cancelled)
    told = {"ndcg": _mean(queries.ndcg), "map": _mean(queries.average_precision)}
    return PredictionFindings(rows, told, queries=queries)


def _predicted(rows: ScoredRows, k: int) -> NDArray[np.float64]:
    return rows.score(k) if rows.task == "classes" else rows.output(k)


def _mean(values: NDArray[np.float64]) -> float:
    return float(values.mean()) if len(values) else float("nan")
