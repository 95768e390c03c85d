"""What metrics are called in the interface; loads nothing, so that the window can ask at any time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MetricLabel:
    """The words for one metric.

    Attributes
    ----------
    title : str
        At the head of a plot: "Log loss".
    short : str
        Within a sentence: "log loss".
    higher_is_better : bool
    unit : str
        What the figure counts: "per row".
    """

    title: str
    short: str
    higher_is_better: bool = False
    unit: str = "per row"

    @property
    def phrase(self) -> str:
        """Unit and direction: "per row, lower is better"."""
        direction = "higher" if self.higher_is_better else "lower"
        return f"{self.unit}, {direction} is better"


_TARGET_UNIT = "in the target's unit"
_LABELS = {
    "rmse": MetricLabel("RMSE", "RMSE", unit=_TARGET_UNIT),
    "mae": MetricLabel("Mean absolute error", "MAE", unit=_TARGET_UNIT),
    "r2": MetricLabel("R²", "R²", higher_is_better=True, unit="share of variance explained"),
    "logloss": MetricLabel("Log loss", "log loss"),
    "mlogloss": MetricLabel("Log loss", "log loss"),
    "error": MetricLabel("Error rate", "error", unit="share of rows"),
    "merror": MetricLabel("Error rate", "error", unit="share of rows"),
    "auc": MetricLabel("AUC", "AUC", higher_is_better=True, unit="order of the rows"),
}


def metric_label(name: str) -> MetricLabel:
    """Return the words for the metric called `name`; its name where it has none."""
    return _LABELS.get(name) or MetricLabel(name, name)
