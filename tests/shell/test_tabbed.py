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
