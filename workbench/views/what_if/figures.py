"""The three columns: as stored, what if, retrained."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.number_text import count, figure, fixed

if TYPE_CHECKING:
    from workbench.session.run import Run

WAITS = "…"


@dataclass(frozen=True)
class FigureColumn:
    """One column of the table, as written; `is_old` where its metrics are still those of before."""

    splits: str = "–"
    leaves: str = "–"
    structure: str = "–"
    train: str = "–"
    valid: str = "–"
    other: str = "–"
    is_old: bool = False

    @property
    def texts(self) -> tuple[str, ...]:
        """From top to bottom."""
        return self.splits, self.leaves, self.structure, self.train, self.valid, self.other


def stored_column(run: Run) -> FigureColumn:
    """What a run's own trees come to."""
    if not run.rounds:
        return FigureColumn()
    leaves = sum(event.leaves for event in run.rounds)
    trees = sum(len(event.trees) for event in run.rounds)
    last = run.rounds[-1]
    score = sum(event.structure_score for event in run.rounds)
    return FigureColumn(count(leaves - trees), count(leaves), score_text(score),
                  *metric_texts(run, last.train, last.valid))


def what_if_column(run: Run) -> FigureColumn:
    """What the trees come to with the values asked for."""
    asked = run.what_if
    rescored = asked.rescored
    if asked.values.is_stored or asked.problem:
        return FigureColumn()
    if rescored is None:
        return _waiting(run)
    figures = count(rescored.n_splits), count(rescored.n_leaves), score_text(rescored.structure_score)
    if asked.metrics is None:
        waits = "–" if asked.metrics_problem else WAITS
        return FigureColumn(*figures, waits, waits if _held_out(run) else "–", waits)
    metrics = metric_texts(run, asked.metrics.train, asked.metrics.valid)
    return FigureColumn(*figures, *metrics, is_old=asked.metrics_of != asked.values)


def retrained_column(run: Run) -> FigureColumn:
    """What retraining with the values gave."""
    answer = run.what_if.answer
    if answer is None or not answer.rounds:
        return FigureColumn()
    if answer.is_live:
        return _waiting(run)
    return stored_column(answer) if len(answer.rounds) == len(run.rounds) else FigureColumn()


def _waiting(run: Run) -> FigureColumn:
    """A column whose figures are under way."""
    return FigureColumn(WAITS, WAITS, WAITS, WAITS, WAITS if _held_out(run) else "–", WAITS)


def metric_texts(run: Run, train: dict[str, float], valid: dict[str, float]) -> tuple[str, str, str]:
    """The watched metric on training and hold-out rows, and another one."""
    watched, other = run.watched, other_metric(run)
    last = (valid or train).get(other, math.nan) if other else math.nan
    own = train.get(watched, math.nan), valid.get(watched, math.nan)
    return metric_text(own[0]), metric_text(own[1]), metric_text(last)


def other_metric(run: Run) -> str:
    """The first metric beside the watched one; "" where there is none."""
    names = run.started.metrics if run.started is not None else ()
    return next((name for name in names if name != run.watched), "")


def score_text(score: float) -> str:
    """A structure score: one decimal, more for small ones, none for large ones."""
    return fixed(score, 1) if 100 <= abs(score) < 10_000 else figure(score, longest=6)


def metric_text(value: float) -> str:
    """A metric in four digits; three decimals where it is a share near 1."""
    return fixed(value, 3) if 0.5 <= abs(value) <= 1 else figure(value)


def _held_out(run: Run) -> bool:
    return bool(run.rounds and run.rounds[-1].valid)
