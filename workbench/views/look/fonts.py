"""Type: the bundled families, and sizes in pixels."""

from __future__ import annotations

from functools import cache

from PySide6.QtGui import QFont, QFontDatabase

from workbench.resources import resource_path

UI_FAMILIES = ["Inter", "Segoe UI Variable Text", "Segoe UI", ".AppleSystemUIFont", "Noto Sans", "Cantarell",
               "Ubuntu", "Liberation Sans", "DejaVu Sans"]
MATHS_FAMILIES = ["STIX Two Text", "Cambria", "P052", "Palatino", "Nimbus Roman", "Liberation Serif",
                  "DejaVu Serif"]
AXIS, NOTE, BODY, HERO, FORMULA, FIGURE, TITLE = 11, 12, 13, 15, 17, 20, 24


def load_fonts() -> None:
    """Make the bundled fonts known to Qt."""
    for path in sorted(resource_path("fonts").glob("*.[to]tf")):
        QFontDatabase.addApplicationFont(str(path))


@cache
def ui_font(pixels: int = BODY, *, bold: bool = False) -> QFont:
    """Return the interface font, with figures of equal width; always the same, so copy it to change it."""
    font = QFont(UI_FAMILIES)
    font.setPixelSize(pixels)
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    font.setFeature(QFont.Tag("tnum"), 1)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)  # letters keep their own distances
    return font


@cache
def maths_font(pixels: int = FORMULA) -> QFont:
    """Return the italic font of mathematical letters, always the same."""
    font = QFont(MATHS_FAMILIES)
    font.setPixelSize(pixels)
    font.setItalic(True)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font
