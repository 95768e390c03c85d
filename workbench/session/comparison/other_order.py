"""First and second order: a run trained again by the other of Newton's and Friedman's boosting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError
from workbench.parameters.methods import METHODS
from workbench.parameters.training import PARAMETERS, TrainingParams
from workbench.session.branching import differing
from workbench.session.journal.kinds.start import StartRun

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.session.run import Run

OTHER = {"newton": "friedman", "friedman": "newton"}


def other_order(run: Run) -> str:
    """Return the label of the method that a run is compared with; "" where it cannot be trained by it."""
    method = OTHER.get(run.params.method, "")
    is_taken = bool(method) and METHODS[method].takes(run.params.objective)
    return METHODS[method].label if is_taken and run.rounds and not run.is_live else ""


def in_other_order(run: Run) -> TrainingParams:
    """Return the parameters of a run for the other method.

    Those that both have stay, for as many rounds. λ is 0, since a search over a leaf knows none; huber
    clips at the slope of both.
    """
    if not other_order(run):
        raise WorkbenchError(
            "Only a run by Newton's or Friedman's boosting that has ended can be trained by the other, of an "
            "objective that both have."
        )
    known = run.params_in_force
    method = OTHER[known.method]
    kept = {p.name: getattr(known, p.name) for p in PARAMETERS if p.is_of(method) and p.is_of(known.method)}
    own = {"huber_quantile": None} if method == "friedman" else {"reg_lambda": 0.0}
    ends = {"rounds": len(run.rounds), "early_stopping_rounds": None}
    return TrainingParams(**kept | own | ends | {"method": method})


def told(params: TrainingParams) -> Callable[[int], StartRun]:
    """Return what the journal says of a run with these parameters, by its number."""
    return lambda number: StartRun(number, params.objective, differing(params))
