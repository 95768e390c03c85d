"""The searches for step functions, by the name that the parameter `step_search` has for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.trees.steps.greedy import greedy_steps
from workbench.trees.steps.merging import merged_steps
from workbench.trees.steps.optimal import optimal_steps

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from workbench.trees.steps.points import Points
    from workbench.trees.steps.step_path import StepPath

SEARCHES = ("optimal", "greedy", "merging")
MOST_STEPS = 256  # where nothing limits them


def step_path(
    search: str, points: Points, reg_lambda: float, most: int, stop_flag: NDArray[np.uint8] | None = None
) -> StepPath:
    """Return what a search finds of up to `most` steps; 0 is no limit but `MOST_STEPS`."""
    most = most or MOST_STEPS
    if search == "optimal":
        return optimal_steps(points, reg_lambda, most, stop_flag)
    return (greedy_steps if search == "greedy" else merged_steps)(points, reg_lambda, most)
