"""A run trained again with one column less."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError
from workbench.isolation import isolated

if TYPE_CHECKING:
    from workbench.parameters.training import TrainingParams
    from workbench.session.run import Run


def without_column(run: Run, name: str) -> TrainingParams:
    """Return the parameters of a run for as many rounds in which no split asks about a column.

    Raises WorkbenchError where there is nothing to compare with, or no column is left.
    """
    if run.schema is None or not run.rounds or run.is_live:
        raise WorkbenchError("Only a run that has ended can be trained again without a column.")
    known = run.params_in_force
    forbidden = tuple(dict.fromkeys((*known.forbidden_columns, name)))
    if set(forbidden) >= set(run.schema.names):
        raise WorkbenchError(f"Without {isolated(name)} no column is left.")
    return known.change(forbidden_columns=forbidden, rounds=len(run.rounds), early_stopping_rounds=None)
