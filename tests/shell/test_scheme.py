"""Light and dark: the window follows at once, and nothing is restyled over and over."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from workbench.app import application, build_window
from workbench.data.samples import sample_file
from workbench.shell.settings import Settings

LONG = 30_000


@pytest.fixture
def window(qtbot, qapp, tmp_path):
    made = build_window(application(), Settings(tmp_path))
    made.show()
    with qtbot.waitSignal(made.documents.opened, timeout=LONG):
        made.open_path(sample_file("penguins"))
    qtbot.waitUntil(lambda: not made.frame.on_welcome)
    made.frame.left.show_view("parameters")
    yield made
    made.close()
    made.deleteLater()


class Restyled(QObject):
    """Counts how often a widget is told that its style is another one."""

    def __init__(self, widget):
        super().__init__(widget)
        self.times = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched, event):
        self.times += event.type() == QEvent.Type.StyleChange
        return False


@pytest.mark.slow
def test_a_widget_is_restyled_a_few_times_however_many_it_stands_in(window):
    deepest = max(window.frame.left.findChildren(QWidget), key=depth)
    assert depth(deepest) > 8
    told = Restyled(deepest)
    window.scheme.use("dark")
    assert 1 <= told.times <= 3


def depth(widget):
    parent = widget.parentWidget()
    return 0 if parent is None else 1 + depth(parent)


def test_the_ground_follows_back_and_forth(qtbot, window):
    left, grounds = window.frame.left, {}
    for scheme in ("dark", "light"):
        window.scheme.use(scheme)
        qtbot.waitUntil(lambda: all(part.updatesEnabled() for part in left.findChildren(QWidget)))
        shown = left.grab().toImage()  # what waits to be painted is in no picture
        grounds[scheme] = shown.pixelColor(3, shown.height() - 3).lightness()
    assert grounds["dark"] < 60
    assert grounds["light"] > 220


@pytest.mark.slow
def test_tabs_keep_their_widths(window):
    window.resize(1280, 800)
    window.frame.left.grab()  # lays everything out
    before = places(window.frame.left)
    for scheme in ("dark", "light"):
        window.scheme.use(scheme)
        window.frame.left.grab()
        assert places(window.frame.left) == before


def places(dock):
    tabs = [dock.bar.tabRect(index).getRect() for index in range(dock.bar.count())]
    return tabs, dock.stack.geometry().getRect()


@pytest.mark.slow
def test_the_window_looks_as_if_built_under_its_style_sheet(qtbot, monkeypatch, tmp_path):
    windows = [build_window(application(), Settings(tmp_path / "a"))]
    monkeypatch.setattr("workbench.app.sheet_afterwards", lambda _app: nullcontext())
    windows.append(build_window(application(), Settings(tmp_path / "b")))
    for made in windows:
        qtbot.addWidget(made)
        made.resize(1440, 900)
        made.show()
    qtbot.waitUntil(lambda: look_alike(made.frame.welcome for made in windows))
    for made in windows:
        made.frame.show_workbench(True)
        made.frame.left.show_view("parameters")
    for part in ("top_bar", "left", "centre", "transport"):
        qtbot.waitUntil(lambda part=part: look_alike(getattr(made.frame, part) for made in windows))


def look_alike(widgets):
    first, second = (widget.grab().toImage() for widget in widgets)
    return first == second
