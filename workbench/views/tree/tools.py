"""The tools at the right end of the tab row while the tree is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QMenu, QPushButton, QWidget

from workbench.views.icons import icon
from workbench.views.style import set_look

if TYPE_CHECKING:
    from workbench.session.session import Session

ZOOM_STEP = 1.25
CLASS_WIDTH = 150


class TreeTools(QObject):
    """Class, previous and next round, zoom, fit, export."""

    class_chosen = Signal(int)
    turned = Signal(int)
    zoomed = Signal(float)
    fitted = Signal()
    save_wanted = Signal(str)  # "png" or "svg"
    copy_wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.classes = QComboBox()
        set_look(self.classes, fit="tool")
        self.classes.setAccessibleName("Class whose tree is shown")
        self.classes.setToolTip("Each round grows one tree a class")
        self.classes.setFixedWidth(CLASS_WIDTH)
        self.classes.activated.connect(self.class_chosen)
        self.previous = _button("Previous round", "[", "caret-left")
        self.next = _button("Next round", "]", "caret-right")
        self.zoom_out, self.zoom_in = _button("Zoom out", "-", text="−"), _button("Zoom in", "+", text="+")
        self.fit = _button("Show the whole tree", "F", "frame-corners")
        self.export = _button("Save or copy the tree", "", "download-simple")
        self.export.setMenu(self._build_menu())
        self._connect()

    def _connect(self) -> None:
        self.previous.clicked.connect(lambda: self.turned.emit(-1))
        self.next.clicked.connect(lambda: self.turned.emit(1))
        self.zoom_out.clicked.connect(lambda: self.zoomed.emit(1 / ZOOM_STEP))
        self.zoom_in.clicked.connect(lambda: self.zoomed.emit(ZOOM_STEP))
        self.fit.clicked.connect(self.fitted)

    def _build_menu(self) -> QMenu:
        menu = QMenu(self.export)
        menu.addAction("Save as PNG…", lambda: self.save_wanted.emit("png"))
        menu.addAction("Save as SVG…", lambda: self.save_wanted.emit("svg"))
        menu.addAction("Copy as text", self.copy_wanted.emit)
        return menu

    @property
    def widgets(self) -> tuple[QWidget, ...]:
        """All of them, in order."""
        return (self.classes, self.previous, self.next, self.zoom_out, self.zoom_in, self.fit, self.export)

    def synchronize(self, session: Session) -> None:
        """Offer what the shown run has."""
        shown, run = session.shown_round, session.run
        rounds = len(run.rounds) if run is not None else 0
        self.previous.setEnabled(shown > 1)
        self.next.setEnabled(shown < rounds)
        for button in (self.zoom_out, self.zoom_in, self.fit, self.export):
            button.setEnabled(shown > 0)
        names = run.output_names if run is not None and rounds else ()
        self.classes.setVisible(bool(names))
        if names:
            self._show_classes(list(names), session.selection.class_index)

    def _show_classes(self, labels: list[str], index: int) -> None:
        with QSignalBlocker(self.classes):
            if [self.classes.itemText(i) for i in range(self.classes.count())] != labels:
                self.classes.clear()
                self.classes.addItems(labels)
            self.classes.setCurrentIndex(index)

    def restyle(self) -> None:
        """Tint the icons anew."""
        for button in (self.previous, self.next, self.fit, self.export):
            button.setIcon(icon(str(button.property("glyph")), pixels=14))


def _button(name: str, key: str, glyph: str = "", text: str = "") -> QPushButton:
    button = QPushButton(text)
    if glyph:
        button.setProperty("glyph", glyph)
        button.setIcon(icon(glyph, pixels=14))
    set_look(button, fit="tool")
    button.setFixedWidth(44 if glyph == "download-simple" else 30)
    button.setToolTip(f"{name} {key}".strip())
    button.setAccessibleName(name)
    return button
