"""Type: the bundled families, and sizes in pixels."""

from __future__ import annotations

from functools import cache

from PySide6.QtGui import QFont, QFontDatabase

from workbench.resources import resource_path
from workbench.views.look.scale import px

UI_FAMILIES = ["Inter", "Segoe UI Variable Text", "Segoe UI", ".AppleSystemUIFont", "Noto Sans", "Cantarell",
               "Ubuntu", "Liberation Sans", "DejaVu Sans"]
MATHS_FAMILIES = ["STIX Two Text", "Cambria", "P052", "Palatino", "Nimbus Roman", "Liberation Serif",
                  "DejaVu Serif"]
AXIS, NOTE, BODY, HERO, FORMULA, FIGURE, TITLE = 11, 12, 13, 15, 17, 20, 24


def load_fonts() -> None:
    """Make the bundled fonts known to Qt."""
    for path in sorted(resource_path("fonts").glob("*.[to]tf")):
        QFontDatabase.addApplicationFont(str(path))


def ui_font(pixels: int = BODY, *, bold: bool = False) -> QFont:
    """Return the interface font in the present scale; always the same, so copy it to change it."""
    return plain_font(px(pixels), bold=bold)


def maths_font(pixels: int = FORMULA) -> QFont:
    """Return the italic font of mathematical letters in the present scale, always the same."""
    return plain_maths_font(px(pixels))


@cache
def plain_font(pixels: int = BODY, *, bold: bool = False) -> QFont:
    """Return the interface font, with figures of equal width, in just so many pixels."""
    font = QFont(UI_FAMILIES)
    font.setPixelSize(pixels)
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    font.setFeature(QFont.Tag("tnum"), 1)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)  # letters keep their own distances
    return font


@cache
def plain_maths_font(pixels: int = FORMULA) -> QFont:
    """Return the italic font of mathematical letters in just so many pixels."""
    font = QFont(MATHS_FAMILIES)
    font.setPixelSize(pixels)
    font.setItalic(True)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font
