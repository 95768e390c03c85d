"""Palette and style sheet, made from the tokens; the theme follows the system or the person."""

from __future__ import annotations

import atexit
import re
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette

from workbench.passing_folder import passing_folder
from workbench.resources import resource_path
from workbench.views.look.focus_ring import show_focus_rings
from workbench.views.look.fonts import load_fonts, ui_font
from workbench.views.look.scale import px, scale
from workbench.views.look.theme import DARK, LIGHT, Theme, set_theme

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication, QWidget

# Lengths that grow with the words.
_SCALED = re.compile(r"(font-size: |min-height: |width: |height: )(\d{2,})px")
_ICONS = {  # name in the style sheet: (icon, token)
    "icon_caret_down": ("caret-down", "text2"),
    "icon_check_on_accent": ("check-bold", "on_accent"),
    "icon_check_accent": ("check-bold", "accent"),
}


def start_style(app: QApplication, scheme: str = "system") -> None:
    """Load the fonts and put on the theme; `scheme` is "system", "light" or "dark"."""
    if app.property("theme") is None:
        load_fonts()
        show_focus_rings(app)
        app.setStyle("Fusion")
        app.setFont(ui_font())
    apply_scheme(app, scheme)


def apply_scheme(app: QApplication, scheme: str) -> None:
    """Show `scheme`; the system's where it is "system" (light where the system does not say)."""
    system_is_dark = app.styleHints().colorScheme() == Qt.ColorScheme.Dark
    chosen = DARK if scheme == "dark" or (scheme == "system" and system_is_dark) else LIGHT
    sheet = style_sheet(chosen)
    if app.property("theme") == chosen.name and app.styleSheet() == sheet:
        return
    set_theme(app, chosen.name)
    # Over another sheet, Qt polishes each widget once for every widget that it stands in.
    app.setStyleSheet("")
    app.setStyleSheet(sheet)
    app.setPalette(palette(chosen))


@contextmanager
def sheet_afterwards(app: QApplication) -> Iterator[None]:
    """Put the style sheet on when all that is built meanwhile stands.

    Under a sheet, Qt polishes each widget anew for every widget that it is put into.
    """
    sheet = app.styleSheet()
    app.setStyleSheet("")
    try:
        yield
    finally:
        app.setStyleSheet(sheet)


def palette(theme: Theme) -> QPalette:
    """Return the theme's colours in Qt's roles."""
    roles = {
        QPalette.ColorRole.Window: "window", QPalette.ColorRole.Base: "data",
        QPalette.ColorRole.AlternateBase: "panel", QPalette.ColorRole.Button: "raised",
        QPalette.ColorRole.WindowText: "text1", QPalette.ColorRole.Text: "text1",
        QPalette.ColorRole.ButtonText: "text1", QPalette.ColorRole.ToolTipBase: "raised",
        QPalette.ColorRole.ToolTipText: "text1", QPalette.ColorRole.PlaceholderText: "text3",
        QPalette.ColorRole.Highlight: "accent", QPalette.ColorRole.HighlightedText: "on_accent",
        QPalette.ColorRole.Link: "accent", QPalette.ColorRole.Mid: "line2",
    }
    made = QPalette()
    for role, token in roles.items():
        made.setColor(role, QColor(theme.tokens[token]))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(theme.tokens["disabled"]))
    return made


def style_sheet(theme: Theme) -> str:
    """Return the style sheet with the theme's colours and tinted icons put in."""
    text = resource_path("workbench.qss").read_text(encoding="utf-8")
    values = theme.tokens | {key: _tinted(icon, theme.tokens[token]) for key, (icon, token) in _ICONS.items()}
    text = re.sub(r"@(\w+)", lambda found: values[found[1]], text)
    return text if scale() == 1.0 else re.sub(_SCALED, lambda found: f"{found[1]}{px(int(found[2]))}px", text)


def set_look(widget: QWidget, **properties: str | bool) -> None:
    """Set the properties the style sheet asks for ("tone", "ground", "primary" …) and restyle."""
    told = {name: str(value).lower() if isinstance(value, bool) else value
            for name, value in properties.items()}
    if all(widget.property(name) == value for name, value in told.items()):
        return
    for name, value in told.items():
        widget.setProperty(name, value)
    if "ground" in properties:
        widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground, True)
    if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):  # else it is when it is shown first
        widget.style().unpolish(widget)
        widget.style().polish(widget)


@lru_cache
def _icon_folder() -> Path:
    held = ExitStack()
    atexit.register(held.close)
    return held.enter_context(passing_folder())


def _tinted(name: str, color: str) -> str:
    """Write a tinted icon where a style sheet can find it; style sheets take no colours for pictures."""
    path = _icon_folder() / f"{name}-{color[1:]}.svg"
    if not path.exists():
        svg = resource_path("icons", f"{name}.svg").read_text(encoding="utf-8")
        with suppress(OSError):  # a full disk costs the picture
            path.write_text(svg.replace("currentColor", color), encoding="utf-8")
    return path.as_posix()
