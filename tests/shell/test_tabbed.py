from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRect, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from workbench.shell.tabbed import Tabbed
from workbench.views.base import View


class Counting(View):
    name, title = "rows", "Rows"
    title_changed = Signal(str)


class Quiet(View):
    name, title = "log", "Log"


def test_a_view_names_its_tab_and_other_tabs_stay_where_they_are(qtbot):
    counting = Counting(None)
    tabs = Tabbed([counting, Quiet(None)], "data")
    qtbot.addWidget(tabs)
    counting.title_changed.emit("Rows 1,030")
    left = tabs.bar.tabRect(1).left()
    assert tabs.bar.tabText(0) == "Rows 1,030"

    counting.title_changed.emit("Rows 7")
    assert tabs.bar.tabText(0) == "Rows 7"
    assert tabs.bar.tabRect(1).left() == left


class Handy(View):
    name, title = "handy", "Handy"

    def tools(self):
        self.button = QPushButton("A tool that takes some room")
        self.button.setFixedWidth(300)
        return (self.button,)


def test_tools_never_cover_the_tabs(qtbot):
    handy, holder = Handy(None), QWidget()
    qtbot.addWidget(holder)
    tabs = Tabbed([handy, Quiet(None)], "data", holder)
    holder.show()

    def is_placed(width):
        place = QRect(handy.button.mapTo(tabs, handy.button.rect().topLeft()), handy.button.size())
        is_apart = not place.intersects(tabs.bar.geometry()) and tabs.rect().contains(place)
        return is_apart and (tabs.stack.y() > 70) == (width < 500)

    for width in (700, 360, 700, 360):
        tabs.resize(width, 300)
        qtbot.waitUntil(partial(is_placed, width))
    tabs.show_view("log")
    qtbot.waitUntil(lambda: tabs.stack.y() < 70)


class Named(View):
    def __init__(self, name):
        super().__init__(None)
        self.name = self.title = name


def test_tabs_without_room_are_in_a_menu_and_come_when_they_are_chosen(qtbot):
    tabs = Tabbed([Named(name) for name in ("Data", "Parameters", "Trees", "Runs", "History")], "panel")
    qtbot.addWidget(tabs)
    tabs.show()
    tabs.setMinimumWidth(1)

    def seen():
        return [tabs.views[i].name for i in range(tabs.bar.count()) if tabs.bar.isTabVisible(i)]

    tabs.resize(220, 300)
    qtbot.waitUntil(tabs.more.isVisible)
    aside = [action.text() for action in tabs.more.menu().actions()]
    assert seen() + aside == ["Data", "Parameters", "Trees", "Runs", "History"]
    assert tabs.more.geometry().right() <= tabs.width()
    assert tabs.stack.y() < 70  # no empty row of tools

    tabs.more.menu().actions()[-1].trigger()
    assert tabs.current == "History"
    assert seen()[-1] == "History"
    tabs.resize(700, 300)
    qtbot.waitUntil(lambda: not tabs.more.isVisible())
    assert len(seen()) == 5
