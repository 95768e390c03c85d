"""The weights of the columns at which loss and penalty together are least, for one λ after another.

The loss is (1/Σw)·Σ w·l + λ·(ρ·Σ|β| + ½(1 − ρ)·Σβ²). Squared errors are quadratic, so that the sums over
rows are taken once. Deviances go by proximal Newton steps (Friedman, Hastie & Tibshirani 2010, Regularization
Paths for Generalized Linear Models via Coordinate Descent) of all classes together, or of one after another
where these are many; a step is halved until it lowers the loss. The curvature is taken anew when steps no
longer shrink fast.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.linear.curvature import Curvature
from workbench.linear.part import LinearPart
from workbench.linear.solving import best_step
from workbench.linear.sums import moments

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.linear.columns import LinearColumns
    from workbench.linear.losses import LinearLoss
    from workbench.threads.team import Team

MOST_STEPS = 1000  # for one λ
CONVERGED = 1e-10  # of the largest coefficient, or of 1
SLOW = 0.2  # of the step before: from there on the curvature is taken anew
ENOUGH = 1e-4  # of the promised decrease that a step must bring (Armijo)
MOST_HALVINGS = 40
MOST_TOGETHER = 1_000  # coefficients of all classes that move in one step
FIRST_OF_RIDGE = 1000.0  # times the largest curvature: where ridge begins, next to 0
LEAST_RATIO = 1e-3  # ρ that the first λ of a path is told by

Classes = tuple[int, ...]


@dataclass(frozen=True)
class FitRows:
    """What a linear model is fitted to.

    Attributes
    ----------
    rows : RowsInMemory
        All rows of the table.
    places : ndarray of int64, shape (n,)
        Those that are trained on.
    offset : ndarray of float64, shape (n,)
        Their own part of the raw prediction.
    total_weight : float
    """

    rows: Any
    places: NDArray[np.int64]
    offset: NDArray[np.float64]
    total_weight: float


class LinearFit:
    """Goes from one λ to the next.

    Parameters
    ----------
    data : FitRows
    loss : LinearLoss
    columns : LinearColumns
    team : Team
    intercepts : ndarray of float64, shape (K,)
        Where it begins, with all coefficients 0, unless `begin` says otherwise.
    """

    def __init__(
        self,
        data: FitRows,
        loss: LinearLoss,
        columns: LinearColumns,
        team: Team,
        intercepts: NDArray[np.float64],
    ) -> None:
        self._data, self._loss, self._columns, self._team = data, loss, columns, team
        width, outputs = columns.n_columns + 1, len(intercepts)
        self._beta = np.zeros((outputs, width))
        self._beta[:, -1] = intercepts
        self._costs = np.ones((outputs, width))
        self._costs[:, -1] = 0.0
        together = outputs * width <= MOST_TOGETHER
        self._groups: list[Classes] = [tuple(range(outputs))] if together else [(k,) for k in range(outputs)]
        self._quadratic: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None
        if loss.is_quadratic:
            raw = self._raw(np.zeros_like(self._beta))
            self._quadratic = self._gradient(raw, (0,)), self._gram(raw, (0,))

    def begin(self, part: LinearPart) -> None:
        """Go on from these coefficients."""
        self._beta = np.column_stack([part.coefficients, part.intercepts])

    def first_lambda(self, l1_ratio: float) -> float:
        """Return the λ at which a path begins: the least one with all coefficients 0, where there is L1."""
        raw = self._raw(self._beta)
        if l1_ratio > 0.0:
            slopes = (self._gradient(raw, (k,))[:-1] for k in range(len(self._beta)))
            return max(float(np.abs(slope).max()) for slope in slopes) / max(l1_ratio, LEAST_RATIO)
        grams = (self._gram(raw, (k,)).diagonal()[:-1] for k in range(len(self._beta)))
        return FIRST_OF_RIDGE * max(float(gram.max()) for gram in grams)

    def at(self, reg_lambda: float, l1_ratio: float, stopped: Callable[[], bool]) -> LinearPart | None:
        """Return the least for this λ, from where the last one stood; None where it was stopped."""
        l1, l2 = reg_lambda * l1_ratio, reg_lambda * (1.0 - l1_ratio)
        if self._quadratic is not None:
            gradient, gram = self._quadratic
            beta = self._beta[0]
            beta += best_step(
                gradient + gram @ beta, gram, beta, self._costs[0], l1, l2, self._loss.scale
            )
        elif not self._newton(l1, l2, stopped):
            return None
        coefficients, intercepts = self._beta[:, :-1].copy(), self._beta[:, -1].copy()
        for array in (coefficients, intercepts):
            array.flags.writeable = False
        return LinearPart(self._columns, coefficients, intercepts, reg_lambda, l1_ratio)

    def _newton(self, l1: float, l2: float, stopped: Callable[[], bool]) -> bool:
        """Step until nothing changes; return whether it was not stopped."""
        raw = self._raw(self._beta)
        curvatures: dict[Classes, Curvature] = {}
        before = dict.fromkeys(self._groups, np.inf)
        for _ in range(MOST_STEPS):
            largest = 0.0
            for group in self._groups:
                if stopped():
                    return False
                is_fresh = group not in curvatures
                if is_fresh:
                    curvatures[group] = Curvature(self._gram(raw, group))
                moved = self._step(raw, group, curvatures[group], l1, l2)
                if moved > SLOW * before[group] or (not is_fresh and moved == 0.0):
                    del curvatures[group]
                before[group] = moved
                largest = max(largest, moved)
            if largest <= CONVERGED * max(1.0, float(np.abs(self._beta[:, :-1]).max(initial=0.0))):
                break
        return True

    def _step(
        self, raw: NDArray[np.float64], group: Classes, curvature: Curvature, l1: float, l2: float
    ) -> float:
        """Move some classes by a step, and their raw predictions with it; return the largest change."""
        classes = list(group)
        beta, costs = self._beta[classes], self._costs[classes]
        gradient = self._gradient(raw, group)
        step = curvature.best_step(gradient, beta.reshape(-1), costs.reshape(-1), l1, l2).reshape(beta.shape)
        if not np.isfinite(step).all():
            return 0.0
        change = np.zeros((len(group), raw.shape[1]))
        self._add(step, change)
        before = self._loss.total(raw) / self._data.total_weight
        penalty = _penalty(beta, l1, l2)
        promised = float((gradient * step.reshape(-1)).sum()) + _penalty(beta + step, l1, l2) - penalty
        share, trial = 1.0, raw.copy()
        for _ in range(MOST_HALVINGS):
            trial[classes] = raw[classes] + share * change
            after = self._loss.total(trial) / self._data.total_weight
            after += _penalty(beta + share * step, l1, l2) - penalty
            if after <= before + ENOUGH * share * promised + 4e-16 * abs(before):
                break
            share *= 0.5
        else:
            return 0.0
        self._beta[classes] += share * step
        raw[:] = trial
        return share * float(np.abs(step).max())

    def _gradient(self, raw: NDArray[np.float64], group: Classes) -> NDArray[np.float64]:
        """Return the derivatives by the coefficients of some classes, by weight, one class after another."""
        slopes = self._loss.slopes(self._loss.means(raw))
        data, arrays = self._data, self._columns.arrays
        found = [moments(self._team, data.rows, data.places, arrays, slopes[k])[0] for k in group]
        return np.concatenate(found) / data.total_weight

    def _gram(self, raw: NDArray[np.float64], group: Classes) -> NDArray[np.float64]:
        """Return the second derivatives by the coefficients of some classes."""
        means, width = self._loss.means(raw), self._beta.shape[1]
        data, arrays = self._data, self._columns.arrays
        whole = np.empty((len(group), width, len(group), width))
        for a, k in enumerate(group):
            for b, other in enumerate(group[: a + 1]):
                curvature = self._loss.curvature(means, k, other)
                gram = moments(self._team, data.rows, data.places, arrays, curvature, curvature)[1]
                whole[a, :, b] = whole[b, :, a] = gram
        return whole.reshape(len(group) * width, -1) / data.total_weight

    def _raw(self, beta: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the raw predictions of the training rows, shape (K, n)."""
        raw = np.repeat(self._data.offset[None, :], len(beta), axis=0)
        self._add(beta, raw)
        return raw

    def _add(self, beta: NDArray[np.float64], raw: NDArray[np.float64]) -> None:
        """Add what columns and intercepts weigh to raw predictions of the training rows."""
        part = LinearPart(self._columns, beta[:, :-1], beta[:, -1], 0.0, 0.0)
        whole = np.zeros((len(beta), self._n_rows))
        part.add_to(whole, self._data.rows, self._team)
        raw += whole[:, self._data.places] + beta[:, -1:]

    @property
    def _n_rows(self) -> int:
        """Number of rows of the table."""
        return len(self._data.rows.numbers) // len(self._columns.levels)


def _penalty(beta: NDArray[np.float64], l1: float, l2: float) -> float:
    """Return what the coefficients cost, shape (…, P + 1); the intercept stands last and is free."""
    weighed = beta[..., :-1]
    return l1 * float(np.abs(weighed).sum()) + 0.5 * l2 * float((weighed**2).sum())
