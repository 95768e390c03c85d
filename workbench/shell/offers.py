"""What a notice offers to do: each sentence for the person with the ways out that it has."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.isolation import isolated
from workbench.number_text import count
from workbench.paths import holds_something
from workbench.session.time_left import TimeLeft, reading_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.session.notice import Notice
    from workbench.session.opening.open_file import Outgrown
    from workbench.shell.files.documents import Documents
    from workbench.shell.files.file_choice import FileChoice
    from workbench.shell.frame import Frame
    from workbench.shell.pages import Pages
    from workbench.shell.projects import Projects
    from workbench.shell.run_commands import RunCommands
    from workbench.views.base import Bench

    Ways = list[tuple[str, Callable[[], object]]]

KEEP_ON_DISK = "Keep it on disk: slower, but whole"
TEXT_TABLES = (".csv", ".tsv", ".tab", ".txt", ".dat", ".gz", ".bz2", ".xz", ".zip", "")


class Offers(QObject):
    """Shows the session's notices, and how reading goes on, in the strip of the page that is shown."""

    def __init__(
        self, bench: Bench, frame: Frame, documents: Documents, projects: Projects, files: FileChoice,
        runs: RunCommands, pages: Pages,
    ) -> None:  # fmt: skip
        super().__init__(frame)
        self._session, self._controller, self._frame = bench.session, bench.controller, frame
        self._documents, self._projects, self._files = documents, projects, files
        self._runs, self._pages = runs, pages
        self._time_left = TimeLeft()
        self._session.events.notice.connect(self._show_notice)
        for strip in (frame.notice, frame.waiting):
            strip.closed.connect(self._session.notices.dismiss)
        documents.refused.connect(self._offer_options)
        documents.outgrown.connect(self._offer_ways)
        documents.waiting.connect(self._show_waiting)
        documents.progressed.connect(self._show_progress)
        documents.settled.connect(frame.waiting.hide)

    def _show_notice(self) -> None:
        notice = self._session.notices.current or self._session.notices.lasting
        self._frame.waiting.hide()
        self._frame.notice.hide()
        if notice is not None:
            self._frame.strip.show_notice(notice.text, notice.severity, self._ways_of(notice))

    def _ways_of(self, notice: Notice) -> Ways:
        params, documents = self._session.hyperparameters, self._documents
        ways: Ways = []
        if notice.can_be_mapped and documents.can_keep_on_disk:
            ways.append((KEEP_ON_DISK, documents.keep_on_disk))
        if notice.offers_params:
            ways.append(("Use the model's", partial(self._take, params.take_model)))
        if notice.offers_defaults:
            ways.append(("Use the defaults", partial(self._take, params.reset)))
        if notice.offers_table:
            ways.append(("Choose where it is…", self._files.find_table))
        if notice.offers_changed:
            use = partial(self._projects.take_rows, tells=True)
            ways.append(("Use it all the same", partial(self._take, use)))
        if notice.suspect:
            ways.append(("Ignore it and start again", partial(self._runs.start_without, notice.suspect)))
        if notice.offers_own_files:
            ways.append(("Run again", partial(self._take, self._projects.own_files.run)))
        if notice.offers_resume:
            ways.append(("Go on", self._controller.resume))
        if notice.offers_anew:
            ways.append(("Begin anew", documents.open_again))
        return ways

    def _take(self, offer: Callable[[], None]) -> None:
        """Do what a sentence offers, which has served then."""
        offer()
        self._session.notices.dismiss()

    def _show_waiting(self, name: str) -> None:
        self._time_left = TimeLeft()
        words = f"Reading {isolated(name)}."
        self._frame.waiting.show_notice(words, "info", [("Cancel", self._documents.cancel)])

    def _show_progress(self, rows: int, expected: int) -> None:
        if self._frame.waiting.isVisible():
            words = reading_words(self._documents.path.name, rows, expected, self._time_left)
            self._frame.waiting.say(words)

    def _offer_ways(self, table: Outgrown) -> None:
        """Offer to read as many rows as there is memory for, to keep all of them on disk, or to read them."""
        ways: Ways = []
        if table.sample:
            sample = partial(self._documents.open_sample, table.sample)
            ways.append((f"Read {count(table.sample)} rows, drawn at random", sample))
        if table.can_be_mapped:
            ways.append((KEEP_ON_DISK, self._documents.open_mapped))
        if table.fits:
            ways.append(("Read all of it", self._documents.open_unpacked))
        self._frame.strip.show_notice(table.text, "warning", ways)

    def _offer_options(self, text: str) -> None:
        """Offer to settle how a text table is read that could not be opened."""
        path = self._documents.path
        can_be_table = path.suffix.lower() in TEXT_TABLES and holds_something(path)
        if can_be_table and not self._frame.importing.isVisible():
            ways: Ways = [("Read it differently…", partial(self._pages.look_at, path))]
            self._frame.strip.show_notice(text, "error", ways)
