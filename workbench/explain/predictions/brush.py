"""What a hand that drags over a picture of predictions selects: which rows these are, and in what words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from workbench.number_text import counted, figure, fixed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.predictions.column_values import ColumnValues
    from workbench.explain.predictions.scored_rows import ScoredRows


class Brush(Protocol):
    """Hashable, so that an answer is found again."""

    def chosen(self, rows: ScoredRows, column: ColumnValues | None) -> NDArray[np.bool_]:
        """Return which of the rows are selected; `column` is that along which residuals lie, if any."""

    def words(self, rows: ScoredRows) -> str:
        """Say what they are, after their number."""


@dataclass(frozen=True)
class WrongBrush:
    """Rows that are taken for what they are not: see `ScoredRows.taken_for`."""

    k: int
    threshold: float | None

    def chosen(self, rows: ScoredRows, column: ColumnValues | None) -> NDArray[np.bool_]:
        """Return which."""
        return rows.taken_for(self.k, self.threshold) != rows.target

    def words(self, rows: ScoredRows) -> str:
        """Say which."""
        return "wrong rows"


@dataclass(frozen=True)
class CellBrush:
    """Rows of the classes `truths`, first and last, that are taken for the classes `taken`."""

    k: int
    threshold: float | None
    truths: tuple[int, int]
    taken: tuple[int, int]

    def chosen(self, rows: ScoredRows, column: ColumnValues | None) -> NDArray[np.bool_]:
        """Return which."""
        taken = rows.taken_for(self.k, self.threshold)
        is_so = (rows.target >= self.truths[0]) & (rows.target <= self.truths[1])
        return is_so & (taken >= self.taken[0]) & (taken <= self.taken[1])

    def words(self, rows: ScoredRows) -> str:
        """Say which."""
        return f"rows that are {_classes(rows, self.truths)}, taken for {_classes(rows, self.taken)}"


@dataclass(frozen=True)
class ScoreBrush:
    """Rows whose score of class k is above `above` and at most `up_to`."""

    k: int
    above: float
    up_to: float

    def chosen(self, rows: ScoredRows, column: ColumnValues | None) -> NDArray[np.bool_]:
        """Return which."""
        score = rows.score(self.k)
        return (score > self.above) & (score <= self.up_to)

    def words(self, rows: ScoredRows) -> str:
        """Say which."""
        label = rows.labels[self.k]
        if np.isinf(self.up_to):
            return f"rows with a score of {label} above {fixed(self.above)}"
        if np.isinf(self.above):
            return f"rows with a score of {label} up to {fixed(self.up_to)}"
        return f"rows with a score of {label} from {fixed(self.above)} to {fixed(self.up_to)}"


@dataclass(frozen=True)
class ResidualBrush:
    """Rows by their residual, and by what it lies along: what is predicted, or the column.

    `names` are the categories of the column that are meant, in place of `along`.
    """

    k: int
    residual: tuple[float, float]
    along: tuple[float, float] = (-np.inf, np.inf)
    names: tuple[str, ...] = ()

    def chosen(self, rows: ScoredRows, column: ColumnValues | None) -> NDArray[np.bool_]:
        """Return which."""
        left = rows.residual(self.k)
        found = (left >= self.residual[0]) & (left <= self.residual[1])
        if self.names and column is not None:
            return found & column.is_one_of(self.names)
        if np.isfinite(self.along).any():
            if column is not None:
                values = column.values
            else:
                values = rows.score(self.k) if rows.task == "classes" else rows.output(self.k)
            found &= (values >= self.along[0]) & (values <= self.along[1])
        return found

    def words(self, rows: ScoredRows) -> str:
        """Say which."""
        if self.names:
            return f"rows with {', '.join(self.names)}"
        low, high = self.residual
        if np.isinf(low) and np.isinf(high):
            return f"rows from {figure(self.along[0], 3)} to {figure(self.along[1], 3)}"
        if np.isinf(high):
            return f"rows with a residual above {figure(low, 3)}"
        if np.isinf(low):
            return f"rows with a residual below {figure(high, 3)}"
        return f"rows with a residual from {figure(low, 3)} to {figure(high, 3)}"


@dataclass(frozen=True)
class TruthBrush:
    """Rows by what is predicted, and by what is so."""

    k: int
    predicted: tuple[float, float]
    actual: tuple[float, float]

    def chosen(self, rows: ScoredRows, column: ColumnValues | None) -> NDArray[np.bool_]:
        """Return which."""
        x, y = rows.output(self.k), rows.target
        inside = (x >= self.predicted[0]) & (x <= self.predicted[1])
        return inside & (y >= self.actual[0]) & (y <= self.actual[1])

    def words(self, rows: ScoredRows) -> str:
        """Say which."""
        spans = self.predicted, self.actual
        predicted, actual = (f"{figure(low, 3)} to {figure(high, 3)}" for low, high in spans)
        return f"rows that are {actual}, predicted {predicted}"


@dataclass(frozen=True)
class QueryBrush:
    """Rows of some queries, by their codes."""

    codes: tuple[int, ...]

    def chosen(self, rows: ScoredRows, column: ColumnValues | None) -> NDArray[np.bool_]:
        """Return which."""
        groups = np.zeros(len(rows), np.int64) if rows.groups is None else rows.groups
        return np.isin(groups, self.codes)

    def words(self, rows: ScoredRows) -> str:
        """Say which."""
        return f"rows of {counted(len(self.codes), 'query', 'queries')}"


def _classes(rows: ScoredRows, span: tuple[int, int]) -> str:
    first, last = (rows.labels[place] for place in span)
    return first if span[0] == span[1] else f"{first} to {last}"
