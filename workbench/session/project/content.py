"""What a project holds, taken from a session as it stands and given back to one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.data.schema import DataSchema
    from workbench.ensembles.events import RoundFinished
    from workbench.formats.model import Model
    from workbench.parameters.training import TrainingParams
    from workbench.session.journal.journal import JournalLine
    from workbench.session.plan import Plan
    from workbench.session.playground.drawing import Drawing
    from workbench.session.project.run_record import RunHead
    from workbench.session.project.validation_record import KeptValidation
    from workbench.session.run import Run


@dataclass
class ProjectContent:
    """A sitting as it is read from a project.

    Attributes
    ----------
    lines : list of JournalLine
        Of the journal; tables in their states are kinds of columns still.
    position : int
    runs : dict of int to Run
        All runs by number, those set aside too.
    listed : tuple of int
    shown : int
        Number of the run that was shown; 0 for none.
    plan : Plan
    first : tuple
        As `Hyperparameters.own`.
    kinds : dict of str to Kind
        Of columns that the person changed.
    table : dict of str to object
        Where the table was, and how it was read: path, relative, size, sha256, options, name.
    layout : dict of str to object
        Of the window.
    name : str
        Of what was open.
    harmless_formulas : bool
    drawing : Drawing or None
        The points that the table is made of.
    validation : KeptValidation or None
        What folds and refits of the runs have said.
    """

    lines: list[JournalLine] = field(default_factory=list)
    position: int = 0
    runs: dict[int, Run] = field(default_factory=dict)
    listed: tuple[int, ...] = ()
    shown: int = 0
    plan: Plan | None = None
    first: Any = None
    kinds: dict[str, Any] = field(default_factory=dict)
    table: dict[str, Any] = field(default_factory=dict)
    layout: dict[str, Any] = field(default_factory=dict)
    name: str = ""
    harmless_formulas: bool = False
    drawing: Drawing | None = None
    validation: KeptValidation | None = None


@dataclass(frozen=True)
class Batch:
    """What is to be written: everything in it is a value that nobody changes any more.

    Attributes
    ----------
    facts : mapping of str to object
        By name.
    lines : tuple of (int, JournalLine)
        With their places.
    n_lines : int
        How many there are in all.
    heads : mapping of int to (RunHead, int)
        Of the runs that changed, with the number of their schema.
    rounds : tuple of (int, int, RoundFinished, TrainingParams)
        New ones: run, number, round, and the parameters of the round before.
    kept_rounds : mapping of int to int
        Of runs that lost rounds: those up to this one stay.
    gone : frozenset of int
        Runs that are not there any more.
    models : mapping of int to Model
        Those that were read from a file.
    schemas : mapping of int to DataSchema
        New ones, by number.
    """

    facts: Mapping[str, Any]
    lines: tuple[tuple[int, JournalLine], ...]
    n_lines: int
    heads: Mapping[int, tuple[RunHead, int]]
    rounds: tuple[tuple[int, int, RoundFinished, TrainingParams], ...]
    kept_rounds: Mapping[int, int]
    gone: frozenset[int]
    models: Mapping[int, Model]
    schemas: Mapping[int, DataSchema]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be written."""
        return not (self.facts or self.lines or self.heads or self.rounds or self.gone or self.kept_rounds)
