"""Takes the figures of a model on rows whose answers are known."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.classes import label_text
from workbench.errors import WorkbenchError
from workbench.explain.evaluation import Evaluation
from workbench.metrics.base import METRICS, measure
from workbench.metrics.mape import zeros
from workbench.number_text import counted
from workbench.objectives.base import OBJECTIVES
from workbench.parameters.quantiles import quantile_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from workbench.data.classes import Label
    from workbench.metrics.base import Metric
    from workbench.objectives.base import Objective
    from workbench.parameters.training import TrainingParams


@cache
def _is_anothers(metric: Metric) -> bool:
    """Whether it is the deviance that one objective trains, and so of no use for the others."""
    return [o.metrics[:1] for o in OBJECTIVES if metric.name in o.metrics] == [(metric.name,)]


def _why_no_percentage(target: NDArray[np.float64], weight: NDArray[np.float64] | None) -> str:
    n = zeros(target, weight)
    return f"{counted(n, 'row')} {'has' if n == 1 else 'have'} the value 0" if n else ""


class Score:
    """One metric of the raw predictions of given rows."""

    def __init__(
        self, metric: Metric, objective: Objective, target: NDArray[np.float64],
        weight: NDArray[np.float64] | None, groups: NDArray[np.int64] | None,
    ) -> None:  # fmt: skip
        self.metric, self._objective = metric, objective
        self._target, self._weight, self._groups = target, weight, groups

    def __call__(self, raw: NDArray[np.float32]) -> float:
        """Return the metric."""
        if self.metric.by_query is not None and self._groups is not None:
            return self.metric.by_query(self._target, raw, self._groups)
        return measure(self.metric, self._objective, self._target, raw, self._weight)


class Evaluator:
    """Evaluates what a model of this objective predicts.

    Parameters
    ----------
    objective : str
    params : TrainingParams
        Those of the objective are read.
    labels : sequence of str, int, float or bool
        Of the classes; empty for numbers.
    asked : sequence of str
        Metrics that are taken besides.
    """

    def __init__(
        self, objective: str, params: TrainingParams, labels: Sequence[Label] = (), asked: Sequence[str] = ()
    ) -> None:
        self._objective = OBJECTIVES.get(objective).with_params(params)
        self._labels = tuple(map(label_text, labels))
        self._asked = tuple(map(METRICS.get, asked))

    def metrics(self, *, has_groups: bool = False) -> list[Metric]:
        """Return those that are taken: the objective's own, those of its task, those that are asked for.

        The deviance that another objective trains is taken where it is asked for.
        """
        every, own = self._every(has_groups=has_groups), self._objective.metrics
        for metric in self._asked:
            self._check(metric, every)
        return [m for m in every if m.name in own or m in self._asked or not _is_anothers(m)]

    def _every(self, *, has_groups: bool) -> list[Metric]:
        """Return those that can be taken."""
        objective = self._objective
        unread = {"loss"} if objective.lacks() else set()
        unread |= set() if has_groups else {"groups"}
        own = [METRICS.get(name) for name in objective.metrics]
        tasks = [metric for metric in METRICS if objective.task in metric.tasks and metric.reads != "loss"]
        several = objective.task == "regression" and objective.n_outputs(0) > 1  # of which few metrics are
        if objective.needs_groups:  # what is predicted is an order, and no relevance
            tasks = [metric for metric in tasks if metric.reads == "groups"]
        found = own if several else [*own, *tasks]
        return [m for m in dict.fromkeys(found) if m.reads not in unread]

    def _check(self, metric: Metric, known: Sequence[Metric]) -> None:
        if metric not in known:
            names = ", ".join(one.name for one in known)
            raise WorkbenchError(f"The metric '{metric.name}' cannot be taken of these rows; take {names}.")

    def check_queries(self, *, has_groups: bool) -> None:
        """Raise WorkbenchError for a ranking without queries."""
        if self._objective.needs_groups and not has_groups:
            raise WorkbenchError("Metrics of a ranking are of queries: give the query of each row as group.")

    def score(
        self, name: str | None, target: NDArray[np.float64], weight: NDArray[np.float64] | None = None,
        groups: NDArray[np.int64] | None = None,
    ) -> Score:  # fmt: skip
        """Return one metric of rows with an answer and a weight; by default the objective's own.

        Raises WorkbenchError where it cannot be taken of such predictions.
        """
        self.check_queries(has_groups=groups is not None)
        known = self._every(has_groups=groups is not None)
        if not known:
            raise WorkbenchError("There is no metric of such predictions.")
        metric = known[0] if name is None else METRICS.get(name)
        self._check(metric, known)
        return Score(metric, self._objective, target, weight, groups)

    def scores(
        self, target: NDArray[np.float64], weight: NDArray[np.float64] | None = None,
        groups: NDArray[np.int64] | None = None,
    ) -> list[Score]:  # fmt: skip
        """Return every metric that is taken of rows with an answer and a weight."""
        metrics = self.metrics(has_groups=groups is not None)
        return [Score(metric, self._objective, target, weight, groups) for metric in metrics]

    def evaluate(
        self,
        target: NDArray[np.float64],
        raw: NDArray[np.float32],
        weight: NDArray[np.float64] | None = None,
        groups: NDArray[np.int64] | None = None,
        by: Mapping[str, NDArray[np.int64]] | None = None,
        within: NDArray[np.int64] | None = None,
    ) -> Evaluation:
        """Return the figures of rows.

        Parameters
        ----------
        target : ndarray of float64, shape (n,)
            Numbers or codes of classes; NaN is not known, and such rows are left out.
        raw : ndarray of float32, shape (n,) or (n, K)
        weight : ndarray of float64, shape (n,), optional
        groups : ndarray of int64, shape (n,), optional
            Queries of rankings.
        by : mapping of str to ndarray of int64, optional
            Rows to be evaluated apart, by name.
        within : ndarray of int64, optional
            The rows that count; all where it is not given.
        """
        known = ~np.isnan(target) if weight is None else ~np.isnan(target) & (weight > 0)
        if self._labels:
            known &= target < len(self._labels)
        if within is not None:
            known &= np.isin(np.arange(len(known)), within)
        whole = self._of(np.flatnonzero(known), target, raw, weight, groups)
        parts = {
            name: self._of(rows[known[rows]], target, raw, weight, groups)
            for name, rows in (by or {}).items()
        }
        return Evaluation(
            whole.rows, whole.weight, whole.metrics, whole.labels, whole.confusion, whole.coverage, parts,
            undefined=whole.undefined,
        )

    def _of(
        self, rows: NDArray[np.int64], target: NDArray[np.float64], raw: NDArray[np.float32],
        weight: NDArray[np.float64] | None, groups: NDArray[np.int64] | None,
    ) -> Evaluation:  # fmt: skip
        y, own = target[rows], raw[rows]
        w = None if weight is None else weight[rows]
        total = float(len(rows)) if w is None else float(w.sum())
        if not len(rows):
            return Evaluation(0, 0.0, {}, self._labels)
        queries = None if groups is None else groups[rows]
        scores = self.scores(y, w, queries)
        metrics = {score.metric.name: score(own) for score in scores}
        undefined = {"mape": why} if "mape" in metrics and (why := _why_no_percentage(y, w)) else {}
        named = (*self._objective.metrics, *(metric.name for metric in self._asked), *undefined)
        metrics = {name: value for name, value in metrics.items() if name in named or np.isfinite(value)}
        return Evaluation(
            len(rows), total, metrics, self._labels, self._confusion(y, own, w), self._coverage(y, own, w),
            undefined=undefined,
        )

    def _confusion(
        self, y: NDArray[np.float64], raw: NDArray[np.float32], weight: NDArray[np.float64] | None
    ) -> NDArray[np.float64] | None:
        k = len(self._labels)
        if not k:
            return None
        predicted = self._objective.transform(raw)
        is_one = predicted.ndim == 1
        taken = predicted > self._objective.boundary if is_one else predicted.argmax(axis=1)
        cells = np.bincount(y.astype(np.int64) * k + taken.astype(np.int64), weight, minlength=k * k)
        return cells.astype(np.float64).reshape(k, k)

    def _coverage(
        self, y: NDArray[np.float64], raw: NDArray[np.float32], weight: NDArray[np.float64] | None
    ) -> dict[str, float]:
        levels = getattr(self._objective, "levels", ())
        return {
            name: float(np.average(y <= line, weights=weight))
            for name, line in zip(quantile_names(levels), raw.reshape(len(y), -1).T, strict=False)
        }
