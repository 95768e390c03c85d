"""What every view has: a name, a place in the window, and the bench it works on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from workbench.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtGui import QShowEvent

    from workbench.session.session import Session
    from workbench.workers.edit_desk import EditDesk
    from workbench.workers.explain_desk import ExplainDesk
    from workbench.workers.explainer import Explainer
    from workbench.workers.jobs import Jobs
    from workbench.workers.playground_desk import PlaygroundDesk
    from workbench.workers.prediction_desk import PredictionDesk
    from workbench.workers.training_controller import TrainingController
    from workbench.workers.validation_desk import ValidationDesk
    from workbench.workers.what_if_runner import WhatIfRunner


@dataclass(frozen=True)
class Bench:
    """What a view may use: the state, the trainer's reins, and a runner for slow work.

    `explainer` answers questions about the nodes of runs; `what_if` scores stored trees again; `edits` says
    what a change of a tree by hand would come to, and makes it; `playground` trains what is drawn;
    `explaining` answers the questions of the tab Explain, `predictions` those of the tab Predictions;
    `validating` trains folds and refits.
    """

    session: Session
    controller: TrainingController
    jobs: Jobs
    explainer: Explainer
    what_if: WhatIfRunner
    edits: EditDesk
    playground: PlaygroundDesk
    explaining: ExplainDesk
    predictions: PredictionDesk
    validating: ValidationDesk


class View(QWidget):
    """A panel of the window.

    `place` is "left" (task panels), "centre" (tabs) or "bottom" (inspector tabs); `order` sorts
    within it. A view is complete when constructed: it connects to the session's events there.
    `synchronize` redraws from the session and writes nothing. `restyle` is called when colours change.
    `tools` gives widgets for the right end of the tab row while a centre view is shown. A view may have the
    signals `status_changed` (a sentence for the status line), `title_changed` (of its tab) and
    `view_wanted` (the name of a centre view to go to), and `wanted` (it is to be seen itself, at the
    bottom). A bottom view that is `beside` a left panel is shown with it.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    place: ClassVar[Literal["left", "centre", "bottom"]] = "centre"
    order: ClassVar[int] = 0
    beside: ClassVar[str] = ""

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench = bench

    def synchronize(self) -> None:
        """Redraw from the session."""

    def get_ready(self) -> Iterator[None]:
        """Make what the first picture needs, a little a step, while nobody waits for anything."""
        yield from ()

    def holds_run(self, go: Callable[[], object]) -> bool:
        """Whether a run must wait for what the person is asked here; `go` is called when it may start."""
        return False

    def restyle(self) -> None:
        """Take over the colours of the present theme."""
        self.update()

    def tools(self) -> tuple[QWidget, ...]:
        """Widgets for the right end of the tab row."""
        return ()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.ApplicationFontChange):
            self.restyle()


class LazyView(View):
    """A view that stays as it is while nobody sees it, and catches up when it is shown."""

    def showEvent(self, event: QShowEvent) -> None:
        """Show what came in the meantime."""
        super().showEvent(event)
        self.synchronize()


VIEWS: Registry[Any] = Registry("view", "workbench.views")
