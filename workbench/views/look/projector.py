"""Everything in the size of a lecture hall, and back: fonts, rows and fields; paddings stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QHeaderView, QLabel, QWidget

from workbench.views.look.fonts import ui_font
from workbench.views.look.scale import PROJECTOR, rescaled, scale, set_scale
from workbench.views.look.style import style_sheet
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from collections.abc import Iterable

KEEPS_SIZE = "keeps_size"  # a property of widgets that fit themselves, or stand where there is no more room
UNLIMITED = 524_287  # from there on Qt takes a size for no limit
REMEMBERED = "_q_styleSheetWidgetFont"  # the font that Qt brings back when a style sheet goes
MOST_SECTIONS = 2000  # of a header that are widened one by one


def project(app: QApplication, on: bool) -> None:
    """Show everything in the size of a projector, or as set; what was as set comes back exactly."""
    wanted = PROJECTOR if on else 1.0
    ratio = wanted / scale()
    if ratio == 1.0:
        return
    set_scale(app, wanted)
    app.setStyleSheet("")
    widgets = app.allWidgets()
    fonts = [(widget, QFont(widget.font())) for widget in widgets
             if widget.testAttribute(Qt.WidgetAttribute.WA_SetFont)]
    for widget in widgets:
        if not widget.isWindow():
            _resize(widget, ratio)
    app.setFont(ui_font())
    app.setStyleSheet(style_sheet(theme()))
    for widget, font in fonts:  # after the style sheet, which brings back the fonts that it knew
        _rewrite(widget, font, ratio)
    _lay_out_anew(widgets)


def _rewrite(widget: QWidget, font: QFont, ratio: float) -> None:
    """Write in larger letters, or in smaller ones."""
    if font.pixelSize() > 0:
        font.setPixelSize(rescaled(font.pixelSize(), ratio))
        widget.setFont(font)
        if widget.property(REMEMBERED) is not None:
            widget.setProperty(REMEMBERED, font)


def _resize(widget: QWidget, ratio: float) -> None:
    """Give a widget that limits its size other limits."""
    if widget.property(KEEPS_SIZE):
        return
    least, most = widget.minimumSize(), widget.maximumSize()
    if least.width() > 1:
        widget.setMinimumWidth(min(rescaled(least.width(), ratio), UNLIMITED))
    if least.height() > 1:
        widget.setMinimumHeight(min(rescaled(least.height(), ratio), UNLIMITED))
    if 1 < most.width() < UNLIMITED:
        widget.setMaximumWidth(rescaled(most.width(), ratio))
    if 1 < most.height() < UNLIMITED:
        widget.setMaximumHeight(rescaled(most.height(), ratio))
    if isinstance(widget, QHeaderView):
        _widen(widget, ratio)


def _widen(header: QHeaderView, ratio: float) -> None:
    if header.orientation() == Qt.Orientation.Vertical:
        header.setDefaultSectionSize(rescaled(header.defaultSectionSize(), ratio))
        return
    for section in range(min(header.count(), MOST_SECTIONS)):
        mode = header.sectionResizeMode(section)
        if mode in (QHeaderView.ResizeMode.Fixed, QHeaderView.ResizeMode.Interactive):
            header.resizeSection(section, rescaled(header.sectionSize(section), ratio))


def _lay_out_anew(widgets: Iterable[QWidget]) -> None:
    for widget in widgets:
        if isinstance(widget, QLabel):
            widget.setIndent(widget.indent())  # else one without words keeps the height of the other size
        widget.updateGeometry()
        widget.update()
