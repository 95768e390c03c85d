"""The whole tree on paper: as PNG, SVG, PDF, on a printer or in the clipboard."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QMarginsF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from workbench.views.export.picture_file import NOT_IN_XML, memory_file, png_of, sayable_xml
from workbench.views.look.fonts import load_fonts
from workbench.views.look.theme import theme
from workbench.views.tree.camera import MARGIN, Camera, fitting
from workbench.views.tree.emphasis import Emphasis
from workbench.views.tree.paint.legend import LEFT, LINE, TOP, paint_legend
from workbench.views.tree.paint.picture import TreePicture

if TYPE_CHECKING:
    from PySide6.QtGui import QPagedPaintDevice

    from workbench.views.tree.scene import TreeScene

WIDEST, DENSITY = 12_000, 2  # pixels of a picture
LEGEND_LINES = 9


def picture_image(scene: TreeScene) -> QImage:
    """Return the tree as a picture, twice as dense as a screen where that is not too large."""
    size, camera = _whole(scene)
    density = DENSITY if max(size.width(), size.height()) * DENSITY <= WIDEST else 1
    image = QImage(size * density, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(density)
    image.fill(theme().color("data"))
    painter = QPainter(image)
    _paint(painter, scene, camera, size, exact=False)
    painter.end()
    return image


def png_bytes(scene: TreeScene, _title: str) -> bytes:
    """Return the tree as a PNG file."""
    return png_of(picture_image(scene))


def svg_bytes(scene: TreeScene, title: str) -> bytes:
    """Return the tree as an SVG document."""
    size, camera = _whole(scene)
    load_fonts()
    written, buffer = memory_file()
    writer = QSvgGenerator()
    writer.setOutputDevice(buffer)
    writer.setSize(size)
    writer.setViewBox(QRect(0, 0, size.width(), size.height()))
    writer.setResolution(96)
    writer.setTitle(NOT_IN_XML.sub(" ", title))
    painter = QPainter(writer)
    painter.fillRect(QRectF(0, 0, size.width(), size.height()), theme().color("data"))
    _paint(painter, scene, camera, size, exact=True)
    painter.end()
    return sayable_xml(bytes(written.data()))


def pdf_bytes(scene: TreeScene, title: str) -> bytes:
    """Return the tree as a PDF document of one page, as large as the tree."""
    size, camera = _whole(scene)
    load_fonts()
    written, buffer = memory_file()
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setResolution(72)
    page = QPageSize(size, "tree")
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF()))
    painter = QPainter(writer)
    scale = min(writer.width() / size.width(), writer.height() / size.height())
    painter.scale(scale, scale)
    _paint(painter, scene, camera, size, exact=True)
    painter.end()
    return bytes(written.data())


def print_picture(device: QPagedPaintDevice, scene: TreeScene) -> None:
    """Paint the tree on one page, as large as the page lets it."""
    size, camera = _whole(scene)
    painter = QPainter(device)
    page = painter.viewport()
    scale = min(page.width() / size.width(), page.height() / size.height())
    painter.scale(scale, scale)
    _paint(painter, scene, camera, size, exact=True)
    painter.end()


def _paint(painter: QPainter, scene: TreeScene, camera: Camera, size: QSize, *, exact: bool) -> None:
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    window = QRectF(0, 0, size.width(), size.height())
    TreePicture(exact=exact).paint(painter, scene, camera, window, Emphasis())
    paint_legend(painter, scene, camera)


def _whole(scene: TreeScene) -> tuple[QSize, Camera]:
    """Size of the picture, and the camera: at zoom 1 where that is not too large."""
    layout, arrangement = scene.layout, scene.arrangement
    legend = LEFT + TOP + LEGEND_LINES * LINE
    across = arrangement.slot * (layout.right - layout.left + 1) + 2 * MARGIN
    along = arrangement.pitch * (layout.depth + 1) + 2 * MARGIN
    fits = across <= WIDEST and along <= WIDEST
    across, along = min(max(across, 560.0), WIDEST), min(along, WIDEST)
    if arrangement.is_sideways:
        width, height = along, across
    else:
        width, height = across, along
    camera = fitting(layout, width, height, arrangement)
    if fits and not arrangement.is_cells:
        camera = replace(camera, zoom=1.0, squeeze=1.0, fitted=1.0)
        middle = (layout.left + layout.right) / 2 * camera.slot
        camera = replace(camera, y=height / 2 - middle) if arrangement.is_sideways else (
            replace(camera, x=width / 2 - middle))
    bounds = scene.places.bounds(camera)
    camera = camera.moved(0, legend - bounds.top())
    return QSize(round(width), round(bounds.height() + legend + MARGIN)), camera
