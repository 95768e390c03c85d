"""Which columns of a run stand in for one another: asked tree by tree, for each is scanned anew."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from workbench.errors import WorkbenchError, leave_if
from workbench.session.no_trees import NO_TREES

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.explain.replay import Replay
    from workbench.explain.rivals.rivals import Defeat, RivalSums
    from workbench.session.run import Run

TURN_SECONDS = 0.4  # of work between two pictures


class RivalBook:
    """What is known of the trees of one run; written by one worker at a time.

    Of a run that was taken back or went on elsewhere there is another book.
    """

    def __init__(self, run: Run) -> None:
        self.run, self.rounds = run, run.rounds
        self._replay: Replay | None = None
        self._defeats: dict[tuple[int, int], list[Defeat]] = {}

    def is_of(self, run: Run) -> bool:
        """Whether it tells of a run as it stands."""
        return self.run is run and self.rounds is run.rounds

    def places(self, round: int) -> list[tuple[int, int]]:
        """Return round and place of every tree up to a round, those first that lie far apart."""
        every = [(r, p) for r in range(1, round + 1) for p in range(len(self.run.trees(r)))]
        order, step = dict[int, None](), len(every)
        while step >= 1:
            order |= dict.fromkeys(range(0, len(every), step))
            step //= 2
        return [every[place] for place in order]

    def known(self, round: int) -> int:
        """Return how many trees up to a round have been looked at."""
        return sum(r <= round for r, _ in list(self._defeats))

    def sums(self, round: int) -> RivalSums:
        """Return the defeats of the known trees up to a round, added up."""
        from workbench.explain.rivals.rivals import rival_sums

        found = list(self._defeats.items())
        every = (defeat for (r, _), some in found if r <= round for defeat in some)
        schema = self.run.schema
        return rival_sums(every, 0 if schema is None else len(schema.features))

    def go_on(self, round: int, cancelled: Callable[[], bool]) -> None:
        """Look at some more trees, at least one."""
        from workbench.explain.rivals.rivals import tree_defeats

        began = perf_counter()
        for r, place in self.places(round):
            if (r, place) in self._defeats:
                continue
            leave_if(cancelled)
            problem = self.run.no_replay(r)
            if problem:
                raise WorkbenchError(problem)
            self._defeats[r, place] = tree_defeats(self._replayed(), r, place, cancelled)
            if perf_counter() - began > TURN_SECONDS:
                return

    def _replayed(self) -> Replay:
        from workbench.explain.replay import replay_of

        run = self.run
        if self._replay is None or self._replay.rounds is not run.rounds:
            kept = run.kept()
            self._replay = replay_of(
                run.dataset, kept.started.ensemble, run.params, run.rounds, run.own.objective
            )
        return self._replay


class RivalsFound(NamedTuple):
    """Sums over so many trees of all."""

    sums: RivalSums
    trees: int
    of_trees: int


class RivalsAsked(NamedTuple):
    """A book, how many rounds, and how many of their trees were known when it was asked."""

    book: RivalBook
    round: int
    known: int

    def answer(self, cancelled: Callable[[], bool]) -> RivalsFound:
        """Work it out for some more trees."""
        if self.book.run.is_linear:
            raise WorkbenchError("A linear model has no splits, so no column comes second at one.")
        if not self.book.run.rounds:
            raise WorkbenchError(NO_TREES)
        self.book.go_on(self.round, cancelled)
        trees = len(self.book.places(self.round))
        return RivalsFound(self.book.sums(self.round), self.book.known(self.round), trees)
