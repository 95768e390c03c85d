"""What the tab Explain shows: of the shown run and round, one of its pages, over some rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.session.explained.rows import ExplainedRows

if TYPE_CHECKING:
    from workbench.session.events import SessionEvents
    from workbench.session.explained.rows import RowsOf
    from workbench.session.explained.shap_asked import Unknown
    from workbench.session.open_data import OpenData
    from workbench.session.run import Run
    from workbench.session.shown import Shown

ROWS_OF: dict[RowsOf, str] = {
    "holdout": "Hold-out rows", "training": "Training rows", "table": "Rows of the open table",
}


@dataclass(frozen=True)
class ExplainView:
    """What is looked at.

    Attributes
    ----------
    page : str
        Of the tab's pages.
    rows : {"holdout", "training", "table"}
        What is wanted; where the run has none of these, others are shown.
    by : {"hessian", "rows", "background"}
        What stands for a column that is not known: what nodes weigh, or rows.
    """

    page: str = "importance"
    rows: RowsOf = "holdout"
    by: Unknown = "hessian"


class ExplainSubject(NamedTuple):
    """A run, how many of its rounds, and the rows to be explained; None where there are none."""

    run: Run
    round: int
    rows: ExplainedRows | None


class Explained:
    """Free of Qt like the rest of the session.

    Attributes
    ----------
    view : ExplainView
    """

    def __init__(self, events: SessionEvents, shown: Shown, data: OpenData) -> None:
        self._events, self._shown, self._data = events, shown, data
        self.view = ExplainView()
        self._rows: ExplainedRows | None = None

    def choose(self, **values: Any) -> None:
        """Look at something else."""
        changed = replace(self.view, **values)
        if changed != self.view:
            self.view = changed
            self._events.explained.emit()

    @property
    def choices(self) -> tuple[RowsOf, ...]:
        """The rows that the shown run can be explained by."""
        run = self._shown.run
        if run is None:
            return ()
        if run.dataset is None:
            return ("table",) if self._data.table is not None and run.schema is not None else ()
        parts: tuple[tuple[RowsOf, Any], ...] = (
            ("holdout", run.dataset.valid_rows), ("training", run.dataset.train_rows)
        )
        return tuple(name for name, rows in parts if len(rows))

    @property
    def subject(self) -> ExplainSubject | None:
        """What is explained; None before the first round."""
        run, shown = self._shown.run, self._shown.round
        if run is None or not shown or run.schema is None:
            return None
        return ExplainSubject(run, shown, self._rows_of(run))

    def _rows_of(self, run: Run) -> ExplainedRows | None:
        """Return the wanted rows: the same object as long as they are the same."""
        choices = self.choices
        if not choices or run.schema is None:
            return None
        name = self.view.rows if self.view.rows in choices else choices[0]
        wanted = ExplainedRows(run.schema, name, run.dataset, self._data.table if name == "table" else None)
        if self._rows is None or not wanted.is_same(self._rows):
            self._rows = wanted
        return self._rows
