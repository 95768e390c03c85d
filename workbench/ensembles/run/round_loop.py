"""Round after round, as the reins of the run say: pauses, steps, changed parameters, and what ends it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from workbench.ensembles.events import EndReason, TrainingPaused

if TYPE_CHECKING:
    from collections.abc import Generator

    from workbench.ensembles.control import RunControl
    from workbench.ensembles.events import RoundFinished
    from workbench.ensembles.run.breaks import Breaks
    from workbench.ensembles.run.live_params import LiveParams
    from workbench.parameters.training import TrainingParams


class Rounds(Protocol):
    """What a training method does, one round at a time."""

    def grow(self, number: int, params: TrainingParams) -> RoundFinished | None:
        """Grow one round; None when it was broken off, or nothing is left to learn."""

    def gives_up(self, number: int, params: TrainingParams) -> bool:
        """Whether the run stops early after this round."""


class RunEnd(NamedTuple):
    """Why the rounds ended, after which one, and the seconds that they took."""

    reason: EndReason
    round: int
    seconds: float


def round_loop(
    rounds: Rounds, first: int, params: LiveParams, control: RunControl, breaks: Breaks
) -> Generator[RoundFinished | TrainingPaused, None, RunEnd]:
    """Yield rounds after the first ones, which are there already, and pauses; return how they ended."""
    finished, seconds = first, 0.0
    while finished < params.now.rounds:
        if control.stopped:
            return RunEnd(EndReason.STOPPED, finished, seconds)
        if not control.turn():
            yield TrainingPaused(finished)
            control.wait()
            continue
        params.take()
        if finished >= params.now.rounds:
            break
        event = rounds.grow(finished + 1, params.now)
        if event is None:
            if control.stopped:
                return RunEnd(EndReason.STOPPED, finished, seconds)
            pause = breaks.look_back(finished)
            if pause is not None:
                yield pause
                control.wait()
            return RunEnd(EndReason.LEARNT, finished, seconds)
        finished += 1
        seconds += event.seconds
        yield event
        params.take()
        pause = breaks.look(event, is_last=finished >= params.now.rounds)
        if pause is not None:
            yield pause
            control.wait()
            if control.stopped:
                continue
            params.take()
        if rounds.gives_up(finished, params.now):
            return RunEnd(EndReason.EARLY, finished, seconds)
    return RunEnd(EndReason.FINISHED, finished, seconds)
