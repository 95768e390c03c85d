"""Names from a file are shown letter by letter, wherever the window shows them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QHelpEvent, QTextDocument
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QTabBar,
    QWidget,
)

from tests.shell.test_whole_job import open_and_wait, train_to_the_end
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.figure_label import FigureLabel

if TYPE_CHECKING:
    from collections.abc import Iterator

BOLD, TAB, BROKEN = '<b>x</b><img src="none.png">', "a&b", "x\ny"
LABELS = ("<i>no</i>", "r&d", "<u>u</u>")
LONG = 30_000


def hostile_table(path: Any) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: rng.normal(size=240) for name in (BOLD, TAB, BROKEN)})
    frame["<s>kind</s>"] = rng.choice(["<h1>one</h1>", "two & three"], 240)
    steps = frame[BOLD] + frame[TAB] + frame[BROKEN] + (frame["<s>kind</s>"] == "two & three")
    frame["<p>y</p>"] = np.array(LABELS)[np.digitize(steps, (-0.5, 0.7))]
    frame.to_csv(path, index=False)


def seen(markup: str) -> str:
    page = QTextDocument()
    page.setHtml(markup)
    return page.toPlainText()


def tips_of(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, ElidedLabel):  # it knows only then what is cut off
        QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, QPoint(2, 2), QPoint(2, 2)))
    yield widget.toolTip()
    if isinstance(widget, QTabBar):
        yield from (widget.tabToolTip(place) for place in range(widget.count()))
    yield from (action.toolTip() for action in widget.findChildren(QAction) if action.text())
    shows_cells = isinstance(widget, (QAbstractItemView, QComboBox)) and not isinstance(widget, QHeaderView)
    if shows_cells and widget.model() is not None:
        yield from model_tips(widget.model())


def model_tips(model: QAbstractItemModel) -> Iterator[str]:
    tip = Qt.ItemDataRole.ToolTipRole
    columns = range(1 if isinstance(model, QAbstractListModel) else model.columnCount())
    rows = range(min(model.rowCount(), 20))
    yield from (str(model.headerData(place, Qt.Orientation.Horizontal, tip) or "") for place in columns)
    yield from (str(model.index(row, column).data(tip) or "") for row in rows for column in columns)


def pressed_words(widget: QWidget) -> Iterator[str]:
    """What Qt takes a letter of for a key."""
    if isinstance(widget, QAbstractButton):
        yield widget.text()
    if isinstance(widget, QTabBar):
        yield from (widget.tabText(place) for place in range(widget.count()))
    yield from (action.text() for action in widget.actions())


def wrong_words(window: QWidget) -> list[str]:
    wrong = []
    for widget in [window, *window.findChildren(QWidget)]:
        name = type(widget).__name__
        reads_markup = isinstance(widget, QLabel) and widget.textFormat() != Qt.TextFormat.PlainText
        if reads_markup and not widget.isWindow() and not isinstance(widget, FigureLabel):
            wrong.append(f"{name} reads markup: {widget.text()}")
        for tip in tips_of(widget):
            if GuiQt.mightBeRichText(tip) and re.search(r"<(b>x|img|i>no|u>u|s>kind|h1|p>y)", tip):
                wrong.append(f"{name} has a tip with markup: {tip}")
        wrong += [f"{name} takes a letter for a key: {words}" for words in pressed_words(widget)
                  if re.search(r"(?<!&)(&&)*&(?!&)", words)]
    return wrong


def look_everywhere(window: Any, qtbot: Any) -> None:
    session, frame = window.session, window.frame
    frame.centre.show_view("ensemble")
    frame.centre.show_view("table")
    window.grab()
    frame.centre.show_view("tree")
    session.shown.select(round=1, node=0, row=3, column=BOLD)
    for name in ("data", "parameters", "trees"):
        frame.left.show_view(name)
    why = frame.bottom.view("node").why
    qtbot.waitUntil(lambda: why.table.model().rowCount() > 2, timeout=LONG)
    frame.bottom.show_view("rows")
    path = frame.bottom.view("path")
    frame.bottom.show_view("path")
    path.path_tools.pages["leaves"].click()
    qtbot.waitUntil(path.leaves.isVisible, timeout=LONG)
    frame.left.show_view("what_if")
    splits = frame.bottom.view("what_if_splits")
    qtbot.waitUntil(lambda: splits.list.model().rowCount() > 0, timeout=LONG)


def test_names_are_shown_letter_by_letter_wherever_they_stand(window, qtbot, tmp_path):
    path = tmp_path / "t<b>able a&b [*].csv"
    hostile_table(path)
    open_and_wait(qtbot, window, path)
    assert window.session.data.plan.target == "<p>y</p>"
    assert "[*][*]" in window.windowTitle()
    assert path.name in window.frame.top_bar.title.text
    train_to_the_end(qtbot, window, 2)
    look_everywhere(window, qtbot)
    assert wrong_words(window) == []
    leaves = window.frame.bottom.view("path").leaves
    assert any(BOLD in seen(tip) for tip in tips_of(leaves)), "no tip says the name"
