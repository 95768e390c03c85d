"""The drop of the loss that a round promised, and the one that it delivered, are far apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.ensembles.breakpoints.base import BREAKPOINTS, Breakpoint, Met, Watcher
from workbench.number_text import figure, short
from workbench.parameters.spec import parameter

if TYPE_CHECKING:
    from workbench.ensembles.breakpoints.base import WatchedRun
    from workbench.ensembles.events import RoundFinished

LEAST_PROMISED = 1e-9  # of the loss; a promise below it is rounding


@BREAKPOINTS.register
@dataclass(frozen=True)
class PromiseBroken(Breakpoint):
    """Met when promised and delivered drop differ by more than `factor`, and did not in the round before."""

    name = "promise_broken"
    title = "Promised and delivered drop differ"

    factor: float = parameter(
        2.0, label="times", kind="real", lower=1.0, open_lower=True, slider=(1.1, 10.0),
        scale="log",
        help="Pause when the second-order model promised this many times the drop that came, or the other "
        "way round. Only Newton boosting and step functions promise one.",
    )  # fmt: skip

    def watcher(self, run: WatchedRun) -> Watcher:
        """Look from the next round on."""
        return BrokenPromises(self.factor) if run.promises else NoPromises()


class NoPromises(Watcher):
    """Looks at a method that promises nothing: its trees are no minimum of a second-order model."""

    def look(self, event: RoundFinished) -> Met | None:
        """Return None."""
        return None


class BrokenPromises(Watcher):
    """Says it when a promise is broken, and again once one was kept."""

    def __init__(self, factor: float) -> None:
        self._factor = factor
        self._largest_loss = 0.0  # of which what is promised at last may be less than rounding
        self._is_broken = False

    def look(self, event: RoundFinished) -> Met | None:
        """Compare the two drops of a round."""
        promised, delivered = -event.promised, -event.delivered
        was_broken, self._is_broken = self._is_broken, self._differ(promised, delivered, event.loss)
        if was_broken or not self._is_broken:
            return None
        what_came = f"lowered it by {figure(delivered)}" if delivered > 0 else _raised(delivered)
        promise = f"Round {event.round} promised to lower the loss by {figure(promised)} and {what_came}"
        return Met(f"{promise}: more than a factor of {short(self._factor)} apart.")

    def _differ(self, promised: float, delivered: float, loss: float) -> bool:
        self._largest_loss = max(self._largest_loss, abs(loss))
        if promised <= LEAST_PROMISED * self._largest_loss:
            return False
        return delivered * self._factor < promised or delivered > self._factor * promised


def _raised(delivered: float) -> str:
    return f"raised it by {figure(-delivered)}" if delivered < 0 else "did not change it"
