"""Taking a tree away: files, clipboard, printer. Large ones are written in a job."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QMenu

from workbench.errors import WorkbenchError
from workbench.formats.bytes.files import atomic_write
from workbench.formats.code.dot import tree_dot
from workbench.isolation import isolated
from workbench.views.export.save_dialog import ask_where
from workbench.views.tree.far.far import MANY
from workbench.views.tree.paint.paper import pdf_bytes, png_bytes, print_picture, svg_bytes
from workbench.views.tree.text import tree_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from workbench.views.tree.scene import TreeScene
    from workbench.workers.jobs import Jobs


def _text_bytes(scene: TreeScene, name: str) -> bytes:
    return tree_text(scene.tree, scene.facts.schema, name, scene.facts.unit).encode("utf-8", "replace")


def _dot_bytes(scene: TreeScene, name: str) -> bytes:
    return tree_dot(scene.tree, scene.facts.schema, name)


DOCUMENTS: dict[str, tuple[str, Callable[..., bytes]]] = {  # by ending: the kind of file, and its maker
    "png": ("PNG picture", png_bytes), "svg": ("SVG drawing", svg_bytes), "pdf": ("PDF document", pdf_bytes),
    "dot": ("DOT graph", _dot_bytes), "txt": ("text", _text_bytes),
}
COPIED = ("png", "svg", "dot", "txt")


class TreeExport:
    """Writes what the canvas shows; `tell` says a sentence, `fail` one about a failure."""

    def __init__(
        self, jobs: Jobs, parent: QWidget, shown: Callable[[], tuple[TreeScene | None, str]],
        tell: Callable[[str], None], fail: Callable[[str], None],
    ) -> None:
        self._jobs, self._parent, self._shown = jobs, parent, shown
        self._tell, self._fail = tell, fail

    def fill(self, menu: QMenu) -> None:
        """Put the ways out into a menu."""
        for kind, (words, _) in DOCUMENTS.items():
            menu.addAction(f"Save as {words}…", partial(self.ask_where, kind))
        menu.addSeparator()
        for kind in COPIED:
            menu.addAction(f"Copy as {DOCUMENTS[kind][0]}", partial(self.copy, kind))
        menu.addSeparator()
        menu.addAction("Print…", self.ask_printer)

    def save(self, path: Path) -> None:
        """Write the whole tree; the file's ending says how."""
        scene, name = self._shown()
        make = DOCUMENTS[path.suffix.lower().removeprefix(".")][1]
        if scene is not None:
            self._do(scene, lambda: atomic_write(path, make(scene, name)),
                     lambda _: self._tell(f"Saved {isolated(path.name)}."))

    def copy(self, kind: str) -> None:
        """Put the whole tree into the clipboard."""
        scene, name = self._shown()
        if scene is not None:
            self._do(scene, lambda: DOCUMENTS[kind][1](scene, name), partial(_put_into_clipboard, kind))

    def ask_where(self, kind: str) -> None:
        """Let the person choose a file, then write it."""
        _, name = self._shown()
        stem = name.lower().replace(" ", "-")
        kinds, ending = f"{DOCUMENTS[kind][0]} (*.{kind})", f".{kind}"
        try:
            path = ask_where(self._parent, "Save the tree", f"{stem}{ending}", kinds, ending)
        except WorkbenchError as error:
            self._fail(str(error))
            return
        if path is not None:
            self.save(path)

    def ask_printer(self) -> None:
        """Let the person choose a printer, then print."""
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        scene, _ = self._shown()
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        if scene is not None and QPrintDialog(printer, self._parent).exec():
            print_picture(printer, scene)

    def _do(self, scene: TreeScene, make: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """Make something at once, or of a large tree in a job, and take it."""
        if scene.tree.n_nodes > MANY:
            self._jobs.start(lambda _job: make(), done=done, failed=self._fail, keep=True)
            return
        try:
            done(make())
        except WorkbenchError as error:
            self._fail(str(error))


def _put_into_clipboard(kind: str, document: bytes) -> None:
    clipboard = QApplication.clipboard()
    if kind == "png":
        clipboard.setImage(QImage.fromData(document))
    elif kind == "svg":
        data = QMimeData()
        data.setText(document.decode())
        data.setData("image/svg+xml", document)
        clipboard.setMimeData(data)
    else:
        clipboard.setText(document.decode())
