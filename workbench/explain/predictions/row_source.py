"""Rows of a run with their answers, whose predictions after any of its rounds can be had."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.classes import label_text
from workbench.explain.predictions.column_values import ColumnValues, column_of
from workbench.explain.predictions.scored_rows import ScoredRows, have_answers, known_rows
from workbench.explain.raw_replay import RawReplay
from workbench.mapped import rows_beside

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema, Feature
    from workbench.data.table import Table
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.events import RoundFinished
    from workbench.explain.predictions.scored_rows import Task
    from workbench.objectives.base import Objective

SAMPLED_ROWS = 20_000
SAMPLED_CELLS = 10_000_000  # of features, which a sample of wide tables may have
NEAR_ONE = 0.999  # probabilities above it are taken anew in double precision
COPIED_CELLS = 64_000_000  # of features; of more, all rows are predicted and some are taken
MOST_OUTPUTS = 60_000_000  # predictions of rows times classes; of more a sample stands for all
CHECKPOINT_BYTES = 48 * 2**20


@dataclass(frozen=True, eq=False)
class AnsweredTable:
    """Encoded rows with answers; every array has n rows.

    Attributes
    ----------
    features : ndarray of float32, shape (n, d)
    target : ndarray of float64
        NaN where the answer is not known.
    table_rows : ndarray of int64
        Which row of its table each is, ascending.
    weight : ndarray of float64 or None
    groups : ndarray of int64 or None
    offset : ndarray of float32 or None
    beside : Table or None
        The whole table, of which `table_rows` are rows: its other columns can be looked at too.
    """

    features: NDArray[np.float32]
    target: NDArray[np.float64]
    table_rows: NDArray[np.int64]
    weight: NDArray[np.float64] | None = None
    groups: NDArray[np.int64] | None = None
    offset: NDArray[np.float32] | None = None
    beside: Table | None = None


@dataclass(frozen=True, eq=False)
class Predictor:
    """What a run predicts with.

    Attributes
    ----------
    begun : Ensemble
    rounds : sequence of RoundFinished
        May grow meanwhile.
    objective : Objective
        As the run has it.
    schema : DataSchema
    """

    begun: Ensemble
    rounds: Sequence[RoundFinished]
    objective: Objective
    schema: DataSchema


class RowSource:
    """Some rows of a table; remembers raw predictions, so that neighbouring rounds are near.

    Parameters
    ----------
    predictor : Predictor
    table : AnsweredTable
    rows : ndarray of int64, shape (n,)
        Those that are looked at, ascending.
    of : int
        So many there are, where these are a sample.
    """

    def __init__(
        self, predictor: Predictor, table: AnsweredTable, rows: NDArray[np.int64], of: int = 0
    ) -> None:
        self.predictor, self.table, self.rows, self.of = predictor, table, rows, of

    @property
    def sample_size(self) -> int:
        """Rows that a sample has: fewer of tables with many columns."""
        return max(1, min(SAMPLED_ROWS, SAMPLED_CELLS // max(1, self.table.features.shape[1])))

    @cached_property
    def counted(self) -> NDArray[np.int64]:
        """Those of the rows that have an answer and a weight above 0."""
        table, rows = self.table, self.rows
        labels = self.predictor.schema.class_labels
        weight = None if table.weight is None else table.weight[rows]
        return rows[have_answers(table.target[rows], weight, len(labels))]

    @cached_property
    def sample(self) -> RowSource:
        """Some of the rows that are counted, drawn evenly, and always the same; of few all."""
        return self._drawn(self.sample_size)

    @cached_property
    def most(self) -> RowSource:
        """As many of the rows that are counted as memory has room for."""
        return self._drawn(MOST_OUTPUTS // max(1, self.predictor.begun.n_classes))

    @cached_property
    def _of_counted(self) -> RowSource:
        """The rows that are counted, without the others where those are more: they need no prediction."""
        rows = self.counted if len(self.counted) else self.rows[:1]
        return self if 2 * len(rows) > len(self.rows) else self._of(rows, 0)

    def _drawn(self, n: int) -> RowSource:
        rows = self.counted
        if len(rows) <= n:
            return self._of_counted
        drawn = np.sort(np.random.default_rng(0).choice(len(rows), n, replace=False))
        return self._of(rows[drawn], len(rows))

    def _of(self, rows: NDArray[np.int64], of: int) -> RowSource:
        """Return some of these rows, which stand for so many."""
        return RowSource(self.predictor, self.table, rows, of)

    @property
    def features(self) -> NDArray[np.float32]:
        """Of all rows of the table, shape (n, d)."""
        return self.table.features

    @property
    def table_rows(self) -> NDArray[np.int64]:
        """Which row of its table each row is."""
        return self.table.table_rows

    @property
    def columns(self) -> tuple[Feature, ...]:
        """What the columns of the features are."""
        return self.predictor.schema.features

    @property
    def rounds(self) -> Sequence[RoundFinished]:
        """Those of the run."""
        return self.predictor.rounds

    @property
    def schema(self) -> DataSchema | None:
        """Of the model."""
        return self.predictor.schema

    def column(self, name: str, rows: ScoredRows) -> ColumnValues | None:
        """Return the values of a column of rows; None where there is none of this name."""
        found = column_of(self.columns, self.features, name, rows.rows)
        beside = self.table.beside
        if found is not None or beside is None or name not in beside.names:
            return found
        column = beside.column(name)
        categories = column.categories if column.is_categorical else ()
        return ColumnValues(name, column.values[self.table_rows[rows.rows]], categories)

    def scored(self, round: int, cancelled: Callable[[], bool] | None = None) -> ScoredRows:
        """Return the rows after so many rounds of the run."""
        raw = self._replay.after(round, cancelled)
        if not self._copies:
            raw = raw[:, self.rows]
        predictor, table, rows = self.predictor, self.table, self.rows
        prediction = predictor.objective.transform(raw[0] if len(raw) == 1 else raw.T)
        if len(raw) == 1 and predictor.objective.task != "regression":
            prediction = fine_shares(prediction, predictor.objective.log_odds(raw[0]))
        weight = None if table.weight is None else table.weight[rows]
        groups = None if table.groups is None else table.groups[rows]
        labels = tuple(map(label_text, predictor.schema.class_labels))
        return known_rows(ScoredRows(
            task_of(predictor.objective, labels), table.target[rows], prediction, rows, weight, labels,
            predictor.objective.boundary, tuple(getattr(predictor.objective, "levels", ())), groups, self.of,
        ))  # fmt: skip

    @property
    def _copies(self) -> bool:
        """Whether the features of these rows alone are walked."""
        n, d = self.table.features.shape
        return len(self.rows) < n and len(self.rows) * d <= COPIED_CELLS

    @cached_property
    def _replay(self) -> RawReplay:
        features, offset = self.table.features, self.table.offset
        if self._copies:
            features = np.asfortranarray(rows_beside(features, self.rows))
            offset = None if offset is None else offset[self.rows]
        predictor = self.predictor
        return RawReplay(features, offset, predictor.begun, predictor.rounds, CHECKPOINT_BYTES)


def fine_shares(
    shares: NDArray[np.floating], log_odds: NDArray[np.floating]
) -> NDArray[np.floating]:  # fmt: skip
    """Return probabilities of which those near 1 still differ; single precision makes 1 of them.

    What does not follow from the log-odds in this way stays as it is.
    """
    near = np.flatnonzero(shares > NEAR_ONE)
    if not len(near):
        return shares
    finer = 1.0 / (1.0 + np.exp(-log_odds[near].astype(np.float64)))
    if not np.allclose(finer, shares[near], rtol=0.0, atol=1e-6):
        return shares
    made = shares.astype(np.float64)
    made[near] = finer
    return made


def task_of(objective: Objective, labels: tuple[str, ...]) -> Task:
    """Return what kind of pictures predictions have."""
    if labels and objective.task != "regression":
        return "classes"
    if objective.needs_groups:
        return "ranking"
    return "quantiles" if getattr(objective, "levels", ()) else "numbers"
