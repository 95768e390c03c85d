"""Undo and redo: lines of the journal, and before the first of them what was opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from workbench.session.session import Session
    from workbench.shell.files.documents import Documents
    from workbench.shell.files.ways_back import Way
    from workbench.shell.frame import Frame
    from workbench.workers.training_controller import TrainingController


class Undoing(QObject):
    """Does it, and says in the menu what would be done."""

    def __init__(
        self, session: Session, controller: TrainingController, frame: Frame, documents: Documents,
        actions: dict[str, QAction],
    ) -> None:  # fmt: skip
        super().__init__(frame)
        self._session, self._controller, self._frame = session, controller, frame
        self._documents, self._actions = documents, actions
        for signal in (session.events.journal, session.events.state):
            signal.connect(self._show)

    def undo(self) -> None:
        """Take back what was done last; before the first line, go back to what was open before."""
        if self._session.journal.done is not None:
            self._session.journal.undo()
        elif self._back is not None:
            self._documents.go(back=True)

    def redo(self) -> None:
        """Do again what was taken back last."""
        if self._session.journal.undone is not None:
            self._session.journal.redo()
        elif self._forth is not None:
            self._documents.go(back=False)

    @property
    def _back(self) -> Way | None:
        return self._documents.ways.back if self._can_leave else None

    @property
    def _forth(self) -> Way | None:
        return self._documents.ways.forth if self._can_leave else None

    @property
    def _can_leave(self) -> bool:
        """Whether no run would be stopped by opening something else."""
        return not self._frame.on_welcome and not self._controller.is_live

    def _show(self) -> None:
        """Say in the menu what would be taken back, and what done again."""
        journal, back, forth = self._session.journal, self._back, self._forth
        undo = journal.done.action.words if journal.done else f"Open {self._session.name}" if back else ""
        redo = journal.undone.action.words if journal.undone else f"Open {forth.name}" if forth else ""
        for name, verb, words in (("undo", "Undo", undo), ("redo", "Redo", redo)):
            action = self._actions[name]
            action.setEnabled(bool(words))
            action.setText(f"{verb}: {words}" if words else verb)
