"""The reins of a run: pause, step, resume, stop, breakpoints and new parameter values, from any thread."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable

    from numpy.typing import NDArray

    from workbench.ensembles.breakpoints.base import Breakpoint
    from workbench.parameters.training import TrainingParams


class RunControl:
    """Called directly by the window, not through the event queue: a full queue must not delay a stop.

    The trainer calls `turn` between rounds and polls `stop_flag` between the levels of a tree.

    Parameters
    ----------
    breakpoints : iterable of Breakpoint
        What pauses the run with a reason, after the round that met it.
    measured : container of int, optional
        The rounds whose metrics are wanted, where these are few; a run that may stop early takes all.

    Attributes
    ----------
    told : callable or None
        Called at each word of these reins, in the thread that says it; of a trainer that is elsewhere.
    """

    def __init__(
        self, breakpoints: Iterable[Breakpoint] = (), measured: Container[int] | None = None
    ) -> None:
        self.measured = measured
        self.told: Callable[[], object] | None = None
        self._changed = threading.Condition()
        self._paused = False
        self._steps = 0
        self._resumed = self._resumed_before = 0  # times, now and when the trainer was last told to wait
        self._params: TrainingParams | None = None
        self._breakpoints = tuple(dict.fromkeys(breakpoints))
        self.stop_flag: NDArray[np.uint8] = np.zeros(1, np.uint8)

    @property
    def stopped(self) -> bool:
        """Whether stop was called."""
        return bool(self.stop_flag[0])

    @property
    def paused(self) -> bool:
        """Whether the trainer must wait before the next round."""
        return self._paused and not self._steps

    @property
    def runs_freely(self) -> bool:
        """Whether the run goes on to its end, neither paused nor by steps."""
        return not self._paused

    def pause(self) -> None:
        """Wait after the round that is being grown."""
        with self._changed:
            self._paused = True
        self._tell()

    def resume(self) -> None:
        """Go on until the end."""
        with self._changed:
            self._paused = False
            self._steps = 0
            self._resumed += 1
            self._changed.notify_all()
        self._tell()

    def step(self) -> None:
        """Grow one round, then pause."""
        with self._changed:
            self._paused = True
            self._steps += 1
            self._changed.notify_all()
        self._tell()

    def stop(self) -> None:
        """End the run at once; the rounds that are finished are kept."""
        self.stop_flag[0] = 1
        with self._changed:
            self._changed.notify_all()
        self._tell()

    def change(self, params: TrainingParams) -> None:
        """Use these parameters from the next round on (only live ones are taken over)."""
        with self._changed:
            self._params = params
        self._tell()

    def take_params(self) -> TrainingParams | None:
        """Return the parameters last given to `change`, once."""
        if self._params is None:
            return None
        with self._changed:
            params, self._params = self._params, None
            return params

    @property
    def breakpoints(self) -> tuple[Breakpoint, ...]:
        """Those in force; goals are gone once they are met."""
        return self._breakpoints

    def break_at(self, breakpoints: Iterable[Breakpoint]) -> None:
        """Put these breakpoints in the place of all others, from the next round that ends on."""
        with self._changed:
            self._breakpoints = tuple(dict.fromkeys(breakpoints))
        self._tell()

    def halt(self, met: Iterable[Breakpoint]) -> None:
        """Pause for these breakpoints, whatever steps were asked for; goals have served."""
        with self._changed:
            used = {one for one in met if one.once}
            self._breakpoints = tuple(one for one in self._breakpoints if one not in used)
            self._paused, self._steps = True, 0
            self._resumed_before = self._resumed

    def turn(self) -> bool:
        """Use up one step; False where the trainer must say that it waits, and wait, first."""
        with self._changed:
            if self.paused and not self.stopped:
                self._resumed_before = self._resumed
                return False
            if self._steps:
                self._steps -= 1
            return True

    def rest(self, seconds: float) -> None:
        """Block for so long, or until the run is stopped."""
        with self._changed:
            self._changed.wait_for(lambda: self.stopped, seconds)

    def wait(self) -> None:
        """Block while paused; a pause right after `resume` is another one, which is said too."""
        with self._changed:
            self._changed.wait_for(
                lambda: not self.paused or self.stopped or self._resumed != self._resumed_before
            )

    def _tell(self) -> None:
        told = self.told
        if told is not None:
            told()
