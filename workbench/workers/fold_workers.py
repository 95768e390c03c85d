"""Threads that train a run again: on folds, and for its noise floor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.workers.training_worker import TrainingWorker

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    from workbench.data.dataset import Dataset
    from workbench.data.table import Column
    from workbench.ensembles.control import RunControl
    from workbench.parameters.training import TrainingParams
    from workbench.session.run import Run
    from workbench.validation.fold_plan import FoldPlan
    from workbench.validation.result import CrossValidated


@dataclass(frozen=True)
class Divided:
    """The rows are divided."""

    result: CrossValidated


class AgainWorker(TrainingWorker):
    """Trains a run's rows again with its parameters."""

    def __init__(
        self, run: Run, dataset: Dataset, params: TrainingParams, column: Column | None, control: RunControl,
        ready: threading.Event, on_news: Callable[[], object], after: TrainingWorker | None,
    ) -> None:  # fmt: skip
        assert run.plan is not None
        super().__init__(None, run.plan, params, control, ready, on_news, dataset, after, own=run.own)
        self._rows, self._column = dataset, column
        self._rounds = len(run.rounds)


class FoldWorker(AgainWorker):
    """Says what `cross_validation` says."""

    folds: FoldPlan

    def _train(self) -> None:
        if not self._wait_for_kernels():
            return
        from workbench.validation.cross_validation import cross_validation
        from workbench.validation.divided import folds_of_dataset
        from workbench.validation.fold_events import Predicted
        from workbench.validation.result import CrossValidated

        folds = folds_of_dataset(self._rows, self.folds, self._column)
        self._queue.put(Divided(CrossValidated(self._rows, folds)))
        for word in cross_validation(self._rows, self._params, folds, self.control, self._own):
            self._queue.put(word)
            if isinstance(word, Predicted):
                self._on_news()


class NoiseWorker(AgainWorker):
    """Says each refit."""

    known = 0  # refits that there are already

    def _train(self) -> None:
        if not self._wait_for_kernels():
            return
        from workbench.validation.noise import refits

        for refit in refits(
            self._rows, self._params, self._rounds, self._column, first=self.known, control=self.control,
            own=self._own,
        ):
            self._queue.put(refit)
            self._on_news()
