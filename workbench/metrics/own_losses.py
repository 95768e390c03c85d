"""Metrics that are the loss of one objective, with its parameters: taken by the objective itself."""

from __future__ import annotations

from workbench.metrics.base import METRICS, Metric
from workbench.metrics.facts import TARGET_UNIT

METRICS.register(Metric("huber", "Huber loss", unit="per row", tasks=("regression",), reads="loss"))
METRICS.register(
    Metric("pinball", "Pinball loss", "pinball loss", TARGET_UNIT, tasks=("regression",), reads="loss")
)
METRICS.register(
    Metric("tweedie_deviance", "Tweedie deviance", unit="per row", tasks=("regression",), reads="loss")
)
METRICS.register(Metric("custom_loss", "Custom loss", "custom loss", tasks=("regression",), reads="loss"))
METRICS.register(
    Metric("exponential", "Exponential loss", "exponential loss", tasks=("binary",), reads="loss")
)
