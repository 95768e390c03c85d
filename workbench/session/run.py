"""One run: what a trainer has said so far, ready to be drawn."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from math import isnan, nan
from typing import TYPE_CHECKING, Any

from workbench.ensembles.events import (
    EndReason,
    RoundFinished,
    TrainingEnded,
    TrainingPaused,
    TrainingStarted,
    notes_of,
)
from workbench.ensembles.own_parts import NOTHING_OWN
from workbench.errors import WorkbenchError
from workbench.parameters.methods import UNPENALISED
from workbench.parameters.training import BY_NAME
from workbench.session.history import History
from workbench.session.no_trees import NO_TREES
from workbench.session.objective_facts import ObjectiveFacts
from workbench.session.own_file import missing_of
from workbench.session.run_parts.kept import Kept
from workbench.session.run_parts.leaf_unit import leaf_unit
from workbench.session.run_parts.marks import BranchPoint, RunCard
from workbench.session.run_parts.measured import best_shared, is_measured_otherwise
from workbench.session.run_parts.parameter_change import changes_in
from workbench.session.run_parts.rows_of_run import RowsOfRun
from workbench.session.run_parts.stretches import Stretches
from workbench.session.what_if.question import WhatIf

if TYPE_CHECKING:
    import threading
    from collections.abc import Sequence

    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import Event
    from workbench.formats.model import Model
    from workbench.parameters.training import TrainingParams
    from workbench.session.journal.action import Action
    from workbench.session.run_parts.marks import ScoredAgain
    from workbench.session.run_parts.parameter_change import ParameterChange
    from workbench.session.run_parts.stretches import Cluster
    from workbench.trees.tree import Tree


class RunState(Enum):
    """Where a run stands."""

    PREPARING = "preparing"
    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"
    FAILED = "failed"


OVER = (RunState.ENDED, RunState.FAILED)


class Run(RowsOfRun):
    """Grows by events; never changes what it already holds.

    Attributes
    ----------
    dataset, there, shown_rows, schema, plan, kinds, started
        Of its rows: see `RowsOfRun`.
    number : int
        From 1, in the order of starting.
    params : TrainingParams
        As started.
    rounds : list of RoundFinished
    history : History
        The figures of the rounds as arrays.
    changes : list of ParameterChange
    wanted : TrainingParams
        What the person wants of its next round, or of the next run, while this one is shown.
    own : OwnParts
        What it trains with from the person's own files.
    facts : ObjectiveFacts
        The words for its objective and its metrics.
    origin : str
        What it was made of, "run 1 with λ 3"; "" for a run of its own.
    scored_again : ScoredAgain or None
        Where its first rounds are another run's, scored again with other values.
    read : Model or None
        The model that it shows, where that was read from a file.
    is_steered : bool
        Whether changes of the session's parameters reach it while it trains.
    lengthened : int
        The rounds that it was to have in all where it went on, which nobody asked for; 0 where it did not.
    refused : int
        The round since which, as was said, its trees have no split; 0 before it is said.
    what_if : WhatIf
    card : RunCard
    branch : BranchPoint or None
    made : Action or None
        The journal's line of its making.
    edits : tuple of dict
        What was done to trees of its rounds by hand, as a model's provenance tells it.
    stretches : Stretches
        How it was grown, the first one with its making; the last one goes on while it is live.
    """

    def __init__(
        self, number: int, params: TrainingParams, facts: ObjectiveFacts | None = None, origin: str = ""
    ) -> None:
        super().__init__()
        self.number = number
        self.card = RunCard()
        self.branch: BranchPoint | None = None
        self.made: Action | None = None
        self.edits: tuple[dict[str, Any], ...] = ()
        self.stretches = Stretches()
        self._aside: tuple[RoundFinished, ...] = ()  # the rounds of stretches that were taken back
        self.params = self.wanted = params
        self.origin = origin
        self.scored_again: ScoredAgain | None = None
        self.read: Model | None = None
        self.is_steered = True
        self.lengthened = 0
        self._longer: tuple[TrainingParams, TrainingParams] | None = None
        self.refused = 0
        self.what_if: WhatIf[Run] = WhatIf()
        self.own = NOTHING_OWN
        self.facts = facts or ObjectiveFacts(params.objective)
        self.state = RunState.PREPARING
        self.ended: TrainingEnded | None = None
        self.rounds: list[RoundFinished] = []
        self.history = History()
        self.changes: list[ParameterChange] = []
        self._kernels: threading.Event | None = None
        self.preparing = ""  # how far, where its rows are prepared elsewhere
        self.rest = 0.0  # seconds after each round, for a person who watches

    @property
    def is_linear(self) -> bool:
        """Whether it trains a linear model, which has no trees to look at."""
        return self.params.method == "linear"

    @property
    def is_second_order(self) -> bool:
        """Whether structure score, Ω and the quadratic model say something of its trees."""
        return not (self.is_linear or self.params.method in UNPENALISED)

    @property
    def params_again(self) -> TrainingParams:
        """Those that train it again on other rows: as begun, with the rounds that it has."""
        params = self.params
        if self.started is not None:
            params = params.change(objective=self.started.params.objective)
        if self.rounds and BY_NAME["rounds"].is_of(params.method):
            params = params.change(rounds=len(self.rounds))
        return params

    def await_kernels(self, ready: threading.Event) -> None:
        """Take what is set once its kernels are compiled."""
        self._kernels = ready

    @property
    def has_kernels(self) -> bool:
        """Whether nothing has to be compiled before its first round."""
        return self._kernels is None or self._kernels.is_set()

    def beside(self, params: TrainingParams, origin: str = "") -> Run:
        """Return a run on the same rows that has no rounds yet, and no number."""
        made = Run(0, params, self.facts, origin)
        made.own = self.own
        made.take_rows(self)
        return made

    def leaving(self, params: TrainingParams, at: int, rounds: Sequence[RoundFinished]) -> Run:
        """Return a run beside this one that shares its first `at` rounds, and stands after all `rounds`."""
        made = self.beside(params)
        made.branch, made.started = BranchPoint(self.number, at), self.started
        made.edits = tuple(edit for edit in self.edits if edit["round"] <= at)
        if self.scored_again is not None:
            made.scored_again = self.scored_again._replace(rounds=min(self.scored_again.rounds, at))
        made.retell(rounds)
        made.stretches.begin(params, at)
        made.break_off(0.0)
        return made

    @property
    def name(self) -> str:
        """The run as titles call it."""
        return self.card.title or f"Run {self.number}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of it: that nothing was learnt, or cannot be."""
        return tuple(note for event in (self.started, self.ended) if event for note in notes_of(event))

    @property
    def wanted_now(self) -> TrainingParams:
        """What is wanted of its next round: with more rounds than were asked for, while it goes on."""
        if not (self.lengthened and self.is_live):
            return self.wanted
        known = self._longer
        if known is None or known[0] is not self.wanted or known[1].rounds != self.lengthened:
            self._longer = known = (self.wanted, self.wanted.change(rounds=self.lengthened))
        return known[1]

    @property
    def unit(self) -> str:
        """What its leaf weights are counted in; "" for plain numbers."""
        return leaf_unit(self.started, self.schema, self.params.method, self.facts.task)

    @property
    def output_names(self) -> tuple[str, ...]:
        """What each of several trees of a round is for; empty where a row has one raw prediction."""
        return self.started.ensemble.output_names if self.started else ()

    @property
    def is_live(self) -> bool:
        """Whether a trainer still works on it or waits."""
        return self.state not in OVER

    @property
    def planned_rounds(self) -> int:
        """Rounds it will have, or has had when it ended."""
        if self.ended is not None:
            return len(self.rounds)
        return max(self.params_in_force.rounds, len(self.rounds))

    @property
    def params_in_force(self) -> TrainingParams:
        """Parameters of the newest round that is its own."""
        return self.rounds[-1].params if len(self.rounds) > self.shared_rounds else self.params

    def params_at(self, round: int) -> TrainingParams:
        """Parameters of a round, from 1."""
        return self.rounds[round - 1].params if round > self.shared_rounds else self.params

    @property
    def stands_on(self) -> int:
        """The number of the run that this one was made of; 0 where it stands on none."""
        return int(getattr(self.made, "of", 0))

    @property
    def own_missing(self) -> str:
        """What it was trained with of the person's own, and is not there: "an objective of your own"."""
        return "" if self.started is None else missing_of(self.started, self.own)

    @property
    def shared_rounds(self) -> int:
        """How many of its rounds are those of the run that it branches off."""
        return 0 if self.branch is None else self.branch.round

    @property
    def best_round(self) -> int:
        """Round with the best watched metric, 0 before the first."""
        if not self.rounds:
            return 0
        if len(self.rounds) <= self.shared_rounds and is_measured_otherwise(self):
            return best_shared(self)
        return self.rounds[-1].best_round

    @property
    def watched(self) -> str:
        """Name of the watched metric."""
        return self.started.watched if self.started else ""

    def apply(self, event: Event) -> None:
        """Take in one event."""
        match event:
            case TrainingStarted():
                self.started = self._begun(event)
                self.facts = self.facts.with_metrics(event.own_metrics)
                self.state = RunState.RUNNING
            case RoundFinished():
                self._take(event)
                self.state = RunState.RUNNING
            case TrainingPaused():
                self.state = RunState.PAUSED
            case TrainingEnded():
                self._end(event)

    def _begun(self, event: TrainingStarted) -> TrainingStarted:
        """Return what was said at its start; a branch reports what its own rounds do."""
        known = self.started
        if known is None or self.branch is None or len(self.rounds) > self.shared_rounds:
            return known or event
        return replace(known, metrics=event.metrics, watched=event.watched, own_metrics=event.own_metrics)

    def _end(self, event: TrainingEnded | None, state: RunState = RunState.ENDED) -> None:
        self.ended, self.state = event, state
        if not self.stretches:
            self.stretches.begin(self.params, 0)
        self.stretches.end(len(self.rounds), event)

    def fail(self) -> None:
        """End where it could not go on; its rounds so far stay."""
        self._end(self.ended, RunState.FAILED)

    def break_off(self, seconds: float) -> None:
        """End here, where its trainer was gone without a word; it had worked for so many seconds."""
        self._end(TrainingEnded(EndReason.STOPPED, len(self.rounds), self.best_round, seconds))

    def begin_stretch(self, params: TrainingParams, cluster: Cluster | None = None) -> None:
        """Wait for rounds: the first, or more of a run that had ended."""
        self.stretches.begin(params, len(self.rounds), cluster)
        self._aside = ()
        self.ended, self.preparing = None, ""
        self.state = RunState.PREPARING

    def stand_after(self, n_stretches: int) -> None:
        """Let so many of its stretches count; the rounds of the others are set aside, or taken up again."""
        stretches = self.stretches
        if n_stretches == stretches.n_counted or self.is_live or not 0 < n_stretches <= len(stretches):
            return
        rounds = self.every_round
        last = stretches[n_stretches - 1]
        stretches.n_counted = n_stretches
        self._aside = rounds[last.last :]
        self.retell(rounds[: last.last])
        self.ended, self.state = last.ended, RunState.ENDED

    @property
    def every_round(self) -> tuple[RoundFinished, ...]:
        """Its rounds, those set aside too."""
        return (*self.rounds, *self._aside)

    def retell(self, rounds: Sequence[RoundFinished]) -> None:
        """Hold these rounds in place of its own."""
        self.rounds, self.history, self.changes = [], History(), []
        for event in rounds:
            self._take(event)

    def _take(self, event: RoundFinished) -> None:
        self._note_changes(event)
        self.rounds.append(event)
        self.history.append(event)

    @property
    def best(self) -> tuple[int, float] | None:
        """Best round, and its watched metric; None before the first."""
        if not self.best_round:
            return None
        event = self.rounds[self.best_round - 1]
        return self.best_round, (event.valid or event.train).get(self.watched, nan)

    @property
    def known_best(self) -> tuple[int, float] | None:
        """The same; None also where the metric is not defined in that round, so that none is the best."""
        return None if self.best is None or isnan(self.best[1]) else self.best

    def kept(self) -> Kept:
        """Return what it holds now; it may grow on meanwhile. Raises WorkbenchError before the start."""
        if self.schema is None or self.started is None:
            raise WorkbenchError(NO_TREES)
        read = self.read if self.read is not None and self.read.rounds == len(self.rounds) else None
        return Kept(self.schema, self.started, tuple(self.rounds), self.ended, read, self.edits)

    def no_replay(self, round: int = 1) -> str:
        """Why a round (from 1) cannot be replayed although the rows are there; "" where it can."""
        again = self.scored_again
        if again is None or round > again.rounds:
            return ""
        return (
            f"These trees were scored again; their G and H are those of {again.name}. "
            "Look at its rows there."
        )

    def trees(self, round: int) -> tuple[Tree, ...]:
        """Return the trees of a round (from 1), one a class."""
        return self.rounds[round - 1].trees

    def tree_names(self, round: int) -> tuple[str, ...]:
        """What each tree of a round (from 1) is for, and its place among others; empty where it has one."""
        names = self.output_names or ("",)
        beside = len(self.trees(round)) // len(names)
        if beside < 2:
            return self.output_names
        places = [f"{place} of {beside}" for place in range(1, beside + 1)]
        return tuple(", ".join(filter(None, (name, place))) for name in names for place in places)

    def ensemble(self, rounds: int | None = None) -> Ensemble | None:
        """Return the model after `rounds` rounds (all so far), or None before the start."""
        if self.started is None:
            return None
        kept = self.rounds if rounds is None else self.rounds[:rounds]
        return self.started.ensemble.with_rounds(kept)

    def _note_changes(self, event: RoundFinished) -> None:
        first = self.params if self.branch is None and self.read is None else event.params
        before = self.rounds[-1].params if self.rounds else first
        if event.params is before:
            return
        branches = self.branch is not None or self.read is not None
        self.changes += changes_in(event.round, before, event.params, branches=branches)
