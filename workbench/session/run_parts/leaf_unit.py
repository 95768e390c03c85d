"""What the leaf weights of a run are counted in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.explain.node_text import MEAN, SHARE
from workbench.parameters.methods import IMPURITY

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema, Task
    from workbench.ensembles.events import TrainingStarted


def leaf_unit(
    started: TrainingStarted | None, schema: DataSchema | None, method: str, task: Task | None
) -> str:
    """Return "days" where they add up to a date, `SHARE` or `MEAN` of trees that hold them, else ""."""
    if started is None or schema is None:
        return ""
    if method in IMPURITY:
        return MEAN if task == "regression" else SHARE
    if not schema.target_is_date:
        return ""
    from workbench.objectives.base import OBJECTIVES

    return "" if OBJECTIVES.get(started.ensemble.objective).link else "days"
