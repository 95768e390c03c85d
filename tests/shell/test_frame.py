"""The frame: docks that follow the window, notices under the tabs, the keyboard's way."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QFileDialog

from workbench.data.samples import sample_file
from workbench.shell.status import StatusLine

LONG = 30_000


@pytest.fixture
def workbench(window, qtbot):
    window.open_path(sample_file("heart_disease"))
    qtbot.waitUntil(lambda: not window.frame.on_welcome, timeout=LONG)
    window.frame.centre.show_view("tree")
    return window


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("size", "left", "inspector"),
    [((1280, 800), 264, 272), ((1440, 900), 304, 308), ((1920, 1080), 320, 340)],
)
def test_docks_have_the_sizes_that_suit_the_window(workbench, qtbot, size, left, inspector):
    workbench.resize(*size)
    frame = workbench.frame
    qtbot.waitUntil(lambda: frame.left.width() == left and frame.bottom.height() == inspector)
    assert frame.transport.width() == left


def test_docks_that_were_moved_keep_their_sizes_and_tabs_are_whole(workbench, qtbot):
    frame, handle = workbench.frame, workbench.frame.upright.handle(1)
    before, middle = frame.bottom.height(), handle.rect().center()
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=middle)
    qtbot.mouseMove(handle, middle - QPoint(0, 30))
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=middle - QPoint(0, 30))
    dragged = frame.bottom.height()
    assert dragged > before
    frame.centre.show_view("training")
    frame.centre.show_view("tree")
    qtbot.waitUntil(lambda: frame.bottom.height() == dragged)
    workbench.docks.remember()
    assert workbench.settings.get("inspector_height") == dragged

    workbench.resize(1280, 800)
    qtbot.waitUntil(lambda: workbench.frame.width() == 1280)
    for view in frame.left.views:  # also those that come from the menu
        frame.left.show_view(view.name)
        bar = frame.left.bar
        seen = [bar.tabRect(place) for place in range(bar.count()) if bar.isTabVisible(place)]
        assert all(map(bar.rect().contains, seen))

    frame.body.setSizes([350, workbench.width() - 350])
    workbench.resize(1380, 800)
    qtbot.waitUntil(lambda: workbench.frame.width() == 1380)
    assert frame.left.width() == 350


def test_a_notice_leaves_the_tabs_where_they_are(workbench, qtbot):
    frame = workbench.frame
    before = frame.centre.bar.mapTo(frame, frame.centre.bar.rect().topLeft())
    workbench.session.notices.say("The target has one value only. Choose another.", "error")
    qtbot.waitUntil(frame.notice.isVisible)
    assert frame.centre.bar.mapTo(frame, frame.centre.bar.rect().topLeft()) == before
    assert frame.notice.mapTo(frame, frame.notice.rect().topLeft()).y() > before.y()


def test_the_keyboard_goes_through_the_ruler_row_from_left_to_right(workbench, qtbot):
    frame = workbench.frame
    row = [frame.transport.primary_button, frame.transport.until_button, frame.transport.step_button]
    row[0].setFocus(Qt.FocusReason.TabFocusReason)
    for button, following in pairwise(row):
        qtbot.keyClick(button, Qt.Key.Key_Tab)
        assert QApplication.focusWidget() is following
    assert frame.ruler.field.nextInFocusChain() is frame.ruler


def test_in_a_narrow_window_every_left_tab_is_seen_or_in_the_menu_beside_them(window, qtbot):
    window.frame.show_workbench(True)
    left = window.frame.left

    def all_are_there():
        seen = [index for index in range(left.bar.count()) if left.bar.isTabVisible(index)]
        aside = left.more.menu().actions() if left.more.isVisible() else []
        end = left.more.geometry().right() if aside else left.bar.tabRect(seen[-1]).right()
        return len(seen) + len(aside) == len(left.views) and len(seen) >= 3 and end <= left.width()

    for width in (1280, 1440, 1024, 2400):
        window.resize(width, 800)
        qtbot.waitUntil(all_are_there)


def test_the_status_line_ends_with_ready_kernels_also_where_rare_ones_come_last(qtbot):
    line = StatusLine()
    qtbot.addWidget(line)
    line.show_kernels(3, 9)
    assert line.kernels.text() == "Preparing fast kernels, 3 of 9; once per version"
    line.kernels_done(True)  # those that every run takes
    line.show_kernels(8, 9)
    line.show_kernels(9, 9)
    assert line.kernels.text() == "Kernels ready"


def test_every_command_that_can_be_chosen_without_a_table_ends_in_words(window, qtbot, monkeypatch):
    asked = []
    monkeypatch.setattr(QFileDialog, "exec", lambda dialog: asked.append(dialog) or 0)
    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_a, **_k: ("", ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_a, **_k: "")
    for name, action in window.actions_by_name.items():
        if action.isEnabled() and name != "quit":
            action.trigger()
    window.actions_by_name["projector"].trigger()
    assert window.frame.on_welcome
    assert window.session.data.table is None
    window.actions_by_name["train"].trigger()
    assert window.frame.strip.text == "Open a table first: drop a file on the window, or Ctrl+O."


def test_nothing_moves_when_a_notice_comes_or_goes(workbench, qtbot):
    frame = workbench.frame
    parts = (frame.transport, frame.left, frame.centre.stack, frame.pages, frame.status)

    def places():
        return [(part.mapTo(frame, part.rect().topLeft()), part.size()) for part in parts]

    before = places()
    for strip in (frame.notice, frame.waiting):
        strip.show_notice("A sentence. " * 40, "warning")
        qtbot.waitUntil(lambda: frame.rect().bottom() == frame.notice.parentWidget().geometry().bottom())
        assert strip.isVisible()
        assert places() == before
        strip.hide()
        assert places() == before


def test_the_first_window_leaves_room_for_the_frame_of_the_system(window):
    room = window.screen().availableGeometry()
    least = window.minimumSize()
    assert window.width() <= max(room.width() - 16, least.width())
    assert window.height() <= max(room.height() - 48, least.height())
