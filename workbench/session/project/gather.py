"""What changed in a session since it was last written, as values that a thread beside it may write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.data.table import Table
from workbench.session.plan import Plan
from workbench.session.playground.drawing import Drawing
from workbench.session.project.content import Batch
from workbench.session.project.run_record import head_of
from workbench.session.project.validation_record import KeptValidation
from workbench.session.table_source import options_record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.data.schema import DataSchema
    from workbench.ensembles.events import RoundFinished
    from workbench.session.journal.journal import JournalLine
    from workbench.session.project.run_record import RunHead
    from workbench.session.run import Run
    from workbench.session.session import Session


class Gathering:
    """Knows what was taken before; call it on the thread that changes the session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._facts: dict[str, Any] = {}
        self._lines: tuple[JournalLine, ...] = ()
        self._heads: dict[int, RunHead] = {}
        self._rounds: dict[int, list[RoundFinished]] = {}
        self._models: set[int] = set()
        self._schemas: list[DataSchema] = []

    def take(self, layout: dict[str, Any] | None = None) -> Batch:
        """Return what is new since the last call."""
        facts = {name: value for name, value in self._all_facts(layout).items() if self._is_new(name, value)}
        self._facts |= facts
        lines, n_schemas = self._session.journal.lines, len(self._schemas)
        changed = tuple(
            (place, line) for place, line in enumerate(lines)
            if place >= len(self._lines) or self._lines[place] is not line
        )  # fmt: skip
        self._lines = lines
        every = self._session.runs.all
        gone = frozenset(self._heads.keys() - every.keys())
        for number in gone:
            del self._heads[number], self._rounds[number]
            self._models.discard(number)
        heads, rounds, kept, models = {}, [], {}, {}
        for number, run in every.items():
            shares = _shares(run, every)
            head = head_of(run, shares)
            if not head.is_as(self._heads.get(number)):
                self._heads[number] = head
                heads[number] = (head, self._number_of(head.schema))
            known, own = self._rounds.setdefault(number, []), run.every_round[shares:]
            same = _same_beginning(known, own)
            if same < len(known):
                kept[number] = shares + same
                del known[same:]
            for event in own[same:]:
                rounds.append((number, event.round, event, known[-1].params if known else run.params))
                known.append(event)
            if run.read is not None and number not in self._models:
                self._models.add(number)
                models[number] = run.read
        schemas = dict(enumerate(self._schemas[n_schemas:], n_schemas + 1))
        return Batch(facts, changed, len(lines), heads, tuple(rounds), kept, gone, models, schemas)

    def _is_new(self, name: str, value: Any) -> bool:
        known = self._facts.get(name, ...)
        return value is not known and (type(value) in (Table, Plan, Drawing) or value != known)

    def _number_of(self, schema: DataSchema | None) -> int:
        """Return the number under which a schema is kept, from 1; 0 for none."""
        if schema is None:
            return 0
        found = next((i for i, known in enumerate(self._schemas) if known is schema), len(self._schemas))
        if found == len(self._schemas):
            self._schemas.append(schema)
        return found + 1

    def _all_facts(self, layout: dict[str, Any] | None) -> dict[str, Any]:
        session = self._session
        data, source = session.data, session.data.source
        facts: dict[str, Any] = {
            "position": session.journal.position, "listed": tuple(run.number for run in session.runs),
            "shown": session.shown.run.number if session.shown.run else 0,
            "plan": data.plan, "first": session.hyperparameters.own,
            "harmless_formulas": session.harmless_formulas, "name": session.name,
            "points": session.playground.drawing, "validation": KeptValidation(*session.validation.whole),
        }  # fmt: skip
        if data.table is not None and data.elsewhere is None:
            if self._facts.get("opened") is not data.table:
                facts["opened"], facts["kinds"] = data.table, data.changed_kinds
            facts["table"] = {
                "name": data.table.name, "sha256": data.table.sha256, "rows": data.table.n_rows,
                "path": "" if source is None else str(source.path.absolute()),
                "options": {} if source is None else options_record(source.options),
            }  # fmt: skip
        return facts if layout is None else {**facts, "layout": layout}


def _shares(run: Run, every: Mapping[int, Run]) -> int:
    """Return how many of its first rounds are those that the run holds that it branches off."""
    other = None if run.branch is None else every.get(run.branch.run)
    if run.branch is None or other is None:
        return 0
    rounds, number = other.every_round, run.branch.round
    is_shared = not number or (len(rounds) >= number and rounds[number - 1] is run.rounds[number - 1])
    return number if is_shared else 0


def _same_beginning(known: Sequence[RoundFinished], own: Sequence[RoundFinished]) -> int:
    """Return how many rounds of both are the same from the first on; looks at the last first."""
    shorter = min(len(known), len(own))
    if shorter and known[shorter - 1] is own[shorter - 1] and known[0] is own[0]:
        return shorter
    return next((i for i in range(shorter) if known[i] is not own[i]), shorter)
