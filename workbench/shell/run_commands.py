"""What a person does to runs: start, pause, step, stop, go on, show another."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.ensembles.breakpoints.goals import RunTo
from workbench.session.run import RunState
from workbench.views.pace import once_painted
from workbench.views.turns.held import painted_in_own_event
from workbench.views.turns.in_turns import InTurns
from workbench.views.turns.own_events import in_own_event
from workbench.views.validation.button import FoldsButton

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.ensembles.breakpoints.base import Breakpoint
    from workbench.shell.frame import Frame
    from workbench.views.base import Bench

REST_MS = 500  # after a table is shown, in which it is painted
WATCHED_REST = 0.12  # seconds from round to round


class RunCommands(QObject):
    """Passes each command to the controller or the session, once no view has a question before it."""

    def __init__(self, bench: Bench, frame: Frame) -> None:
        super().__init__(frame)
        self._session, self._controller, self._frame = bench.session, bench.controller, frame
        self._validating = bench.validating
        self._in_turns = InTurns(self._get_ready, self)
        self._soon = once_painted(self._in_turns.start, self, REST_MS)
        self._painted = once_painted(self._leave_table, self)

    def get_ready_soon(self) -> None:
        """Lay out what a run shows first, once what is shown now is painted."""
        self._soon.start()

    def _get_ready(self) -> Iterator[None]:
        yield from self._frame.left.get_ready("parameters")
        yield
        yield from self._frame.centre.get_ready("training")

    def primary(self) -> None:
        """Train, pause or resume, whichever the button says."""
        run = self._session.runs.in_hand
        if run is None or not run.is_live:
            self.start()
        elif run.state is RunState.PAUSED:
            self._controller.resume()
        else:
            self._controller.pause()

    def start(self) -> None:
        """Start a run and show its curves."""
        self._when_agreed(self._controller.train)

    def watch(self) -> None:
        """Start a run with default parameters, slowly enough to be followed."""
        self._session.hyperparameters.reset()
        self._when_agreed(partial(self._controller.train, rest=WATCHED_REST))

    def step(self) -> None:
        """Grow one round."""
        if self._controller.is_live:
            self._begin(self._controller.step)
        else:
            self._when_agreed(self._controller.step)

    def run_until(self, goal: Breakpoint) -> None:
        """Let the run in hand, or a new one, go on until a goal is met."""
        run = self._session.runs.in_hand
        if run is None or not run.is_live:
            self._when_agreed(partial(self._train_until, goal))
        elif isinstance(goal, RunTo) and goal.round <= len(run.rounds):
            said = f"{run.name} is past round {goal.round} already."
            self._session.notices.say(said, "warning", "training")
        else:
            self._aim(goal)
            self._session.breakpoints.tell_goal(run.number)
            if run.state is RunState.PAUSED:
                self._controller.resume()

    def start_without(self, column: str) -> None:
        """Ignore a column, and start a new run."""
        self._session.data.set_role(column, "ignore")
        self.start()

    def _train_until(self, goal: Breakpoint) -> None:
        self._aim(goal)
        self._controller.train()
        run = self._session.runs.in_hand
        if run is not None and self._controller.is_live:
            self._session.breakpoints.tell_goal(run.number)
        else:
            self._session.breakpoints.aim(None)

    def _aim(self, goal: Breakpoint) -> None:
        """Take a goal over, and grant the rounds that it needs."""
        wanted = self._session.hyperparameters.wanted
        if isinstance(goal, RunTo) and goal.round > wanted.rounds:
            self._session.hyperparameters.change(rounds=goal.round)
        self._session.breakpoints.aim(goal)

    def stop(self) -> None:
        """End the run, keep the model; else end the folds."""
        self._controller.stop()
        if not self._controller.is_live:
            self._validating.stop()

    def go_on(self) -> None:
        """Grow more rounds of the shown run."""
        self._controller.go_on()

    def branch(self) -> None:
        """Branch off the shown run at the shown round, and grow on."""
        self._when_agreed(self._controller.branch_on)

    def compare_orders(self) -> None:
        """Train the shown run by the other of Newton's and Friedman's boosting, and show all curves."""
        run = self._session.shown.run
        if run is None:
            self._session.notices.say("No run to compare. Train one first.", "warning", "training")
        elif self._controller.train_other_order(run) is not None:
            self._frame.centre.show_view("runs")

    def open_folds(self) -> None:
        """Open the folds beside the curves."""
        self._frame.centre.show_view("training")
        button = self._frame.findChild(FoldsButton)
        if button is not None:
            in_own_event(button.open_panel, self)

    def show_earlier(self) -> None:
        """Show the run before the one that is shown."""
        self._show(-1)

    def show_later(self) -> None:
        """Show the run after the one that is shown."""
        self._show(1)

    def _show(self, step: int) -> None:
        runs, shown = self._session.runs, self._session.shown.run
        if shown is not None and 0 <= runs.index(shown) + step < len(runs):
            self._session.shown.show(runs[runs.index(shown) + step])

    def _when_agreed(self, start: Callable[[], object]) -> None:
        """Start a run once no view has a question to ask before it."""
        go = partial(self._begin, start)
        if not any(view.holds_run(go) for view in self._frame.views):
            go()

    def _begin(self, start: Callable[[], object]) -> None:
        painted_in_own_event(self._frame.left)
        painted_in_own_event(self._frame.transport)
        seen = self._frame.left.current
        start()
        in_own_event(partial(self._leave_data, seen), self)

    def _leave_data(self, seen: str) -> None:
        if self._session.data.table is not None and self._frame.centre.current == "table":
            if self._frame.left.current == seen:  # the person may have gone elsewhere meanwhile
                self._frame.left.show_view("parameters")
            self._painted.start()

    def _leave_table(self) -> None:
        if self._frame.centre.current == "table":
            self._frame.centre.show_view("training")
