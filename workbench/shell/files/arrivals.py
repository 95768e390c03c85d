"""What was read is shown in place of what was open, and it is told what became of that."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from workbench.isolation import isolated
from workbench.paths import state_of
from workbench.session.carried import carried
from workbench.session.opening.drawn import Drawn
from workbench.session.opening.open_file import Opened, OpenedModel
from workbench.session.opening.open_project import OpenedProject
from workbench.session.opening.recent import RecentFile, RecentFiles
from workbench.session.table_source import TableSource
from workbench.shell.files.ways_back import Way, WaysBack
from workbench.workers.opening_there import OpenedElsewhere

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from workbench.data.readers.options import ReadOptions
    from workbench.data.statistics import ColumnSummary
    from workbench.data.table import Kind
    from workbench.session.objective_facts import ObjectiveFacts
    from workbench.session.opening.attaching import Attached
    from workbench.session.plan import Plan
    from workbench.shell.files.saving import Saving
    from workbench.shell.projects import Projects
    from workbench.shell.settings import Settings
    from workbench.views.base import Bench

Arrived = Opened | OpenedModel | OpenedProject | OpenedElsewhere | Drawn


class FileAsked(NamedTuple):
    """What was asked for: a file, how it is read, its state before that, and a plan that its table keeps."""

    path: Path
    options: ReadOptions | None = None
    state: tuple[int, int] | None = None
    plan: Plan | None = None


class OpenedTable(NamedTuple):
    """The table that is open: its file, how that was read, and what was there.

    `kinds` are those of its columns as they were read, `state` is that of the file.
    """

    path: Path
    options: ReadOptions | None
    can_be_mapped: bool
    kinds: dict[str, Kind]
    state: tuple[int, int] | None


class Arrivals(QObject):
    """Hands over to the session, and remembers the ways back.

    Attributes
    ----------
    table : OpenedTable or None
        What is open, where it is a table of a file.
    ways : WaysBack
    recent : RecentFiles
    """

    opened = Signal()
    opened_model = Signal()
    opened_project = Signal()
    opened_drawing = Signal()
    recent_changed = Signal()

    def __init__(
        self, bench: Bench, settings: Settings, projects: Projects, saving: Saving, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bench, self._settings, self._projects, self._saving = bench, settings, projects, saving
        self.table: OpenedTable | None = None
        self.ways = WaysBack()
        self.recent = RecentFiles(settings.recent_path)
        self._shown: Way | None = None  # what is open, but for what was done since
        settings.changed.connect(lambda: saving.write(settings.save, self._say_remembered))

    def show(self, answer: Arrived, asked: FileAsked) -> None:
        """Show what was read of what was asked for."""
        self._bench.controller.let_go()
        name, kept = self._bench.session.name, self._projects.leave()
        left, shown = self._projects.left, self._shown
        if left is not None:
            self.ways.leave(Way(name, left))
        else:
            self.ways.leave(shown._replace(name=name) if shown is not None else None)
        self._shown = Way("", asked.path, asked.options)
        match answer:
            case OpenedProject():
                self._show_project(answer, kept)
            case OpenedModel():
                self._show_model(answer, kept, asked.path)
            case Drawn():
                self._show_drawing(answer, kept)
            case OpenedElsewhere():
                self._show_elsewhere(answer, kept)
            case _:
                self._show_table(answer, kept, asked)

    def _show_table(self, answer: Opened, kept: str, asked: FileAsked) -> None:
        is_other = self.table is None or self.table.path != asked.path
        table, plan = answer.table, answer.plan
        if asked.plan is not None and tuple(asked.plan.roles) == table.names:
            plan = asked.plan
        self.table = OpenedTable(asked.path, asked.options, answer.can_be_mapped, table.kinds, asked.state)
        former = self._bench.session.name
        if answer.attached is not None:
            self._attach(answer.attached, answer.summaries, answer.objectives)
        else:
            self._bench.session.open_table(
                table, plan, answer.summaries, answer.objectives, self._source()
            )
        self._remember(RecentFile(
            str(asked.path), table.n_rows, len(table.columns), plan.target, datetime.now().astimezone(),
            asked.options))
        self.opened.emit()
        if answer.attached is not None:
            self._say_kept(kept, more=answer.attached.words)
        else:
            taken = f"Target, roles and hold-out are taken from {former}." if not plan.target_guessed else ""
            stay = carried(self._bench.session.hyperparameters.wanted) if is_other else ""
            self._say_kept(kept, former, taken if plan is answer.plan else "", stay)

    def _show_model(self, answer: OpenedModel, kept: str, path: Path) -> None:
        session, attached = self._bench.session, answer.attached
        if attached is not None and attached.given is session.data.table:
            self._attach(attached, {**session.data.summaries, **attached.changed}, answer.objectives)
        else:
            self.table = attached = None
            session.open_model(answer.run, answer.name, answer.objectives)
        model = answer.run.read
        if model is not None:
            known = None if "known_params" in model.provenance else model.schema.target
            columns = len(model.schema.features)
            self._remember(RecentFile(
                str(path), 0, columns, known, datetime.now().astimezone(), rounds=model.rounds))
        self.opened_model.emit()
        self._say_kept(kept, more=attached.words if attached else "")

    def _show_elsewhere(self, answer: OpenedElsewhere, kept: str) -> None:
        self.table = self._shown = None
        former = self._bench.session.name
        self._bench.session.open_table(
            answer.table, answer.plan, answer.summaries, answer.objectives, elsewhere=answer.elsewhere
        )
        self.opened.emit()
        self._say_kept(kept, former)

    def _show_drawing(self, answer: Drawn, kept: str) -> None:
        self.table = None
        self._bench.session.open_drawing(answer.sketch, answer.plan, answer.objectives)
        self._bench.playground.retrain("Draw")
        self.opened_drawing.emit()
        self._say_kept(kept)

    def _show_project(self, answer: OpenedProject, kept: str) -> None:
        found, session = answer.found, self._bench.session
        words = self._projects.show(answer)
        self.table = None
        if found.path is not None and answer.tables is not None:
            kinds = answer.tables.read.kinds
            self.table = OpenedTable(found.path, found.options, False, kinds, state_of(found.path))
        if self._projects.path is not None:
            self.remember_project(self._projects.path)
        (self.opened if answer.table is not None and not session.runs else self.opened_project).emit()
        told = " ".join(filter(None, (words, kept)))
        offers = {"offers_table": found.state == "missing", "offers_changed": found.state == "changed"}
        if any(offers.values()):
            session.notices.say_lasting(told, "data", **offers)
        elif told:
            session.notices.say(told, "warning" if found.words else "info", "data")
        self._projects.own_files.look()

    def remember_project(self, path: Path) -> None:
        """Put a project first among the recent files."""
        session = self._bench.session
        table, target = session.data.table, session.data.plan.target
        rows, columns = (table.n_rows, len(table.columns)) if table is not None else (0, 0)
        self._remember(RecentFile(str(path), rows, columns, target, datetime.now().astimezone()))

    def _remember(self, file: RecentFile) -> None:
        """Put a file first among the recent ones."""
        self.recent.add(file)
        self._saving.write(self.recent.save, self._say_remembered)
        self.recent_changed.emit()

    def _attach(
        self, attached: Attached, summaries: Mapping[str, ColumnSummary],
        objectives: tuple[ObjectiveFacts, ...],
    ) -> None:  # fmt: skip
        """Show a model with its own table; what is in its file is saved."""
        run = attached.run
        self._bench.session.attach(run, attached.table, attached.plan, summaries, objectives, self._source())
        self._bench.controller.take_rows(run.dataset)

    def _source(self) -> TableSource | None:
        known = self.table
        return None if known is None else TableSource(known.path, known.options, known.kinds)

    def _say_remembered(self, remembered: bool) -> None:
        if not remembered:
            self._settings.tell_unwritable()

    def _say_kept(self, kept: str, model: str = "", more: str = "", stay: str = "") -> None:
        """Say what became of the runs, and of parameters: those carried on, those of the model before."""
        session = self._bench.session
        differs = bool(session.hyperparameters.of_model)
        other = f"Parameters are as you set them, not as in {isolated(model)}." if differs else ""
        same = f"Parameters stay as you set them: {stay}." if stay and not other else ""
        words = " ".join(filter(None, (more, other, same, kept)))
        if words:
            session.notices.say(
                words, "info", "export", offers_params=bool(other), offers_defaults=bool(stay),
                passes=not (kept or other or stay),
            )
