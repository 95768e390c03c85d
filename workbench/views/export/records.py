"""Taking away figures that are many: a job gathers them for a CSV file, or for the clipboard."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from PySide6.QtGui import QGuiApplication

from workbench.formats.bytes.files import atomic_write
from workbench.formats.own.history_csv import history_csv
from workbench.views.export.export_menu import add_figures
from workbench.views.export.pictures import records_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QMenu, QWidget

    from workbench.views.base import Bench
    from workbench.workers.jobs import Job

    Records: TypeAlias = list[dict[str, Any]]
    Gather: TypeAlias = Callable[[Job], Records]


class RecordsExport:
    """The ways out for what `wanted` says is to be gathered; None where there is nothing."""

    def __init__(self, bench: Bench, view: QWidget, stem: str, wanted: Callable[[], Gather | None]) -> None:
        self._view, self._stem, self._wanted = view, stem, wanted
        self._bench = bench

    def fill(self, menu: QMenu) -> None:
        """Put the ways out into a menu."""
        add_figures(menu, self._view, self.save_csv, self.copy_values, self._stem, self.fail)

    def save_csv(self, path: Path) -> None:
        """Write the records as CSV."""
        neutralise = self._bench.session.harmless_formulas
        self._make(
            lambda records: atomic_write(path, history_csv(records, neutralise=neutralise)),
            lambda _: None, keep=True,
        )

    def copy_values(self) -> None:
        """Put the records on the clipboard, as a spreadsheet takes them."""
        text_of = partial(records_text, neutralise=self._bench.session.harmless_formulas)
        self._make(text_of, lambda text: QGuiApplication.clipboard().setText(text))

    def fail(self, text: str) -> None:
        """Say what could not be done."""
        self._bench.session.notices.say(text, "error", "export")

    def _make(
        self, make: Callable[[Records], Any], done: Callable[[Any], None], *, keep: bool = False
    ) -> None:
        gather = self._wanted()
        if gather is not None:
            self._bench.jobs.start(lambda job: make(gather(job)), done=done, failed=self.fail, keep=keep)
