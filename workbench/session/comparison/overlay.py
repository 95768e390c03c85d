"""Which runs lie over each other in the plot of all runs, and which one the shown one is compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.session.events import SessionEvents
    from workbench.session.run import Run
    from workbench.session.runs import Runs
    from workbench.session.shown import Shown

MOST_BY_ITSELF = 10  # runs that are drawn before somebody says which


class Overlay:
    """Ticks on runs, and the partner of the shown one; how things are looked at is in no journal.

    Attributes
    ----------
    model : Run or None
        A model from a file that is compared with the shown run; it is none of the runs.
    """

    def __init__(self, events: SessionEvents, runs: Runs, shown: Shown) -> None:
        self._events, self._runs, self._shown = events, runs, shown
        self._ticks: dict[int, bool] = {}
        self._partner = 0
        self.model: Run | None = None

    def clear(self) -> None:
        """Begin anew with other runs; the session announces it."""
        self._ticks, self._partner, self.model = {}, 0, None

    def is_ticked(self, run: Run) -> bool:
        """Whether a run is to be drawn with the others; the newest are, before somebody says which."""
        return self._ticks.get(run.number, run in self._runs[-MOST_BY_ITSELF:])

    def tick(self, run: Run, ticked: bool) -> None:
        """Draw a run with the others, or not."""
        if ticked != self.is_ticked(run):
            self._ticks[run.number] = ticked
            self._events.overlay.emit()

    @property
    def drawn(self) -> Sequence[Run]:
        """The runs that are drawn: those with a tick, the shown one and its partner."""
        newest, pair = set(self._runs[-MOST_BY_ITSELF:]), (self._shown.run, self.partner)
        return [run for run in self._runs if self._ticks.get(run.number, run in newest) or run in pair]

    @property
    def partner(self) -> Run | None:
        """The run or model that the shown one is compared with.

        Without a choice it is the run that it stands on, else the one before it, else the one after.
        """
        shown = self._shown.run
        if shown is None:
            return None
        if self.model is not None:
            return self.model
        for number in (self._partner, shown.stands_on):
            wished = self._runs.all.get(number)
            if wished is not None and wished is not shown and wished in self._runs:
                return wished
        others = (run for run in reversed(self._runs) if run.number < shown.number)
        return next(others, next((run for run in self._runs if run is not shown), None))

    def compare(self, run: Run | None) -> None:
        """Compare the shown run with another; None for the one that suggests itself."""
        self._partner, self.model = run.number if run is not None else 0, None
        self._events.overlay.emit()

    def compare_model(self, model: Run) -> None:
        """Compare the shown run with a model from a file."""
        self.model = model
        self._events.overlay.emit()
