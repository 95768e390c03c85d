"""The projector: one key makes everything larger, the same key brings back what was."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QHeaderView, QLabel, QWidget

from workbench.app import application, build_window
from workbench.data.samples import sample_file
from workbench.shell.settings import Settings
from workbench.views.controls.note import NoteLabel
from workbench.views.controls.parameter_row import ParameterRow
from workbench.views.look.fonts import AXIS, BODY, FORMULA, NOTE, maths_font, ui_font
from workbench.views.look.projector import project
from workbench.views.look.scale import PROJECTOR, px, rescaled, scale
from workbench.views.look.text_width import ruler

LONG = 30_000


@pytest.fixture
def window(qtbot, qapp, tmp_path):
    made = build_window(application(), Settings(tmp_path))
    made.resize(1280, 800)
    while (left_open := QApplication.activePopupWidget()) is not None:  # by another test: it takes all keys
        left_open.close()
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    with qtbot.waitSignal(made.documents.opened, timeout=LONG):
        made.open_path(sample_file("penguins"))
    qtbot.waitUntil(lambda: not made.frame.on_welcome)
    made.frame.left.show_view("parameters")
    yield made
    project(QApplication.instance(), False)
    made.close()
    made.deleteLater()


def widgets(window):
    """Those that the program makes and that have their fonts; Qt's own come and go."""
    own = Qt.WidgetAttribute.WA_SetFont
    return [widget for widget in window.findChildren(QWidget)
            if (isinstance(widget, QLabel | ParameterRow) or widget.testAttribute(own))
            and widget.font().pixelSize() > 0]


def fonts(parts):
    return [part.font().toString() for part in parts]


@pytest.mark.slow
def test_twice_the_key_brings_every_font_back(window, qtbot):
    app = QApplication.instance()
    parts = widgets(window)
    before, sheet, size = fonts(parts), app.styleSheet(), window.size()
    action = window.actions_by_name["projector"]
    assert action.shortcut().toString() == "F11"
    for _ in range(2):
        action.trigger()
        assert scale() == PROJECTOR
        assert action.isChecked()
        assert app.styleSheet() != sheet
        action.trigger()
        assert (scale(), app.styleSheet()) == (1.0, sheet)
    assert fonts(parts) == before
    assert app.font().pixelSize() == BODY
    assert not window.actions_by_name["projector"].isChecked()
    assert window.size() == size


def test_words_grow_and_so_do_rows(window, qtbot):
    notes = [note for note in window.findChildren(NoteLabel) if note.isVisible()]
    row = next(row for row in window.findChildren(ParameterRow) if row.isVisible())
    heights = [note.height() for note in notes]
    tall = row.height()
    left = window.frame.body.sizes()[0]
    qtbot.keyClick(window, Qt.Key.Key_F11)
    assert {note.font().pixelSize() for note in notes} == {px(NOTE)} == {17}
    assert row.height() > tall
    assert any(note.height() > height for note, height in zip(notes, heights, strict=True))
    assert window.frame.body.sizes()[0] > left
    assert window.size().toTuple() == (1280, 800)
    headers = [h for h in window.findChildren(QHeaderView) if h.orientation() == Qt.Orientation.Vertical]
    assert all(header.defaultSectionSize() > 24 for header in headers)


@pytest.mark.slow
def test_another_scheme_keeps_the_size(window, qtbot):
    notes = window.findChildren(NoteLabel)
    qtbot.keyClick(window, Qt.Key.Key_F11)
    window.scheme.use_dark()
    assert {note.font().pixelSize() for note in notes} == {17}
    window.scheme.use_light()
    qtbot.keyClick(window, Qt.Key.Key_F11)
    assert {note.font().pixelSize() for note in notes} == {NOTE}


@pytest.mark.slow
def test_what_is_painted_is_measured_in_the_same_size(window):
    plain = ruler(BODY).horizontalAdvance("structure score")
    project(QApplication.instance(), True)
    assert ruler(BODY).horizontalAdvance("structure score") == pytest.approx(plain * 18 / 13, rel=0.02)
    assert ui_font(AXIS).pixelSize() == 15
    assert maths_font(FORMULA).pixelSize() == 24


def test_there_and_back_is_the_same_length():
    lengths = range(2000)
    assert [rescaled(rescaled(pixels, PROJECTOR), 1 / PROJECTOR) for pixels in lengths] == [*lengths]
