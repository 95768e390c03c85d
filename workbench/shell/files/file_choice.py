"""Asking which file: to open, to look at, to write."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtWidgets import QApplication, QFileDialog

from workbench.formats.base import FORMATS
from workbench.isolation import isolated
from workbench.session.no_trees import NO_TREES

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from workbench.session.run import Run
    from workbench.session.session import Session
    from workbench.shell.files.documents import Documents
    from workbench.shell.settings import Settings

_TABLES = (
    "*.csv *.tsv *.txt *.gz *.bz2 *.xz *.zip *.parquet *.feather *.arrow *.arrows *.xlsx *.xls *.ods *.jsonl "
    "*.svm"
)
OPENED_KINDS = f"Tables, models and projects ({_TABLES} *.json *.ubj *.workbench);;All files (*)"
TABLE_KINDS = f"Tables ({_TABLES});;All files (*)"


class FileChoice(QObject):
    """Opens the system's dialogs in the folder that was used last, and passes on what was chosen."""

    doubted = Signal(object)  # path of a table that a person wants to look at first

    def __init__(self, session: Session, documents: Documents, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._documents, self._settings = session, documents, settings
        self._window = window

    def open(self) -> None:
        """Ask for a file to open."""
        if chosen := self._existing("Open a table, a model or a project"):
            self._documents.open(Path(chosen))

    def find_table(self) -> None:
        """Ask where the table of a project is."""
        if chosen := self.existing_table("Where is the table?"):
            self._documents.open_with_table(Path(chosen))

    def open_with_options(self) -> None:
        """Ask for a table, and settle how it is read."""
        if chosen := self._existing("Open a table with options"):
            self.doubted.emit(Path(chosen))

    def open_folder(self) -> None:
        """Ask for a folder of tables with the same columns."""
        caption = "Open the CSV files of a folder"
        if chosen := QFileDialog.getExistingDirectory(self._window, caption, self._folder):
            self._settings.set(folder=chosen)
            self._documents.open(Path(chosen))

    def paste(self) -> None:
        """Open what was copied in another program: cells, or a file."""
        copied = QApplication.clipboard().mimeData() or QMimeData()  # none where nothing was ever copied
        paths = [url.toLocalFile() for url in copied.urls() if url.isLocalFile()]
        if paths:
            self._documents.open(Path(paths[0]))
        elif copied.text().strip():
            self._documents.paste(copied.text())
        else:
            words = "The clipboard holds no table. Copy cells in a spreadsheet, then paste them here."
            self._session.notices.say(words, "warning", "data")

    def export_model(self) -> None:
        """Ask where the model goes."""
        writable = sorted((f for f in FORMATS if f.can_write), key=lambda f: f is not FORMATS.usual)
        endings = {f"{f.label} (*{f.suffixes[0]})": f.suffixes[0] for f in writable}
        self._write("Export model", endings, self._documents.saving.save_model)

    def export_history(self) -> None:
        """Ask where the history goes."""
        self._write("Export history", {"CSV (*.csv)": "-history.csv"}, self._documents.saving.save_history)

    @property
    def _folder(self) -> str:
        return str(self._settings.get("folder"))

    def _existing(self, caption: str) -> str:
        return self._chosen(caption, OPENED_KINDS)

    def existing_table(self, caption: str) -> str:
        """Ask for a table; "" where none is chosen."""
        return self._chosen(caption, TABLE_KINDS)

    def _chosen(self, caption: str, kinds: str) -> str:
        without_endings = QFileDialog.Option.HideNameFilterDetails  # a dozen of them have no room
        chosen, _ = QFileDialog.getOpenFileName(
            self._window, caption, self._folder, kinds, "", without_endings
        )  # fmt: skip
        if chosen:
            self._settings.set(folder=str(Path(chosen).parent))
        return chosen

    def _write(self, caption: str, endings: dict[str, str], save: Callable[[Run, Path], None]) -> None:
        """Ask for a file, and save the shown run there."""
        run = self._session.shown.run
        if run is not None and run.what_if.is_on:
            caption = f"{caption} as stored: What if changes nothing in it"
        if run is None or not run.rounds:
            self._warn(NO_TREES)
        elif (path := self.target(caption, self._session.name.split(".")[0], endings)) is not None:
            save(run, path)

    def target(self, caption: str, stem: str, endings: dict[str, str]) -> Path | None:
        """Ask where a file of one of the kinds goes, each with its ending; None where nowhere."""
        start = str(Path(self._folder or Path.home()) / (stem + next(iter(endings.values()))))
        chosen, kind = QFileDialog.getSaveFileName(self._window, caption, start, ";;".join(endings))
        if not chosen:
            return None
        self._settings.set(folder=str(Path(chosen).parent))
        path = _with_ending(chosen, endings, kind, is_suggested=chosen == start)
        if str(path) != chosen and path.exists():  # the dialog asked about another name
            self._warn(f"{isolated(path.name)} exists. Choose that name to write over it.")
            return None
        return path

    def _warn(self, words: str) -> None:
        self._session.notices.say(words, "warning", "export")


def _with_ending(chosen: str, endings: dict[str, str], kind: str, *, is_suggested: bool) -> Path:
    """Return the path with the ending of the kind that was picked, unless another known one was typed."""
    ending = endings.get(kind, next(iter(endings.values())))
    if is_suggested:
        chosen = chosen.removesuffix(next(iter(endings.values())))
    return Path(chosen if chosen.endswith(tuple(endings.values())) else chosen + ending)
