"""What a search found: for every number of steps a step function, of which γ chooses one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


class StepPath(NamedTuple):
    """Step functions of 1, 2, … steps.

    Attributes
    ----------
    scores : ndarray of float64, shape (s,)
        The structure score −½ Σ G²/(H+λ) of each, without γT.
    cuts_of : callable
        From a number of steps to its cuts, ascending: values before a cut lie left of it.
    direction : {"down", "up", "all"}
        How the search goes: it cuts from one step on, merges from many on, or knows the best of each number.
    """

    scores: NDArray[np.float64]
    cuts_of: Callable[[int], NDArray[np.int64]]
    direction: str

    def chosen(self, gamma: float) -> int:
        """Return the number of steps that γ, the cost of each, chooses.

        Cutting ends where one more step gains less than γ, merging where one less costs more; of all it is
        the one with the least structure score.
        """
        if self.direction == "all":
            return 1 + int(np.argmin(self.scores + gamma * np.arange(1, len(self.scores) + 1)))
        gains = -np.diff(self.scores)
        pays = (gains >= gamma) & (gains > 0.0)
        if self.direction == "up":
            return 1 + int(np.flatnonzero(pays).max(initial=-1) + 1)
        return len(self.scores) if pays.all() else int(np.argmin(pays)) + 1

    def objective(self, steps: int, gamma: float) -> float:
        """Return −½ Σ G²/(H+λ) + γT of the function of so many steps."""
        return float(self.scores[steps - 1] + gamma * steps)
