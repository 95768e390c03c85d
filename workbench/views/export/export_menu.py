"""The export button of a view: PNG, SVG, CSV and the clipboard, with a file dialog in between."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from workbench.errors import WorkbenchError
from workbench.views.export.save_dialog import ask_where
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from collections.abc import Callable

KINDS = {".png": "Picture (*.png)", ".svg": "Vector picture (*.svg)", ".csv": "Table (*.csv)"}


class Exports(Protocol):
    """What a view offers to the menu."""

    def save_picture(self, path: Path) -> None:
        """Write a picture of what is shown."""

    def save_csv(self, path: Path) -> None:
        """Write the figures."""

    def values_text(self) -> str:
        """The figures as tab-separated text."""


def add_exports(
    menu: QMenu, view: QWidget, exports: Exports, stem: str, failed: Callable[[str], None]
) -> None:
    """Add the actions to `menu`; `failed` is told in one line what could not be written."""
    add_pictures(menu, view, exports.save_picture, stem, failed)
    add_figures(menu, view, exports.save_csv, partial(_copy, exports), stem, failed)


def export_button(
    view: QWidget, exports: Exports, stem: str, failed: Callable[[str], None], tip: str
) -> QPushButton:
    """Make the button that opens a menu of these actions."""
    button = icon_button("Export", tip)

    def open_exports() -> None:
        menu = QMenu(view)
        add_exports(menu, view, exports, stem, failed)
        open_menu(menu, button)

    button.clicked.connect(open_exports)
    return button


def add_pictures(
    menu: QMenu, view: QWidget, save: Callable[[Path], None], stem: str, failed: Callable[[str], None]
) -> None:
    """Add the actions that write a picture."""
    for text, suffix in (("Save as PNG…", ".png"), ("Save as SVG…", ".svg")):
        menu.addAction(text, partial(_save, view, stem + suffix, KINDS[suffix], save, failed))


def add_figures(
    menu: QMenu, view: QWidget, save: Callable[[Path], None], copy: Callable[[], None], stem: str,
    failed: Callable[[str], None],
) -> None:
    """Add the actions that write and copy figures."""
    call = partial(_save, view, stem + ".csv", KINDS[".csv"], save, failed)
    menu.addAction("Save figures as CSV…", call)
    menu.addAction("Copy values", copy)


def open_menu(menu: QMenu, below: QWidget) -> None:
    """Open `menu` under a button; it goes when it closes."""
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(below.mapToGlobal(QPoint(0, below.height())))


def icon_button(name: str, tip: str) -> QPushButton:
    """Make a button of a tool row that has only an icon; the view tints it."""
    button = QPushButton()
    button.setAccessibleName(name)
    set_tip(button, tip)
    button.setIconSize(QSize(14, 14))
    button.setFixedWidth(px(28))
    set_look(button, fit="tool")
    return button


def _copy(exports: Exports) -> None:
    QGuiApplication.clipboard().setText(exports.values_text())


def _save(
    view: QWidget, name: str, kind: str, call: Callable[[Path], None], failed: Callable[[str], None]
) -> None:
    try:
        path = ask_where(view, "Save", str(Path.home() / name), kind, Path(name).suffix)
        if path is not None:
            call(path)
    except WorkbenchError as error:
        failed(str(error))
