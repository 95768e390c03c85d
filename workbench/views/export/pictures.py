"""Pictures and tables of what is shown: PNG, SVG, and text for the clipboard."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from workbench.errors import WorkbenchError
from workbench.formats.bytes.csv_text import tab_separated
from workbench.formats.bytes.files import atomic_write
from workbench.views.export.picture_file import memory_file, png_of, sayable_xml
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Paint = Callable[[QPainter, QRectF], None]

DENSITY = 2  # pixels of a PNG for one of the screen


def save_picture(path: Path, size: QSize, paint: Paint, title: str) -> None:
    """Write what `paint` paints as SVG or PNG, whichever the name says, completely or not at all."""
    make = {".svg": _svg, ".png": _png}.get(path.suffix.lower())
    if make is None:
        raise WorkbenchError(f"Cannot write '{path}': a picture is a .png or an .svg. Choose such a name.")
    atomic_write(path, make(size, paint, title))


def _png(size: QSize, paint: Paint, _title: str) -> bytes:
    image = QImage(size * DENSITY, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(DENSITY)
    image.fill(theme().color("data"))
    painter = QPainter(image)
    paint(painter, QRectF(0, 0, size.width(), size.height()))
    painter.end()
    return png_of(image)


def _svg(size: QSize, paint: Paint, title: str) -> bytes:
    written, buffer = memory_file()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(size)
    generator.setViewBox(QRect(0, 0, size.width(), size.height()))
    generator.setTitle(title)
    generator.setResolution(96)
    painter = QPainter(generator)
    area = QRectF(0, 0, size.width(), size.height())
    painter.fillRect(area, theme().color("data"))
    paint(painter, area)
    painter.end()
    return sayable_xml(bytes(written.data()))


def records_text(rows: list[dict[str, object]], *, neutralise: bool = False) -> str:
    """Return records as a spreadsheet takes them from the clipboard, with `neutralise` without formulas."""
    heads = [list(rows[0])] if rows else []
    cells = ([_cell(value) for value in row.values()] for row in rows)
    return tab_separated([*heads, *cells], neutralise=neutralise) + "\n"


def _cell(value: object) -> str:
    return "" if value is None or (isinstance(value, float) and math.isnan(value)) else str(value)
