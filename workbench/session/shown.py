"""What is shown: the run, its round and tree, and how trees are drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.session.selection import Selection
from workbench.session.tree_display import TreeDisplay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.session.events import SessionEvents
    from workbench.session.journal.journal import Journal
    from workbench.session.run import Run
    from workbench.trees.tree import Tree

LOOKED_AT = ("shown", "plan")  # what of the state follows the shown run


class Shown:
    """Where the person is.

    Attributes
    ----------
    run : Run or None
    selection : Selection
    display : TreeDisplay
    pointed_node : int or None
        Node of the shown tree under the cursor.
    """

    def __init__(self, events: SessionEvents, journal: Journal) -> None:
        self._events, self._journal = events, journal
        self.run: Run | None = None
        self.selection = Selection()
        self.display = TreeDisplay()
        self.pointed_node: int | None = None

    @property
    def round(self) -> int:
        """The selected round, else the newest; 0 while there is none."""
        if self.run is None or not self.run.rounds:
            return 0
        newest = len(self.run.rounds)
        return newest if self.selection.round is None else min(self.selection.round, newest)

    def follows(self, run: Run) -> bool:
        """Whether a run trains whose newest round is looked at, whichever that is by now."""
        return run.is_live and self.selection.round is None

    @property
    def can_be_branched(self) -> bool:
        """Whether a run could go on from the shown round: there is one, and its rows are known."""
        return self.run is not None and self.run.has_rows and bool(self.round)

    @property
    def tree(self) -> Tree | None:
        """The tree of the shown round and class."""
        return self.tree_of(self.round)

    def tree_of(self, number: int) -> Tree | None:
        """Return the tree of round `number` (from 1) and of the shown class; None where there is none.

        So in a linear model, whose leaves stand alone.
        """
        if self.run is None or not number or self.run.is_linear:
            return None
        trees = self.run.trees(number)
        return trees[min(self.selection.class_index, len(trees) - 1)]

    @property
    def place(self) -> int:
        """Place of the shown tree among all trees of the run's rounds."""
        if self.run is None or not self.round:
            return 0
        before = sum(len(event.trees) for event in self.run.rounds[: self.round - 1])
        return before + self.place_in_round

    @property
    def place_in_round(self) -> int:
        """Place of the shown tree among those of its round."""
        if self.run is None or not self.round:
            return 0
        return min(self.selection.class_index, len(self.run.trees(self.round)) - 1)

    @property
    def output(self) -> int:
        """Which of the run's outputs the shown tree adds to; 0 where there is one."""
        names = () if self.run is None else self.run.output_names
        beside = self._trees_an_output(len(names))
        return max(min(self.selection.class_index // beside, len(names) - 1), 0)

    def choose_output(self, output: int) -> None:
        """Go to a tree of another output: of several side by side, to the one of the same place."""
        names = () if self.run is None else self.run.output_names
        beside = self._trees_an_output(len(names))
        self.select(class_index=output * beside + self.place_in_round % beside)

    def _trees_an_output(self, outputs: int) -> int:
        """Return how many trees of the shown round add to each output: those of the first come first."""
        if self.run is None or not self.round or not outputs:
            return 1
        return max(len(self.run.trees(self.round)) // outputs, 1)

    def show(self, run: Run) -> None:
        """Show another of the runs; a run that trains goes on. To look is no action: it is not undone."""
        self.go_to(run)
        self._journal.pass_over(*LOOKED_AT)

    def go_to(self, run: Run) -> None:
        """Show another of the runs, as part of an action."""
        if run is not self.run:
            self.begin(run)
            events = self._events
            with events.act():
                for signal in (events.rounds, events.runs, events.state, events.selection):
                    signal.emit()

    def begin(self, run: Run) -> None:
        """Go to the newest round of a run, without a word."""
        self.run = run
        self.selection = replace(self.selection, round=None, class_index=0, node=None)

    def begin_any(self, runs: Sequence[Run]) -> None:
        """Go to the last of these runs, or to none, without a word."""
        if runs:
            self.begin(runs[-1])
        else:
            self.run = None
            self.selection = replace(self.selection, round=None, class_index=0, node=None)

    def select(self, **values: Any) -> None:
        """Change the selection; another round or class drops the selected node."""
        changed = replace(self.selection, **values)
        if (changed.round, changed.class_index) != (self.selection.round, self.selection.class_index) and (
            "node" not in values
        ):
            changed = replace(changed, node=None)
        if changed != self.selection:
            self.selection = changed
            self._events.selection.emit()

    def display_trees(self, **values: Any) -> None:
        """Colour or arrange trees differently."""
        changed = replace(self.display, **values)
        if changed != self.display:
            self.display = changed
            self._events.display.emit()

    def point_at(self, node: int | None) -> None:
        """Look at a node of the shown tree for as long as the cursor is on it."""
        if node != self.pointed_node:
            self.pointed_node = node
            self._events.pointed.emit()
