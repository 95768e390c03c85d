"""Area under the curve of precision over recall, of several classes."""

from __future__ import annotations

from functools import partial

from workbench.metrics.base import METRICS, Metric
from workbench.metrics.class_against_rest import mean_over_classes
from workbench.metrics.pr_auc import average_precision

METRICS.register(Metric(
    "mpr_auc", "Average precision of each class against the rest", "PR AUC",
    unit="area under precision over recall, mean over the classes", higher_is_better=True,
    formula=partial(mean_over_classes, average_precision), tasks=("multiclass",), is_cheap=False,
    reads="log_odds",
))  # fmt: skip
