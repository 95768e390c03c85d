"""Names in little room: names of columns often begin alike, so that the end tells which it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from workbench.isolation import isolated

if TYPE_CHECKING:
    from PySide6.QtGui import QFontMetrics, QFontMetricsF

    from workbench.views.look.text_width import Ruler

LEAST_ROOM = 40  # pixels from which beginning and end are both worth showing


def elided_name(name: str, metrics: QFontMetrics | QFontMetricsF | Ruler, room: float) -> str:
    """Return the name in `room` pixels: without its middle, or without its end where there is little room."""
    right, middle = Qt.TextElideMode.ElideRight, Qt.TextElideMode.ElideMiddle
    return isolated(metrics.elidedText(name, middle if room >= LEAST_ROOM else right, int(room)))
