"""How many rows of a class, and of the others, lie above each score: ROC and its relatives read it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

BEYOND = 1e-3  # of the span of the scores, below the lowest


class Counts(NamedTuple):
    """Weights of the rows above a threshold and not, rightly and wrongly."""

    true_positive: float
    false_positive: float
    false_negative: float
    true_negative: float

    @property
    def precision(self) -> float:
        """Share of those taken that are of the class; NaN where none is taken."""
        return _ratio(self.true_positive, self.true_positive + self.false_positive)

    @property
    def recall(self) -> float:
        """Share of the class that is taken; NaN where there is none of it."""
        return _ratio(self.true_positive, self.true_positive + self.false_negative)

    @property
    def false_positive_rate(self) -> float:
        """Share of the others that is taken."""
        return _ratio(self.false_positive, self.false_positive + self.true_negative)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; NaN where there is neither."""
        both = 2 * self.true_positive + self.false_positive + self.false_negative
        return _ratio(2 * self.true_positive, both)

    @property
    def accuracy(self) -> float:
        """Share of all that is taken rightly."""
        return _ratio(self.true_positive + self.true_negative, sum(self))


@dataclass(frozen=True, eq=False)
class ScoreCurve:
    """Cut after each distinct score, the highest first; cut 0 is before all of them.

        cut      0      1      2     …   m
        scores      s₁  >  s₂  >  …  sₘ
        above    none  s₁     s₁,s₂     all

    Attributes
    ----------
    scores : ndarray of float64, shape (m,)
    positive, negative : ndarray of float64, shape (m + 1,)
        Weight of the rows above each cut.
    """

    scores: NDArray[np.float64]
    positive: NDArray[np.float64]
    negative: NDArray[np.float64]

    @property
    def has_both(self) -> bool:
        """Whether there are rows of the class and others."""
        return bool(self.positive[-1] > 0 and self.negative[-1] > 0)

    def threshold(self, cut: int) -> float:
        """Return the score that divides the rows above a cut from the others: half-way between them."""
        scores = self.scores
        if not len(scores):
            return 0.0
        if cut <= 0:
            return float(scores[0])
        if cut >= len(scores):
            return float(scores[-1] - BEYOND * ((scores[0] - scores[-1]) or 1.0))
        middle = (scores[cut - 1] + scores[cut]) / 2
        return float(middle if middle < scores[cut - 1] else scores[cut])

    def cut(self, threshold: float) -> int:
        """Return the cut below the scores above a threshold."""
        return int(np.searchsorted(-self.scores, -threshold, side="left"))

    def counts(self, threshold: float) -> Counts:
        """Return who lies above a threshold."""
        return self.counts_of(self.cut(threshold))

    def counts_of(self, cut: int) -> Counts:
        """Return who lies above a cut."""
        above, wrong = float(self.positive[cut]), float(self.negative[cut])
        return Counts(above, wrong, float(self.positive[-1]) - above, float(self.negative[-1]) - wrong)

    # --- the curves: one point a cut --------------------------------------------------------

    @cached_property
    def recall(self) -> NDArray[np.float64]:
        """True positive rate; NaN where there is none of the class."""
        return _share(self.positive)

    @cached_property
    def false_positive_rate(self) -> NDArray[np.float64]:
        """NaN where there are no others."""
        return _share(self.negative)

    @cached_property
    def precision(self) -> NDArray[np.float64]:
        """1 before the first cut, as scikit-learn has it."""
        taken = self.positive + self.negative
        return np.divide(self.positive, taken, out=np.ones_like(taken), where=taken > 0)

    @cached_property
    def taken(self) -> NDArray[np.float64]:
        """Share of all rows above each cut."""
        return _share(self.positive + self.negative)

    @property
    def base_rate(self) -> float:
        """Share of the class."""
        return _ratio(float(self.positive[-1]), float(self.positive[-1] + self.negative[-1]))

    @cached_property
    def auc(self) -> float:
        """Area under the ROC curve; NaN with rows of one class only."""
        return float(np.trapezoid(self.recall, self.false_positive_rate)) if self.has_both else float("nan")

    @cached_property
    def average_precision(self) -> float:
        """Σ (Rₙ − Rₙ₋₁) Pₙ; NaN where there is none of the class."""
        if not self.positive[-1] > 0:
            return float("nan")
        return float((np.diff(self.recall) * self.precision[1:]).sum())

    @property
    def roc(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Across and up of the ROC curve."""
        return self.false_positive_rate, self.recall

    @property
    def precision_recall(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Across and up of precision over recall."""
        return self.recall, self.precision

    @property
    def gain(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Across and up of the share found over the share of all rows."""
        return self.taken, self.recall

    @cached_property
    def seen(self) -> dict[str, NDArray[np.int64]]:
        """Cuts that show each of these curves: see `thinned`."""
        return {name: thinned(*getattr(self, name)) for name in ("roc", "precision_recall", "gain")}

    def costs(self, of_false_positive: float, of_false_negative: float) -> NDArray[np.float64]:
        """Return what the errors cost at each cut."""
        missed = self.positive[-1] - self.positive
        return of_false_positive * self.negative + of_false_negative * missed

    def cheapest(self, of_false_positive: float, of_false_negative: float) -> tuple[int, float]:
        """Return the cut at which the errors cost least, and what they cost there."""
        costs = self.costs(of_false_positive, of_false_negative)
        best = int(costs.argmin())
        return best, float(costs[best])


def score_curve(
    score: NDArray[np.float64], is_positive: NDArray[np.bool_], weight: NDArray[np.float64] | None = None
) -> ScoreCurve:
    """Return the curve of some rows, shape (n,)."""
    order = np.argsort(-score)
    ordered, positive = score[order], is_positive[order]
    ends = np.append(np.flatnonzero(np.diff(ordered)), len(ordered) - 1) if len(ordered) else np.empty(0, int)
    if weight is None:
        above = np.cumsum(positive, dtype=np.float64)[ends]
        others = ends + 1.0 - above
    else:
        own = weight[order]
        above, others = (np.cumsum(np.where(side, own, 0.0))[ends] for side in (positive, ~positive))
    return ScoreCurve(ordered[ends], np.append(0.0, above), np.append(0.0, others))


def thinned(x: NDArray[np.float64], y: NDArray[np.float64], most: int = 400) -> NDArray[np.int64]:
    """Return the places of the points that show a curve: the ends, and those evenly far along both axes.

    `x` ascends.
    """
    n = len(x)
    if n <= 2 * most:
        return np.arange(n)
    along = np.append(0.0, np.cumsum(np.abs(np.diff(x)) + np.abs(np.diff(y))))
    wanted = np.linspace(0.0, along[-1], 2 * most)
    return np.unique(np.append(np.searchsorted(along, wanted).clip(0, n - 1), (0, n - 1)))


def _share(weight: NDArray[np.float64]) -> NDArray[np.float64]:
    return weight / weight[-1] if weight[-1] > 0 else np.full_like(weight, np.nan)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else float("nan")
