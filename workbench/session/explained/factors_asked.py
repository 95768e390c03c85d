"""The factor tables of a run: asked of some rows, then of all."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.errors import WorkbenchError, leave_if
from workbench.session.no_trees import NO_TREES

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.formats.factors.factor_tables import FactorTables
    from workbench.session.explained.rows import ExplainedRows
    from workbench.session.run import Run

FIRST_ROWS = 10_000
MOST_NUMBERS = 60_000_000  # of the features of all rows


class FactorsAsked(NamedTuple):
    """A run, how many of its rounds, and the rows that weigh the levels."""

    run: Run
    round: int
    rows: ExplainedRows

    @property
    def most(self) -> int:
        """Rows that are looked at."""
        return FIRST_ROWS

    @property
    def sees_all(self) -> bool:
        """Whether there are no more rows than the first that are looked at."""
        return self.rows.total <= FIRST_ROWS

    def answer(self, cancelled: Callable[[], bool]) -> FactorTables:
        """Work it out: every leaf of every tree is looked at, and every row predicted."""
        from workbench.formats.factors.factor_tables import factor_rows, tables_of_rows
        from workbench.objectives.base import OBJECTIVES

        run, ensemble = self.run, self.run.ensemble(self.round)
        if ensemble is None or run.schema is None:
            raise WorkbenchError(NO_TREES)
        if ensemble.is_linear:
            raise WorkbenchError("A linear model is its own table: its coefficients stand under Training.")
        taken = self.rows.take(self.most, cancelled)
        leave_if(cancelled)
        objective = run.own.objective or OBJECTIVES.get(ensemble.objective).with_params(run.params)
        target, groups, weight = taken.target, None, taken.weight
        if taken.is_sample and weight is not None and not weight.any():
            weight = None  # others have some
        if target is not None and not np.isfinite(target).all():
            target = None
        features = np.asfortranarray(taken.features)
        rows = factor_rows(
            ensemble, objective, features, target, weight, taken.offset, groups, cancelled
        )
        leave_if(cancelled)
        made = tables_of_rows(ensemble, run.schema, rows, cancelled, of_rows=taken.total)
        made.ordered(0)  # their spreads are worked out here, once
        return made


class WholeFactorsAsked(FactorsAsked):
    """The same of all rows; of a very large table of as many as memory is asked for."""

    @property
    def most(self) -> int:
        """Rows that are looked at."""
        return max(MOST_NUMBERS // max(len(self.rows.schema.features), 1), FIRST_ROWS)
