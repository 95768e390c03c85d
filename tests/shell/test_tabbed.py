from __future__ import annotations

from PySide6.QtCore import Signal

from workbench.shell.tabbed import Tabbed
from workbench.views.base import View


class Counting(View):
    name, title = "rows", "Rows"
    title_changed = Signal(str)


class Quiet(View):
    name, title = "log", "Log"


def test_a_view_names_its_tab_and_other_tabs_stay_where_they_are(qtbot):
    counting = Counting()
    tabs = Tabbed([counting, Quiet()], "data")
    qtbot.addWidget(tabs)
    counting.title_changed.emit("Rows 1,030")
    left = tabs.bar.tabRect(1).left()
    assert tabs.bar.tabText(0) == "Rows 1,030"

    counting.title_changed.emit("Rows 7")
    assert tabs.bar.tabText(0) == "Rows 7"
    assert tabs.bar.tabRect(1).left() == left
