"""What predictions of all partitions are worth, from what those of each are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from workbench.explain.evaluation import Evaluation

if TYPE_CHECKING:
    from collections.abc import Sequence

# Metrics that are means over rows, weighted; "rmse" is one of squares.
MEANS = (
    "mae", "logloss", "error", "mlogloss", "merror", "poisson_deviance", "gamma_deviance", "tweedie_deviance",
    "huber", "pinball", "exponential",
)  # fmt: skip


def worth_of(parts: Sequence[Evaluation | None]) -> Evaluation | None:
    """Return the evaluation of all rows; None where no partition knows answers.

    Metrics that do not add up over partitions are left out, which the note says.
    """
    known = [part for part in parts if part is not None and part.rows]
    if not known:
        return None
    names = list(dict.fromkeys(name for part in known for name in part.metrics))
    taken = {name: _mean(name, known) for name in names if name in (*MEANS, "rmse")}
    confusions = [part.confusion for part in known if part.confusion is not None]
    left = [name for name in names if name not in taken]
    weight = sum(part.weight for part in known)
    return Evaluation(
        sum(part.rows for part in known), weight, taken, known[0].labels,
        sum(confusions[1:], confusions[0]) if confusions else None,
        {
            name: sum(part.weight * part.coverage[name] for part in known) / weight
            for name in known[0].coverage
        },
        note=f"Not taken over partitions: {', '.join(left)}." if left else "",
    )  # fmt: skip


def _mean(name: str, parts: Sequence[Evaluation]) -> float:
    """Return a metric of the rows of all; NaN where one of them has none."""
    power = 2 if name == "rmse" else 1
    total = sum(part.weight * part.metrics.get(name, math.nan) ** power for part in parts)
    return float((total / sum(part.weight for part in parts)) ** (1 / power))
