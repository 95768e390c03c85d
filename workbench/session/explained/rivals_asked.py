"""Which columns of a run stand in for one another: asked split by split, for each is scanned anew."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from workbench.errors import WorkbenchError, leave_if
from workbench.session.no_trees import NO_TREES
from workbench.session.run_parts.measured import replay_params

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.explain.replay import Replay
    from workbench.explain.rivals.rivals import Defeat, RivalSums
    from workbench.parameters.training import TrainingParams
    from workbench.session.run import Run

TURN_SECONDS = 0.4  # of work between two pictures
SAMPLED = 40_000  # training rows; of more, so many are looked at first


class TreePart:
    """A tree of which some splits are looked at: those that are left, and what the others came to."""

    def __init__(self, nodes: list[int]) -> None:
        self.left, self.looked = nodes, 0
        self.defeats: list[Defeat] = []


class RivalBook:
    """What is known of the trees of one run; written by one worker at a time.

    Of a run that was taken back or went on elsewhere there is another book.
    """

    def __init__(self, run: Run) -> None:
        self.run, self.rounds = run, run.rounds
        self._replays: dict[tuple[bool, TrainingParams], Replay] = {}  # by whether they hold a sample
        self._defeats: dict[tuple[int, int], list[Defeat]] = {}
        self._sampled: dict[tuple[int, int], list[Defeat]] = {}
        self._parts: dict[tuple[bool, int, int], TreePart] = {}
        self.looks = 0  # at splits, so far

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

    @property
    def is_sampled_first(self) -> bool:
        """Whether a sample of the rows is looked at before all of them; queries are not taken apart."""
        data = self.run.dataset
        return data is not None and data.groups is None and len(data.train_rows) > SAMPLED

    def known(self, round: int, *, sampled: bool = False) -> int:
        """Return how many trees up to a round have been looked at by all rows, or by a sample."""
        return sum(r <= round for r, _ in list(self._sampled if sampled else self._defeats))

    def sums(self, round: int) -> RivalSums:
        """Return the defeats of the known trees up to a round, added up."""
        from workbench.explain.rivals.rivals import rival_sums

        begun = {key[1:]: part.defeats for key, part in list(self._parts.items())}
        found = list((begun | self._sampled | self._defeats).items())
        every = (defeat for (r, _), some in found if r <= round for defeat in some)
        schema = self.run.schema
        return rival_sums(every, 0 if schema is None else len(schema.features))

    def go_on(self, round: int, cancelled: Callable[[], bool]) -> None:
        """Look at some more splits, at least one; by a sample first where there are many rows."""
        began = perf_counter()
        for sampled in (True, False) if self.is_sampled_first else (False,):
            known = self._sampled if sampled else self._defeats
            for r, place in self.places(round):
                if (r, place) in known:
                    continue
                leave_if(cancelled)
                part = self._look(sampled, r, place, began + TURN_SECONDS, cancelled)
                if not part.left:
                    known[r, place] = part.defeats
                    del self._parts[sampled, r, place]
                if perf_counter() > began + TURN_SECONDS:
                    return

    def _look(
        self, sampled: bool, r: int, place: int, until: float, cancelled: Callable[[], bool]
    ) -> TreePart:
        """Look at the splits of a tree that are left, at one of them at least, until it is time to tell."""
        from workbench.explain.rivals.rivals import split_defeat, splits_of

        problem = self.run.no_replay(r)
        if problem:
            raise WorkbenchError(problem)
        replay, part = self._replayed(sampled, r), self._parts.get((sampled, r, place))
        if part is None:
            part = self._parts[sampled, r, place] = TreePart(splits_of(replay, r, place, cancelled))
        while part.left:
            part.defeats.append(split_defeat(replay, r, place, part.left[0], cancelled))
            del part.left[0]
            self.looks += 1
            part.looked += 1
            if perf_counter() > until:
                break
        return part

    @property
    def under_way(self) -> tuple[int, int]:
        """Splits looked at of the tree that is under way, and how many it has; 0 and 0 where none is."""
        part = next(iter(list(self._parts.values())), None)
        return (0, 0) if part is None else (part.looked, part.looked + len(part.left))

    def _replayed(self, sampled: bool, r: int) -> Replay:
        from workbench.explain.replay import replay_of
        from workbench.explain.rivals.rivals import sampled_rows


        run = self.run
        params = replay_params(run, r)
        if (sampled, params) not in self._replays:
            rows = sampled_rows(run.dataset, SAMPLED) if sampled and run.dataset is not None else run.dataset
            begun = run.kept().started.ensemble
            self._replays[sampled, params] = replay_of(rows, begun, params, self.rounds, run.own.objective)
        return self._replays[sampled, params]


class RivalsFound(NamedTuple):
    """Sums over so many trees of all, and how many of them were looked at by all rows.

    `under_way` are splits of the tree that comes next, looked at and in all; `looks` is where the book stood.
    """

    sums: RivalSums
    trees: int
    of_trees: int
    exact: int
    under_way: tuple[int, int]
    looks: int
    is_whole: bool


class RivalsAsked(NamedTuple):
    """A book, how many rounds, and how many splits had been looked at when it was asked."""

    book: RivalBook
    round: int
    looks: int

    @property
    def run(self) -> Run:
        """Whose columns they are."""
        return self.book.run

    def is_like(self, other: RivalsAsked) -> bool:
        """Whether the same is asked of other rounds of the run."""
        return self.book is other.book

    def answer(self, cancelled: Callable[[], bool]) -> RivalsFound:
        """Work it out for some more splits."""
        if self.book.run.is_linear:
            raise WorkbenchError("A linear model has no splits, so no column comes second at one.")
        if not self.book.run.rounds:
            raise WorkbenchError(NO_TREES)
        self.book.go_on(self.round, cancelled)
        book, trees = self.book, len(self.book.places(self.round))
        exact, sampled = book.known(self.round), book.known(self.round, sampled=True)
        return RivalsFound(
            book.sums(self.round), max(exact, sampled), trees, exact, book.under_way, book.looks,
            exact == trees,
        )  # fmt: skip
