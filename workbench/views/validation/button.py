"""The button that opens the folds; while they train, it says how far they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from workbench.number_text import count
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip
from workbench.views.validation.panel import FoldsPanel

if TYPE_CHECKING:
    from workbench.session.validation.validation import Validation
    from workbench.validation.result import CrossValidated
    from workbench.views.base import Bench

IDLE, LONGEST = "Folds", "Folds 8/10"
TIP = "Cross-validate the shown run, and see what chance alone would move"


class FoldsButton(QPushButton):
    """`told` carries a sentence for the status line."""

    told = Signal(str)

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(IDLE, parent)
        self._bench = bench
        self.panel: FoldsPanel | None = None  # made when it is first opened
        set_look(self, fit="tool")
        set_tip(self, TIP)
        self.setAccessibleName("Folds and noise floor")
        self.setText(LONGEST)
        self.setMinimumWidth(self.sizeHint().width())  # so that nothing moves while folds train
        self.clicked.connect(self.open_panel)
        bench.session.events.validation.connect(self.synchronize)
        self.synchronize()

    def synchronize(self) -> None:
        """Show how far the folds are."""
        validation = self._bench.session.validation
        self.setText(short_progress(validation) or IDLE)
        self.setAccessibleDescription(progress_words(validation))
        self.told.emit(progress_words(validation))

    def open_panel(self) -> None:
        """Open the panel below."""
        panel = self.panel = self.panel or FoldsPanel(self._bench, self)
        panel.move(self.mapToGlobal(QPoint(self.width() - panel.width(), self.height() + 2)))
        panel.show()


def short_progress(validation: Validation) -> str:
    """Say which fold trains: "Folds 3/5"; "" where none does."""
    run = validation.live
    result = validation.result(run)
    if run is None:
        return ""
    if result is None:
        return "Folds …"
    return f"Folds {_next(result)}/{len(result.folds)}"


def _next(result: CrossValidated) -> int:
    return min(len(result.done) + 1, len(result.folds))


def progress_words(validation: Validation) -> str:
    """Say what trains besides runs; "" where nothing does."""
    run, measured = validation.live, validation.measured
    if run is not None:
        result = validation.result(run)
        if result is None:
            return f"Dividing the rows of {run.name}."
        rounds = next((fold.rounds for fold in result.folds if not fold.is_done), 0)
        fold = f"fold {count(_next(result))} of {count(len(result.folds))}"
        return f"Cross-validating {run.name}: {fold}, round {count(rounds)}."
    floor = validation.floor(measured)
    if measured is not None and floor is not None:
        return f"Noise floor of {measured.name}: {count(len(floor.refits))} of {count(floor.wanted)} refits."
    return ""
