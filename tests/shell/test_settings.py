"""What is remembered between sittings, and what is said where it cannot be."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from workbench.app import application, build_window
from workbench.data.samples import sample_file
from workbench.session.opening import recent
from workbench.shell.settings import Settings

LONG = 30_000


@pytest.fixture
def unwritable(tmp_path):
    """A place below a file, where no folder can be made, whoever asks."""
    (tmp_path / "file").write_text("in the way")
    return tmp_path / "file" / "settings"


@pytest.fixture
def window(qtbot, qapp, unwritable):
    made = build_window(application(), Settings(unwritable))
    made.show()
    yield made
    made.close()
    made.deleteLater()


def close_strip(qtbot, strip):
    buttons = strip.findChildren(QPushButton)
    button = next(b for b in buttons if b.accessibleName() == "Close this message")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.slow
def test_settings_that_cannot_be_written_are_said_once_and_hold_for_the_sitting(window, qtbot, unwritable):
    strip = window.frame.strip
    window.actions_by_name["harmless"].trigger()
    qtbot.waitUntil(strip.isVisible)
    assert strip.text == (
        f"Choices and recent files are not remembered: {unwritable} cannot be written to. Make room there, "
        "or change its permissions."
    )
    assert window.session.harmless_formulas
    assert window.settings.get("harmless") in (True, "true")
    close_strip(qtbot, strip)
    window.scheme.use("dark")
    window.actions_by_name["harmless"].trigger()
    with qtbot.waitSignal(window.documents.opened, timeout=LONG):
        window.open_path(sample_file("penguins"))
    assert not window.frame.notice.isVisible()
    assert not window.frame.waiting.isVisible()
    assert window.settings.get("scheme") == "dark"
    assert [file.name for file in window.documents.recent.entries()] == ["penguins.csv"]


@pytest.mark.slow
def test_it_outlasts_other_notices_until_it_is_put_away(window, qtbot):
    with qtbot.waitSignal(window.documents.opened, timeout=LONG):
        window.open_path(sample_file("penguins"))
    qtbot.waitUntil(lambda: not window.frame.on_welcome and window.session.notices.lasting is not None)
    window.session.notices.say("Something else.", "info")
    strip = window.frame.strip
    assert strip.text == "Something else."
    close_strip(qtbot, strip)
    assert strip.text.startswith("Choices and recent files are not remembered")
    close_strip(qtbot, strip)
    assert not strip.isVisible()


def test_settings_that_can_be_written_are_there_at_the_next_start(tmp_path, qapp):
    settings = Settings(tmp_path / "new" / "folder")
    assert settings.save()
    settings.set(scheme="dark")
    assert settings.save()
    assert Settings(tmp_path / "new" / "folder").get("scheme") == "dark"


def test_choices_are_written_off_the_windows_thread_and_are_there_when_it_has_closed(
    qtbot, qapp, tmp_path, monkeypatch
):
    writers = []
    real = Settings.save

    def save(settings):
        writers.append(threading.current_thread())
        return real(settings)

    monkeypatch.setattr(Settings, "save", save)
    made = build_window(application(), Settings(tmp_path))
    qtbot.addWidget(made)
    made.frame.body.setSizes([333, 700])
    made.scheme.use("dark")
    made.close()
    assert writers
    assert threading.main_thread() not in writers
    again = build_window(application(), Settings(tmp_path))
    qtbot.addWidget(again)
    assert again.settings.get("scheme") == "dark"
    assert again.settings.get("body_splitter") == made.frame.body.saveState()
    again.close()


def test_the_list_of_recent_files_is_written_off_the_windows_thread(qtbot, qapp, tmp_path, monkeypatch):
    writers = []
    real = recent.RecentFiles.save

    def save(files):
        writers.append(threading.current_thread())
        return real(files)

    monkeypatch.setattr(recent.RecentFiles, "save", save)
    made = build_window(application(), Settings(tmp_path / "settings"))
    qtbot.addWidget(made)
    with qtbot.waitSignal(made.documents.opened, timeout=LONG):
        made.open_path(sample_file("penguins"))
    made.close()
    assert writers
    assert threading.main_thread() not in writers
    known = recent.RecentFiles(made.settings.recent_path).entries()
    assert [file.name for file in known] == ["penguins.csv"]  # also where the window is closed at once
