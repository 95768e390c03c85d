"""Cross-validations and noise floors of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.parameters.folds import FOLD_SEED, FOLDS, REPEATS
from workbench.validation.fold_plan import FoldPlan
from workbench.validation.noise_floor import NoiseFloor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.session.events import SessionEvents
    from workbench.session.run import Run
    from workbench.validation.fold_events import OfFold, Predicted
    from workbench.validation.noise_floor import Refit
    from workbench.validation.result import CrossValidated


class Validation:
    """What folds and refits have said, by run.

    Attributes
    ----------
    live : Run or None
        The run that is cross-validated now.
    measured : Run or None
        The run whose noise floor is measured now.
    problem : str
        Why the last cross-validation ended; "" where it did not fail.
    wants_noise : bool
        Whether the noise floor of the shown run is measured when there is nothing else to do.
    """

    def __init__(self, events: SessionEvents) -> None:
        self._events = events
        self._results: dict[int, CrossValidated] = {}
        self._plans: dict[int, FoldPlan] = {}
        self._floors: dict[int, NoiseFloor] = {}
        self._chosen: FoldPlan | None = None
        self.live: Run | None = None
        self.measured: Run | None = None
        self.problem = ""
        self.wants_noise = False

    def clear(self) -> None:
        """Begin anew with other runs; the session announces it."""
        self._results, self._plans, self._floors, self._chosen = {}, {}, {}, None
        self.live = self.measured = None
        self.problem = ""

    @property
    def whole(self) -> tuple[dict[int, tuple[FoldPlan, CrossValidated]], dict[int, NoiseFloor]]:
        """What a project keeps, by the numbers of runs: folds and refits of which none is left to train."""
        folds = {n: (self._plans[n], result) for n, result in self._results.items() if result.is_whole}
        return folds, {n: floor for n, floor in self._floors.items() if floor.is_whole}

    def put(
        self, folds: Mapping[int, tuple[FoldPlan, CrossValidated]], floors: Mapping[int, NoiseFloor]
    ) -> None:
        """Have again what a project kept."""
        self._plans = {number: plan for number, (plan, _) in folds.items()}
        self._results = {number: result for number, (_, result) in folds.items()}
        self._floors = dict(floors)
        self._events.validation.emit()

    # --- folds ------------------------------------------------------------------------------

    def plan_of(self, run: Run) -> FoldPlan:
        """Return how a run would be cross-validated: as was chosen last, else as its rows are held out."""
        if self._chosen is not None:
            return self._chosen
        plan, by, column = run.plan, "rows", None
        if plan is not None and plan.split_by in ("groups", "time"):
            by, column = plan.split_by, plan.split_column
        elif run.schema is not None and run.schema.class_labels:
            by = "classes"
        return FoldPlan(FOLDS.default, REPEATS.default, FOLD_SEED.default, by, column)  # type: ignore[arg-type]

    def choose(self, plan: FoldPlan) -> None:
        """Divide rows so, of the next cross-validation on."""
        self._chosen = plan
        self._events.validation.emit()

    def result(self, run: Run | None) -> CrossValidated | None:
        """Return what folds have said of a run."""
        return None if run is None else self._results.get(run.number)

    def plan_used(self, run: Run) -> FoldPlan | None:
        """Return how the rows of a run's folds were divided."""
        return self._plans.get(run.number)

    def begin(self, run: Run, plan: FoldPlan) -> None:
        """Wait for the folds of a run."""
        self.live, self.problem = run, ""
        self._plans[run.number] = plan
        self._results.pop(run.number, None)
        self._events.validation.emit()

    def divided(self, run: Run, result: CrossValidated) -> None:
        """Take over the folds of a run, of which none has trained."""
        self._results[run.number] = result

    def take(self, run: Run, words: list[OfFold | Predicted]) -> None:
        """Take in what folds have said; views hear of it once."""
        result = self._results.get(run.number)
        if result is None or not words:
            return
        for word in words:
            result.take(word)
        self._events.validation.emit()

    def end(self, problem: str = "") -> None:
        """No fold trains any more; those that are trained stay."""
        self.live, self.problem = None, problem
        self._events.validation.emit()

    # --- the noise floor --------------------------------------------------------------------

    def measures(self, run: Run) -> bool:
        """Whether the noise floor of a run is known as far as its rounds go."""
        floor = self._floors.get(run.number)
        return floor is not None and floor.is_whole and floor.rounds == len(run.rounds)

    def floor(self, run: Run | None) -> NoiseFloor | None:
        """Return what refits of a run have come to."""
        return None if run is None else self._floors.get(run.number)

    def want_noise(self, wanted: bool) -> None:
        """Measure the noise floor of shown runs, or no more."""
        if wanted != self.wants_noise:
            self.wants_noise = wanted
            self._events.validation.emit()

    def measure(self, run: Run) -> NoiseFloor:
        """Wait for refits of a run; those that were made before it grew on are dropped."""
        self.measured, floor = run, self._floors.get(run.number)
        if floor is None or floor.rounds != len(run.rounds):
            floor = self._floors[run.number] = NoiseFloor(len(run.rounds))
        self._events.validation.emit()
        return floor

    def leave_noise(self) -> None:
        """No refit is made any more; those that are there stay."""
        self.measured = None
        self._events.validation.emit()

    def take_refits(self, run: Run, refits: list[Refit]) -> None:
        """Take in refits of a run."""
        if refits:
            self._floors[run.number].refits += refits
            self._events.validation.emit()
