"""The step functions of one column that the three searches find, over each other; γ chooses among them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.data.named_columns import step_column
from workbench.errors import WorkbenchError
from workbench.trees.steps.points import points_of
from workbench.trees.steps.search import SEARCHES, step_path

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.parameters.training import TrainingParams
    from workbench.trees.steps.points import Points
    from workbench.trees.steps.step_path import StepPath

MOST_POINTS = 20_000  # of which the optimum is found while a person waits


class FoundSteps(NamedTuple):
    """One step function.

    Attributes
    ----------
    search : str
        That found it.
    cuts : ndarray of float64, shape (steps - 1,)
        Where it steps.
    values : ndarray of float64, shape (steps,)
        Its predictions.
    objective : float
        −½ Σ G²/(H+λ) + γT.
    """

    search: str
    cuts: NDArray[np.float64]
    values: NDArray[np.float64]
    objective: float


@dataclass(frozen=True, eq=False)
class StepSolutions:
    """What the searches found under one λ.

    Attributes
    ----------
    column : int
        Of the matrix.
    points : Points
    base : float
        The prediction that the steps are added to.
    reg_lambda : float
    paths : dict of str to StepPath
        By search.
    """

    column: int
    points: Points
    base: float
    reg_lambda: float
    paths: dict[str, StepPath]

    def lines(self, gamma: float) -> list[FoundSteps]:
        """Return the function that each search has under γ."""
        return [self._line(name, path, gamma) for name, path in self.paths.items()]

    def _line(self, name: str, path: StepPath, gamma: float) -> FoundSteps:
        steps, points = path.chosen(gamma), self.points
        cuts = path.cuts_of(steps)
        edges = np.concatenate([[0], cuts, [len(points)]])
        g, h = np.diff(points.gradients[edges]), np.diff(points.hessians[edges])
        middles = (points.values[cuts].astype(np.float64) + points.values[cuts - 1]) / 2
        values = self.base - g / np.maximum(h + self.reg_lambda, np.finfo(float).tiny)
        return FoundSteps(name, middles, values, path.objective(steps, gamma))


def step_solutions(
    data: Dataset, params: TrainingParams, base: float, stop_flag: NDArray[np.uint8] | None = None
) -> StepSolutions:
    """Find the step functions of the column that `params` name, by every search.

    Raises
    ------
    WorkbenchError
        The column has too many values to wait for.
    """
    column, rows = step_column(data.schema.features, params), data.train_rows
    weight = np.ones(len(rows)) if data.weight is None else data.weight[rows]
    gradients = weight * (base - data.target[rows])
    points = points_of(data.features[rows, column], gradients, weight)
    if len(points) > MOST_POINTS:
        raise WorkbenchError(
            f"The column has {len(points):,} different values; step functions are laid over each other up to "
            f"{MOST_POINTS:,}."
        )
    paths = {
        name: step_path(name, points, params.reg_lambda, params.max_leaves, stop_flag) for name in SEARCHES
    }
    return StepSolutions(column, points, base, params.reg_lambda, paths)
