"""The small widgets: slider, parameter row, notice strip, sparkline."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QAccessible, QWheelEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLineEdit, QPushButton, QWidget

from workbench.parameters.spec import Parameter
from workbench.parameters.training import BY_NAME, PARAMETERS
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.figure_label import FigureLabel
from workbench.views.controls.note import NoteLabel
from workbench.views.controls.notice_strip import NoticeStrip
from workbench.views.controls.parameter_row import ParameterRow
from workbench.views.controls.slider import Slider
from workbench.views.controls.slider_scale import SliderScale
from workbench.views.controls.sparkline import distribution_bars
from workbench.views.look.style import style_sheet
from workbench.views.look.theme import DARK, LIGHT, set_theme, theme

SCALES = [SliderScale.of(p) for p in PARAMETERS if p.slider]


@pytest.fixture
def shown(qtbot):
    """Show a widget as wide as the left dock, with the keyboard."""
    def show(widget, width=304):
        qtbot.addWidget(widget)
        widget.resize(width, widget.sizeHint().height())
        with qtbot.waitActive(widget):
            widget.show()
            widget.activateWindow()
        return widget

    return show


def row_of(name: str) -> ParameterRow:
    return ParameterRow(BY_NAME[name])


def field(row: ParameterRow) -> QLineEdit:
    return row.findChild(QLineEdit)


def reset_button(row: ParameterRow) -> QPushButton:
    return row.findChild(QPushButton)


def type_into(qtbot, box: QLineEdit, text: str) -> None:
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, text)
    qtbot.keyClick(box, Qt.Key.Key_Return)


def turn_wheel(widget) -> None:
    event = QWheelEvent(QPointF(5, 5), QPointF(5, 5), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
                        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(widget, event)


# --- the scale ----------------------------------------------------------------------------------


@given(scale=st.sampled_from(SCALES), position=st.floats(0, 1))
def test_a_place_on_the_groove_is_a_value_in_the_range(scale, position):
    value = scale.value(position)
    assert value == 0 or scale.lower <= value <= scale.upper
    assert scale.value(scale.position(value)) == pytest.approx(value, rel=1e-6)


@given(scale=st.sampled_from(SCALES), position=st.floats(0, 1), fine=st.booleans(), coarse=st.booleans())
def test_a_step_up_goes_up_until_the_end(scale, position, fine, coarse):
    value = scale.value(position)
    up = scale.step(value, 1, fine=fine, coarse=coarse)
    assert up > value or value == scale.upper
    assert scale.step(value, -1, fine=fine, coarse=coarse) < value or value in (0, scale.lower)


def test_twenty_steps_are_a_decade():
    scale, value = SliderScale.of(BY_NAME["reg_lambda"]), 1.0
    for _ in range(20):
        value = scale.step(value, 1)
    assert value == 10
    assert scale.step(10.0, 1, coarse=True) == 100


def test_a_value_typed_beyond_the_end_is_not_pulled_back_by_a_step_up():
    assert SliderScale.of(BY_NAME["reg_lambda"]).step(500.0, 1) == 500


# --- the slider ---------------------------------------------------------------------------------


def test_keys_move_the_slider(qtbot, shown):
    slider = shown(Slider(SliderScale.of(BY_NAME["reg_lambda"])))
    slider.set_current(1.0)
    slider.setFocus()
    for key, modifier, value in [
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier, 1.1),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier, 1.0),
        (Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier, 1.02),
        (Qt.Key.Key_End, Qt.KeyboardModifier.NoModifier, 100.0),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier, 10.0),
        (Qt.Key.Key_Home, Qt.KeyboardModifier.NoModifier, 0.0),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier, 0.01),
    ]:
        with qtbot.waitSignal(slider.valueChanged) as said:
            qtbot.keyClick(slider, key, modifier)
        assert said.args == [value]


def test_a_click_at_the_far_left_is_zero_and_at_the_far_right_the_end(qtbot, shown):
    slider = shown(Slider(SliderScale.of(BY_NAME["gamma"])))
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() - 2, 14))
    assert slider.current == 100
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(2, 14))
    assert slider.current == 0


def test_the_wheel_moves_it_only_while_it_has_the_focus(shown):
    slider = shown(Slider(SliderScale.of(BY_NAME["max_depth"])))
    slider.set_current(6.0)
    slider.clearFocus()
    turn_wheel(slider)
    assert slider.current == 6
    slider.setFocus()
    turn_wheel(slider)
    assert slider.current == 7


def test_setting_the_value_says_nothing_and_it_is_heard_as_a_slider(qtbot, shown):
    slider = shown(Slider(SliderScale.of(BY_NAME["max_depth"])))
    with qtbot.assertNotEmitted(slider.valueChanged):
        slider.set_current(12.0)
    assert QAccessible.queryAccessibleInterface(slider).role() == QAccessible.Role.Slider


# --- the parameter row --------------------------------------------------------------------------


@pytest.mark.parametrize("declared", PARAMETERS, ids=lambda p: p.name)
def test_every_parameter_has_a_row_that_can_be_set_and_reset(qtbot, declared):
    row = ParameterRow(declared, ("auto", "other"))
    qtbot.addWidget(row)
    assert row.value == declared.default
    assert declared.help[:10] in row.toolTip()
    changed = 1.7 if declared.lower >= 1 and declared.kind == "real" else {
        "choice": "other", "real": 0.25, "integer": 3, "numbers": (0.1, 0.9),
        "column_numbers": (("age", 1.0),),
        "column_list": ("age",), "column_sets": (("age", "sex"),), "splits": "age < 54.5",
        "flag": not declared.default,
    }[declared.kind]
    row.set_value(changed)
    assert row.is_changed
    with qtbot.waitSignal(row.changed) as said:
        reset_button(row).click()
    assert said.args == [declared.name, declared.default]


@pytest.mark.parametrize(("name", "text", "value"), [
    ("gamma", "1e-3", 0.001), ("reg_lambda", "4", 4.0), ("early_stopping_rounds", "20", 20),
    ("rounds", "10,000", 10_000),
])
def test_typed_text_is_taken(qtbot, shown, name, text, value):
    row = shown(row_of(name))
    with qtbot.waitSignal(row.changed) as said:
        type_into(qtbot, field(row), text)
    assert said.args == [name, value]
    assert not row.note


def test_none_is_typed_or_stands_at_the_far_left(qtbot, shown):
    row = shown(row_of("early_stopping_rounds"))
    row.set_value(20)
    type_into(qtbot, field(row), "none")
    assert row.value is None
    slider = row.findChild(Slider)
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert row.value == 1
    qtbot.keyClick(slider, Qt.Key.Key_Home)
    assert row.value is None
    assert field(row).text() == "none"


def test_a_choice_reads_as_words_and_is_taken_by_its_name(qtbot, shown):
    row = shown(row_of("grow_policy"))
    combo = row.findChild(QComboBox)
    assert [combo.itemText(place) for place in range(combo.count())] == ["depth", "best gain"]
    combo.setFocus()
    with qtbot.waitSignal(row.changed) as said:
        qtbot.keyClick(combo, Qt.Key.Key_Down)
    assert said.args == ["grow_policy", "best_gain"]
    row.set_value("depth")
    assert combo.currentText() == "depth"


def test_wrong_text_stays_and_the_row_says_why(qtbot, shown):
    row = shown(row_of("reg_lambda"))
    with qtbot.assertNotEmitted(row.changed):
        type_into(qtbot, field(row), "much")
    row.set_value(1.0)  # what the session still holds
    assert field(row).text() == "much"
    assert row.note == "Must be a number 0 or more."
    slider = row.findChild(Slider)
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert field(row).text() == "1.1"
    assert not row.note


def test_escape_takes_the_typed_text_back(qtbot, shown):
    row = shown(row_of("reg_lambda"))
    box = field(row)
    type_into(qtbot, box, "much")
    qtbot.keyClicks(box, "x")
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    assert box.text() == "1"
    assert not row.note


def test_arrows_in_the_field_step_it(qtbot, shown):
    row = shown(row_of("max_depth"))
    field(row).setFocus()
    qtbot.keyClick(field(row), Qt.Key.Key_Up)
    assert row.value == 7


def test_a_locked_row_says_why_and_cannot_be_set(qtbot, shown):
    row = shown(row_of("max_bin"))
    assert not reset_button(row).isVisible()
    row.set_locked("Bins stay fixed during a run.")
    assert row.note == "Bins stay fixed during a run."
    assert not field(row).isEnabled()
    assert "fixed" in field(row).accessibleDescription()
    row.set_locked()
    assert field(row).isEnabled()
    assert not row.note


def test_a_flag_is_a_check_box(qtbot, shown):
    row = shown(ParameterRow(Parameter("stratified", "Same class shares", True, "flag", "Both parts alike.")))
    with qtbot.waitSignal(row.changed) as said:
        qtbot.keyClick(row.findChild(QCheckBox), Qt.Key.Key_Space)
    assert said.args == ["stratified", False]


# --- the others ---------------------------------------------------------------------------------


def test_a_notice_covers_what_it_lies_over(qtbot):
    holder = QWidget()
    qtbot.addWidget(holder)
    strip = NoticeStrip(holder)
    holder.setStyleSheet(style_sheet(theme()))
    holder.resize(400, 100)
    holder.show()
    strip.show_notice("A sentence")
    assert strip.grab().toImage().pixelColor(4, 4) == theme().color("tint")


def test_a_notice_offers_its_actions_and_can_be_put_away(qtbot, shown):
    strip = shown(NoticeStrip(), width=700)
    done = []
    strip.show_notice("Cannot train: column city has text.", "error", [("Ignore it", lambda: done.append(1))])
    buttons = {button.text(): button for button in strip.findChildren(QPushButton)}
    qtbot.mouseClick(buttons["Ignore it"], Qt.MouseButton.LeftButton)
    assert done == [1]
    with qtbot.waitSignal(strip.closed):
        qtbot.mouseClick(buttons[""], Qt.MouseButton.LeftButton)
    assert not strip.isVisible()


def test_a_long_notice_is_shown_in_up_to_three_lines(qtbot, shown):
    strip = shown(NoticeStrip(), width=500)
    words = "Cannot train: column 'city' has text where numbers are needed. Make it a category or ignore it."
    heights = []
    for text in ("Reading.", words, 9 * words):
        strip.show_notice(text, "error", [("Make it a category", lambda: None)])
        heights.append(strip.height())
        assert strip._sentence.geometry().bottom() < strip.height()
    assert heights[0] == 36 < heights[1] < heights[2] < 90
    strip.show_notice(words, "error")
    assert " ".join(strip._sentence.lines) == words
    strip.resize(2000, strip.height())
    assert strip.height() == 36


def test_a_notice_has_room_beside_a_button_that_comes_with_it(qtbot, shown):
    words = "Line 3 has 5 fields where 3 are expected. Correct it, or put text with separators into quotes."
    strip = NoticeStrip()
    width = strip.fontMetrics().horizontalAdvance(words) + 150
    strip = shown(strip, width=width)
    strip.show_notice(words, "error", [("Read this file differently", lambda: None)])
    qtbot.waitUntil(lambda: " ".join(strip._sentence.lines) == words and strip.height() > 36)


def test_a_label_is_elided_not_clipped(shown):
    label = shown(ElidedLabel("a name that is much longer than its room"), width=80)
    assert label.shown.endswith("…")
    assert label.fontMetrics().horizontalAdvance(label.shown) <= 80


@given(counts=st.lists(st.floats(0, 1e9), max_size=40))
def test_bars_stay_in_their_place(counts):
    rect = QRectF(10, 5, 52, 16)
    bars = distribution_bars(rect, counts)
    assert len(bars) == len(counts)
    for bar, count in zip(bars, counts, strict=True):
        assert rect.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(bar) or bar.isEmpty()
        assert (bar.height() > 0) == (count > 0)


def test_a_figure_in_a_sentence_takes_over_the_colours_of_another_theme(qtbot):
    label = FigureLabel()
    qtbot.addWidget(label)
    label.say("Hold-out gain ", "0.641", " on 33 rows.", "validation")
    assert LIGHT.tokens["validation"].lower() in label.text()
    set_theme(QApplication.instance(), "dark")
    try:
        QApplication.sendEvent(label, QEvent(QEvent.Type.PaletteChange))
        assert DARK.tokens["validation"].lower() in label.text()
    finally:
        set_theme(QApplication.instance(), None)
    assert label.words == "Hold-out gain 0.641 on 33 rows."


def test_a_note_is_as_high_as_its_words_need(qtbot):
    note = NoteLabel()
    qtbot.addWidget(note)
    note.resize(200, 40)
    heights = []
    for text in ("Short.", "Words that need several lines. " * 6, "Short.", "Words for two lines. " * 2):
        note.say(text)
        heights.append(note.height())
    assert heights[0] == heights[2] < heights[3] < heights[1]
    note.resize(600, note.height())
    assert note.height() == heights[0]


def test_a_slider_has_its_own_line_in_a_narrow_row_and_keys_go_in_reading_order(qtbot, shown):
    row = shown(row_of("reg_lambda"), width=264)
    slider, top = row.findChild(Slider), QPoint(0, 0)
    assert slider.width() > 150
    assert slider.mapTo(row, top).y() >= field(row).mapTo(row, top).y() + field(row).height()
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_Tab)
    assert field(row).hasFocus()
    row.resize(330, row.height())
    qtbot.waitUntil(lambda: slider.mapTo(row, top).y() < field(row).height())
    row.set_locked("fixed")
    assert not slider.isEnabled()
