"""The first screen: every way in says what was asked for."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea

from workbench.data.samples import SAMPLES
from workbench.session.opening.recent import RecentFile
from workbench.views.controls.welcome_rows import RecentRow, SampleRow, when
from workbench.views.welcome import NO_RECENT, Welcome


@pytest.fixture
def welcome(qtbot):
    screen = Welcome()
    qtbot.addWidget(screen)
    screen.resize(1280, 738)
    with qtbot.waitActive(screen):
        screen.show()
        screen.activateWindow()
    return screen


def button(screen: Welcome, name: str) -> QPushButton:
    return next(b for b in screen.findChildren(QPushButton) if name in (b.accessibleName(), b.text()))


def texts(screen: Welcome) -> list[str]:
    return [label.text() for label in screen.findChildren(QLabel) if label.isVisible()]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_every_sample_is_one_click_away(qtbot, welcome, sample):
    rows = {row.sample.name: row for row in welcome.findChildren(SampleRow)}
    pressed = button(welcome, sample.title) if sample.simulated else rows[sample.name]
    with qtbot.waitSignal(welcome.sample_chosen) as said:
        qtbot.mouseClick(pressed, Qt.MouseButton.LeftButton)
    assert said.args == [sample.name]


def test_a_sample_is_opened_by_keyboard_and_tells_what_it_is(qtbot, welcome):
    row = next(row for row in welcome.findChildren(SampleRow) if row.sample.name == "heart_disease")
    assert "303 × 14, binary: disease" in row.accessibleName()
    row.setFocus(Qt.FocusReason.TabFocusReason)
    with qtbot.waitSignal(welcome.sample_chosen):
        qtbot.keyClick(row, Qt.Key.Key_Space)


def test_the_buttons_say_what_was_asked_for(qtbot, welcome):
    with qtbot.waitSignal(welcome.open_requested):
        button(welcome, "Open a file").click()
    with qtbot.waitSignal(welcome.tour_requested):
        button(welcome, "Watch a sample being trained").click()


def test_recent_files_come_and_go(qtbot, welcome):
    assert NO_RECENT in texts(welcome)
    yesterday = datetime.now().astimezone() - timedelta(days=1)
    welcome.set_recent([RecentFile("/data/churn.csv", 48_210, 34, "churned", yesterday)])
    assert NO_RECENT not in texts(welcome)
    (row,) = welcome.findChildren(RecentRow)
    assert row.accessibleName() == "churn.csv: 48,210 × 34, target churned, yesterday"
    with qtbot.waitSignal(welcome.file_chosen) as said:
        qtbot.mouseClick(row, Qt.MouseButton.LeftButton)
    assert said.args == ["/data/churn.csv"]
    welcome.set_recent([])
    qtbot.waitUntil(lambda: NO_RECENT in texts(welcome))


def test_a_held_file_frames_the_window_in_the_accent(welcome):
    before = welcome.grab().toImage()
    welcome.set_drop_active(True)
    during = welcome.grab().toImage()
    assert during.pixelColor(1, 300) != before.pixelColor(1, 300)
    welcome.set_drop_active(False)
    assert welcome.grab().toImage() == before


@pytest.mark.parametrize(("width", "height", "columns"), [(1920, 1018, 2), (1280, 738, 2), (1024, 618, 1)])
def test_samples_take_the_columns_that_fit(qtbot, welcome, width, height, columns):
    welcome.resize(width, height)
    rows = welcome.findChildren(SampleRow)
    qtbot.waitUntil(lambda: len({row.x() for row in rows}) == columns)
    assert welcome.findChild(QScrollArea).widget().width() <= width


@pytest.mark.parametrize("height", [618, 638, 700])
def test_no_sample_is_cut_in_half_where_the_list_scrolls(qtbot, welcome, height):
    welcome.resize(1024, height)
    rows, seen = welcome.findChildren(SampleRow), welcome.findChild(QScrollArea).viewport()

    def ends():
        return [row.mapTo(seen, row.rect().bottomLeft()).y() for row in rows]

    qtbot.waitUntil(lambda: len({row.x() for row in rows}) == 1)
    qtbot.waitUntil(lambda: any(seen.height() - 12 < end <= seen.height() for end in ends()))


@pytest.mark.parametrize(("day", "words"), [
    (date(2026, 11, 20), "today"), (date(2026, 11, 19), "yesterday"), (date(2026, 11, 17), "Tuesday"),
    (date(2026, 11, 12), "12 Nov"), (date(2025, 11, 12), "12 Nov 2025"), (date(2026, 11, 21), "21 Nov"),
])
def test_days_are_said_as_people_do(day, words):
    assert when(day, date(2026, 11, 20)) == words
