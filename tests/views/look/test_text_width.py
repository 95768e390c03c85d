"""What is kept of a measurement is what is measured."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF

from workbench.views.look.fonts import AXIS, NOTE, ui_font
from workbench.views.look.text_width import ruler

WORDS = ("", "age < 54.5", "Łódź and São Paulo", "a_long_name_of_a_column_that_has_no_room < −1.5")


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(("pixels", "bold"), [(NOTE, True), (AXIS, False)])
def test_a_ruler_measures_and_shortens_as_the_font_does_also_the_second_time(pixels, bold):
    metrics, kept = QFontMetricsF(ui_font(pixels, bold=bold)), ruler(pixels, bold=bold)
    for words in WORDS * 2:
        assert kept.horizontalAdvance(words) == metrics.horizontalAdvance(words)
        for room in (0.0, 20.0, 63.5, 1000.0):
            mode = Qt.TextElideMode.ElideRight
            assert kept.elidedText(words, mode, room) == metrics.elidedText(words, mode, room)
