"""The composition root: the only place that wires session, workers, views and window together."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from workbench.registry import discover
from workbench.resources import resource_path
from workbench.session.session import Session
from workbench.shell.faults import Faults
from workbench.shell.main_window import MainWindow
from workbench.shell.settings import Settings
from workbench.views.base import Bench
from workbench.views.look.style import sheet_afterwards, start_style
from workbench.views.shield import shield_overrides
from workbench.workers.autosave import Autosave
from workbench.workers.edit_desk import EditDesk
from workbench.workers.explain_desk import ExplainDesk
from workbench.workers.explainer import Explainer
from workbench.workers.garbage import GarbageCollection
from workbench.workers.jobs import Jobs
from workbench.workers.playground_desk import PlaygroundDesk
from workbench.workers.prediction_desk import PredictionDesk
from workbench.workers.training_controller import TrainingController
from workbench.workers.validation_desk import ValidationDesk
from workbench.workers.warmup import Warmup
from workbench.workers.what_if_runner import WhatIfRunner

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SWITCH_SECONDS = 0.0005  # the window's thread gets the interpreter ten times sooner than by default


def application(arguments: Sequence[str] = ()) -> QApplication:
    """Return the one application, with its name and style."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication([sys.argv[0], *arguments])
        app.setApplicationName("Boosting Workbench")
        app.setOrganizationName("Boosting Workbench")
    return app


def build_window(app: QApplication, settings: Settings) -> MainWindow:
    """Wire everything together."""
    sys.setswitchinterval(SWITCH_SECONDS)
    discover("workbench.views")
    shield_overrides()
    start_style(app, str(settings.get("scheme")))
    app.setWindowIcon(QIcon(str(resource_path("icons", "workbench.svg"))))
    session, jobs = Session(), Jobs()
    jobs.start_threads()
    warmup = Warmup(jobs)
    controller = TrainingController(session, warmup.ready_for)
    autosave = Autosave(session, settings.folder / "sittings")
    with sheet_afterwards(app):
        bench = build_bench(session, controller, jobs, warmup.ready_named)
        autosave.gives_way = lambda: bench.playground.is_awaited or bench.playground.is_held
        return MainWindow(bench, warmup, settings, autosave)


def build_bench(
    session: Session, controller: TrainingController, jobs: Jobs,
    ready_named: Callable[[str], threading.Event] | None = None,
) -> Bench:  # fmt: skip
    """Return what views are given; `ready_named` gives what is set once kernels of a name are compiled."""
    compiled = threading.Event()
    compiled.set()
    what_if, explainer = WhatIfRunner(session, controller, jobs, jobs), Explainer(session, jobs)
    edits = EditDesk(session, controller, jobs, explainer, jobs)
    playground = PlaygroundDesk(session, controller, jobs, explainer, jobs)
    predictions = PredictionDesk(session, jobs, jobs)
    explaining = ExplainDesk(session, jobs, explainer.rest, ready_named or (lambda _name: compiled), jobs)
    validating = ValidationDesk(session, controller, jobs, jobs)
    return Bench(
        session, controller, jobs, explainer, what_if, edits, playground, explaining, predictions, validating
    )


def main(file: str | None = None, table: str | None = None) -> int:
    """Open the window, with `file` where one is given, and then its `table`; return the exit code."""
    app = application()
    garbage = GarbageCollection(app)
    window = build_window(app, Settings())
    sys.excepthook = Faults(window.session, window).take
    window.warmup.finished.connect(garbage.leave_out)
    garbage.wait_while(lambda: window.controller.is_live or window.bench.playground.is_awaited)
    window.show()
    window.warmup.start()
    if file:
        window.open_path(file, table)
    return app.exec()
