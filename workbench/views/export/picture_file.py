"""Pictures made in memory, so that their files are written completely or not at all."""

from __future__ import annotations

import re

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage, QImageWriter

NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udfff]")


def memory_file() -> tuple[QByteArray, QBuffer]:
    """Return bytes, and the device that writes them."""
    written = QByteArray()
    buffer = QBuffer(written)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    return written, buffer


def png_of(image: QImage) -> bytes:
    """Return an image as a PNG file."""
    written, buffer = memory_file()
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(written.data())


def sayable_xml(document: bytes) -> bytes:
    """Put a space for every sign that no XML document may hold, and names of columns may."""
    return NOT_IN_XML.sub(" ", document.decode("utf-8", "replace")).encode()
