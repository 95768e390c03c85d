"""What the pages of the tab Explain have in common: the run, its round, the rows, and the desk they ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from workbench.registry import Registry
from workbench.session.no_trees import no_rounds
from workbench.views.paged.page import TabPage
from workbench.views.turns.held import painted_in_own_event

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent
    from PySide6.QtWidgets import QWidget

    from workbench.session.explained.explained import ExplainSubject
    from workbench.views.base import Bench
    from workbench.workers.explain_desk import AskedOfModel

WAITING = "Working it out."
COMPILING = "Preparing the kernels that explain rows; once per version."
NO_ROWS = "This model came from a file, and no table is open. Open a table with its columns to see its rows."


class ExplainPage(TabPage):
    """A page is told of each other run, round and rows; what it must work out it asks the desk.

    `uses_rows` says whether the choice of rows has a bearing on it; without rows it is told nothing then.
    `asks` names the classes of its long questions, which are given up when it is left.
    """

    uses_rows: ClassVar[bool] = True
    asks: ClassVar[tuple[type, ...]] = ()

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._session, self._desk = bench.session, bench.explaining
        self._given: dict[type, Any] = {}  # the last answer to each kind of question
        self.parts: tuple[QWidget, ...] = ()  # that another answer paints one after another

    def synchronize(self) -> None:
        subject = self._session.explained.subject
        if subject is None:
            self.show_nothing(no_rounds(self._session.shown.run))
        elif self.uses_rows and subject.rows is None:
            self.show_nothing(NO_ROWS)
        else:
            self.show_subject(subject)

    def ask(self, question: Any) -> Any:
        """Return the answer to a question of a `run`, or None while it is not known.

        While a run trains rounds go by faster than answers come; then that of an earlier one will do. What
        another answer changes is painted in events of their own.
        """
        found = self._desk.ask(question)
        known = self._desk.newest(type(question)) if found is None and question.run.is_live else None
        if known is not None and is_like(known[0], question):
            found = known[1]
        if found is not None and found is not self._given.get(type(question)):
            self._given[type(question)] = found
            self.paint_in_parts()
        return found

    def paint_in_parts(self) -> None:
        """Let what is shown now be painted part by part, each in an event of its own."""
        painted_in_own_event(*self.parts or (self,))

    def answered(self, question: Any) -> Any:
        """Return the question whose answer `ask` has given: this one, or that of an earlier round."""
        known = self._desk.newest(type(question))
        return question if known is None or self._desk.known(question) is not None else known[0]

    def why_not(self, question: AskedOfModel) -> str:
        """Return what is said in place of an answer that is not known: why there is none, or to wait."""
        problem = self._desk.problem(question)
        return problem or (COMPILING if self._desk.is_compiling(question) else WAITING)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._desk.look_anew()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._desk.leave(*self.asks)

    def show_nothing(self, sentence: str) -> None:
        """Say what to do, in place of a picture."""
        raise NotImplementedError

    def show_subject(self, subject: ExplainSubject) -> None:
        """Show what is known of a run and round, and ask for what is not."""
        raise NotImplementedError


def is_like(one: Any, other: Any) -> bool:
    """Whether two questions of a class differ in their rounds at most."""
    if hasattr(one, "is_like"):
        return bool(one.is_like(other))
    return bool(one._replace(round=other.round) == other)


PAGES: Registry[Any] = Registry("page of the tab Explain", "workbench.views.explain.pages")
