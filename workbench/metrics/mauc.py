"""Area under the ROC curve of several classes."""

from __future__ import annotations

from functools import partial

from workbench.metrics.auc import area_under_roc
from workbench.metrics.base import METRICS, Metric
from workbench.metrics.class_against_rest import mean_over_classes

METRICS.register(Metric(
    "mauc", "AUC of each class against the rest", "AUC", unit="order of the rows, mean over the classes",
    higher_is_better=True, formula=partial(mean_over_classes, area_under_roc), tasks=("multiclass",),
    reads="log_odds", is_cheap=False, aliases=("roc_auc_ovr",),
))  # fmt: skip
