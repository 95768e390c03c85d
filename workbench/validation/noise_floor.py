"""The noise floor: how far a run's figures move when nothing but chance differs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

REFITS = 30
FEWEST = 8  # refits of which a spread is told
DEVIATIONS = 2.0  # on either side: about 19 of 20 refits lie within


class Refit(NamedTuple):
    """One refit: its hold-out metrics by round."""

    number: int
    valid: dict[str, NDArray[np.float64]]


def noise_of_difference(
    one: NoiseFloor, other: NoiseFloor, metric: str, *, higher_is_better: bool
) -> float:
    """Return how far the difference of two runs moves by chance, where both were refitted on the same draws.

    NaN while there are too few such refits.
    """
    first, second = (floor.best(metric, higher_is_better=higher_is_better) for floor in (one, other))
    both = [second[number] - first[number] for number in first.keys() & second.keys()]
    return DEVIATIONS * float(np.std(both, ddof=1)) if len(both) >= FEWEST else float("nan")


@dataclass(eq=False)
class NoiseFloor:
    """What refits of one run have come to.

    Attributes
    ----------
    rounds : int
        Of the run, and of each refit.
    wanted : int
        Refits in all.
    refits : list of Refit
    """

    rounds: int = 0
    wanted: int = REFITS
    refits: list[Refit] = field(default_factory=list)
    _widths: dict[str, tuple[int, NDArray[np.float64]]] = field(default_factory=dict, repr=False)

    @property
    def is_whole(self) -> bool:
        """Whether all refits are there."""
        return len(self.refits) >= self.wanted

    def half_width(self, metric: str) -> NDArray[np.float64]:
        """Return by round how far a metric moves by chance; empty while there are too few refits."""
        known = self._widths.get(metric)
        if known is None or known[0] != len(self.refits):
            known = self._widths[metric] = len(self.refits), self._half_width(metric)
        return known[1]

    def _half_width(self, metric: str) -> NDArray[np.float64]:
        every = [refit.valid.get(metric, np.empty(0)) for refit in self.refits]
        shortest = min(map(len, every), default=0)
        if len(every) < FEWEST or not shortest:
            return np.empty(0)
        figures = np.array([values[:shortest] for values in every])
        figures = figures[np.isfinite(figures).all(axis=1)]
        return DEVIATIONS * figures.std(axis=0, ddof=1) if len(figures) >= FEWEST else np.empty(0)

    def best(self, metric: str, *, higher_is_better: bool) -> dict[int, float]:
        """Return the best figure of each refit, by its number."""
        choose = np.max if higher_is_better else np.min
        every = {refit.number: refit.valid.get(metric, np.empty(0)) for refit in self.refits}
        return {n: float(choose(values)) for n, values in every.items() if np.isfinite(values).any()}

    def at(self, metric: str, round: int) -> float:
        """Return how far a metric moves by chance after a round; NaN while that is not known."""
        widths = self.half_width(metric)
        return float(widths[min(round, len(widths)) - 1]) if len(widths) and round else float("nan")
