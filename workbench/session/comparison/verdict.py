"""Whether one run is better than another, or only differs from it by chance."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from workbench.number_text import figure
from workbench.session.run_parts.measured import are_measured_alike
from workbench.validation.noise_floor import noise_of_difference

if TYPE_CHECKING:
    from workbench.session.run import Run
    from workbench.session.validation.validation import Validation


class Verdict(NamedTuple):
    """How two runs compare in the metric that both watch.

    Attributes
    ----------
    better : int
        1 where the first is better, 2 where the second is; 0 where they differ by chance only.
    difference : float
        Of their best figures, the second's minus the first's.
    noise : float
        How far such a figure moves by chance.
    """

    better: int
    difference: float
    noise: float

    @property
    def width(self) -> str:
        """The noise as words: "± 0.0081"."""
        return f"± {figure(self.noise, 2)}"


def verdict(first: Run, second: Run, validation: Validation) -> Verdict | None:
    """Hold the best figures of two runs against the noise floor; None where it is not known.

    Where both were refitted, on the same draws, the spread of their difference counts; else the floor of the
    one that was. Runs that watch other metrics, hold other rows out or weigh them otherwise are not
    compared.
    """
    metric = first.watched
    if not metric or metric != second.watched or first.best is None or second.best is None:
        return None
    if not (_same_hold_out(first, second) and are_measured_alike(first, second)):
        return None
    is_higher_better = first.facts.metric(metric).higher_is_better
    noise = _noise(first, second, metric, validation, is_higher_better)
    difference = second.best[1] - first.best[1]
    if not (math.isfinite(noise) and math.isfinite(difference)):
        return None
    if abs(difference) <= noise:
        return Verdict(0, difference, noise)
    return Verdict(2 if (difference > 0) == is_higher_better else 1, difference, noise)


def _noise(
    first: Run, second: Run, metric: str, validation: Validation, is_higher_better: bool
) -> float:
    floors = [validation.floor(run) for run in (first, second)]
    if floors[0] is not None and floors[1] is not None:
        paired = noise_of_difference(floors[0], floors[1], metric, higher_is_better=is_higher_better)
        if math.isfinite(paired):
            return paired
    widths = [
        floor.at(metric, run.best_round)
        for run, floor in zip((first, second), floors, strict=True) if floor is not None
    ]
    return max((width for width in widths if math.isfinite(width)), default=math.nan)


def words_against(run: Run, other: Run, validation: Validation) -> str:
    """Say how a run compares with another: "better than Run 1"; "" where that is not known."""
    found = None if run is other else verdict(other, run, validation)
    if found is None:
        return ""
    if not found.better:
        return f"as good as {other.name}"
    return f"{'better' if found.better == 2 else 'worse'} than {other.name}"


def _same_hold_out(first: Run, second: Run) -> bool:
    """Whether both are measured on rows that were held out alike."""
    plans = [run.plan for run in (first, second)]
    if plans[0] is None or plans[1] is None:
        return plans[0] is plans[1]
    return all(
        getattr(plans[0], name) == getattr(plans[1], name)
        for name in ("target", "valid_fraction", "split_seed", "stratified", "split_by", "split_column",
                     "split_file")
    )  # fmt: skip
