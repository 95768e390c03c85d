"""What the playground shows, what is drawn in it, and how it becomes the session's."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.data.statistics import ColumnSummary
    from workbench.data.table import Table
    from workbench.session.events import SessionEvents
    from workbench.session.playground.drawing import Drawing
    from workbench.session.run import Run

TICKS = ("surface", "boundary", "cuts", "sizes")
AVERAGED = "averaged"


@dataclass(frozen=True)
class PlaygroundView:
    """What is looked at, and the brush.

    Attributes
    ----------
    page : str
        Of the playground's pages.
    brush : {"add", "move", "erase", "noise"}
    ink : int
        Class of points that are added.
    ticks : frozenset of str
        What is shown: some of `TICKS`.
    x, y : str
        Columns of the axes; "" for the first that can be.
    others : {"row", "averaged"}
        Where the other columns stand: at those of the selected row, or averaged over rows.
    bars : {"residuals", "gradients", "targets"}
    """

    page: str = "two"
    brush: str = "add"
    ink: int = 0
    ticks: frozenset[str] = field(default_factory=lambda: frozenset(TICKS))
    x: str = ""
    y: str = ""
    others: str = AVERAGED
    bars: str = "residuals"


class Sketch(NamedTuple):
    """A run that was trained beside the session, and the drawing that it was trained on.

    `drawing`, `table` and `summaries` are None and empty where it was trained on the session's own rows.
    """

    run: Run | None
    drawing: Drawing | None = None
    table: Table | None = None
    summaries: Mapping[str, ColumnSummary] = {}


class Playground:
    """Free of Qt like the rest of the session.

    Attributes
    ----------
    view : PlaygroundView
    drawing : Drawing or None
        The points that the session's table is made of; None for a table from elsewhere.
    draft : Drawing or None
        Points in hand, which are not the table's yet.
    sketched : int
        Number of the run that the playground made last; 0 for none.
    """

    def __init__(self, events: SessionEvents) -> None:
        self._events = events
        self.view = PlaygroundView()
        self.drawing: Drawing | None = None
        self.draft: Drawing | None = None
        self.sketched = 0

    @property
    def points(self) -> Drawing | None:
        """The points as the person sees them."""
        return self.drawing if self.draft is None else self.draft

    def choose(self, **values: Any) -> None:
        """Look at something else, or take another brush."""
        changed = replace(self.view, **values)
        if changed != self.view:
            self.view = changed
            self._events.playground.emit()

    def hold(self, draft: Drawing) -> None:
        """Take points in hand."""
        self.draft = draft
        self._events.playground.emit()

    def put(self, drawing: Drawing | None) -> None:
        """Let these be the table's points; the session announces it."""
        self.drawing, self.draft = drawing, None
        if drawing is not None:
            self.view = replace(self.view, x="", y="")

    def tick(self, name: str, wanted: bool) -> None:
        """Show something, or not."""
        ticks = self.view.ticks | {name} if wanted else self.view.ticks - {name}
        self.choose(ticks=ticks)
