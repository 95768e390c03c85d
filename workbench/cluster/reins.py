"""The one callback of a run on the workers: it streams rounds, and obeys commands and early stopping.

Several callbacks stand in a set under `any()`, some of which are then skipped on some workers; a broadcast in
one of them would wait for ever. So all is in this one, and what to do before a round is said by rank 0 alone.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import distributed
from xgboost import collective
from xgboost.callback import TrainingCallback

from workbench.cluster.commands import clear, mailbox
from workbench.cluster.learner_params import live_params
from workbench.ensembles.early_stopping import BestRound

if TYPE_CHECKING:
    from workbench.cluster.commands import Mailbox, RunCommand
    from workbench.parameters.training import TrainingParams

HOLD_SECONDS = 0.5  # between two broadcasts of a pause
LEASE_SECONDS = 60.0  # without a word of the trainer, after which a run ends


class Watched(NamedTuple):
    """What early stopping watches: rows and figure by XGBoost's names, and the best so far."""

    rows: str
    figure: str
    higher_is_better: bool
    best: tuple[int, float] | None = None


class Turn(NamedTuple):
    """What all ranks do before a round: "go", "hold" or an end; and new parameters, where there are any."""

    deed: str
    number: int = -1
    params: TrainingParams | None = None


def topic_of(run: str) -> str:
    """Return what the events of a run are filed under."""
    return f"boosting-workbench-{run}"


class Reins(TrainingCallback):
    """Holds a run on every worker.

    Parameters
    ----------
    run : str
        Its name on the cluster.
    first : int
        Rounds of the model that is grown on.
    watched : Watched
    begun : RunCommand
        What holds before anything is said.
    """

    def __init__(self, run: str, first: int, watched: Watched, begun: RunCommand) -> None:
        super().__init__()
        self._run, self._first, self._watched, self._begun = run, first, watched, begun
        self._in_force = begun.number
        self._params = begun.params
        self._best = BestRound(watched.higher_is_better)
        if watched.best is not None:
            self._best.note(*watched.best)
        self._began = 0.0
        self._said_waiting = -1

    def before_iteration(self, model: Any, epoch: int, evals_log: Any) -> bool:
        """Wait, take over parameters or end, as rank 0 says."""
        finished = self._first + epoch
        turn = Turn("hold")
        while turn.deed == "hold":
            turn = collective.broadcast(self._turn(finished) if collective.get_rank() == 0 else turn, 0)
        if turn.deed != "go":
            if collective.get_rank() == 0:
                self._say(kind="end", round=finished, deed=turn.deed)
            clear(self._run, distributed.get_worker())
            return True
        if turn.params is not None:
            self._params, self._in_force = turn.params, turn.number
        if turn.params is not None or self._params.learning_rate_decay != 1.0:
            model.set_param(live_params(self._params, finished + 1))
        self._began = perf_counter()
        return False

    def after_iteration(self, model: Any, epoch: int, evals_log: Any) -> bool:
        """Say what the round came to."""
        if collective.get_rank() != 0:
            return False
        number = self._first + epoch + 1
        metrics = {
            rows: {name: float(figures[-1]) for name, figures in log.items()}
            for rows, log in evals_log.items()
        }
        figure = metrics[self._watched.rows][self._watched.figure]
        self._best.note(number, figure, self._params.early_stopping_min_change)
        tree = bytes(model[number - 1 : number].save_raw("ubj"))
        self._say(
            kind="round", round=number, metrics=metrics, tree=tree, command=self._in_force,
            seconds=perf_counter() - self._began,
        )
        return False

    def _turn(self, finished: int) -> Turn:
        """Return what to do before the next round, after a short wait where the run is held."""
        box = self._mailbox
        command = box.get() or self._begun
        if command.stop:
            return Turn("stopped")
        if box.silence > LEASE_SECONDS:
            return Turn("left")
        params = command.params
        if finished >= params.rounds:
            return Turn("finished")
        if self._watched.rows == "valid" and finished > self._first and self._best.is_exhausted(
            finished, params.early_stopping_rounds
        ):
            return Turn("early")
        is_held = command.until is not None and command.until <= finished
        if is_held:
            if self._said_waiting != command.number:
                self._said_waiting = command.number
                self._say(kind="waiting", round=finished, command=command.number)
            box.wait(HOLD_SECONDS, command.number)
            return Turn("hold")
        changed = command.number != self._in_force
        return Turn("go", command.number, params if changed else None)

    def _say(self, **message: Any) -> None:
        distributed.get_worker().log_event(topic_of(self._run), message)

    @property
    def _mailbox(self) -> Mailbox:
        return mailbox(distributed.get_worker(), self._run)

