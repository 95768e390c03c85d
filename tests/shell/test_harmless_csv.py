"""Text that begins like a formula leaves the window harmless where a person wants it so."""

from __future__ import annotations

import csv

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from tests.shell.test_whole_job import open_and_wait, train_to_the_end


def names_in(path):
    with path.open(newline="", encoding="utf-8") as stream:
        return {row[0] for row in csv.reader(stream)}


@pytest.mark.slow
def test_formulas_are_harmless_on_request_and_it_is_remembered(window, qtbot, tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"=1+2": rng.normal(size=200), "-3": rng.normal(size=200)})
    frame["k"] = ["=a", "=b"] * 100
    frame["y"] = frame["=1+2"] + rng.normal(size=200)
    frame.to_csv(tmp_path / "sheet.csv", index=False)
    open_and_wait(qtbot, window, tmp_path / "sheet.csv")
    train_to_the_end(qtbot, window, 3)
    window.frame.centre.show_view("ensemble")
    view = next(view for view in window.frame.views if view.name == "ensemble")
    qtbot.waitUntil(lambda: view.list.bars is not None and len(view.list.bars.names) == 3)
    view.save_csv(tmp_path / "plain.csv")
    action = window.actions_by_name["harmless"]
    action.trigger()
    assert action.isChecked()
    view.save_csv(tmp_path / "harmless.csv")
    assert names_in(tmp_path / "plain.csv") == {"feature", "=1+2", "-3", "k"}
    assert names_in(tmp_path / "harmless.csv") == {"feature", "'=1+2", "-3", "k"}
    assert "\n=1+2\t" not in view.values_text()
    assert "\n'=1+2\t" in view.values_text()
    QGuiApplication.clipboard().clear()
    window.frame.centre.show_view("table")
    table = window.frame.centre.view("table")
    table.grid.selectRow(0)
    qtbot.keyClick(table.grid, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() != "")
    assert "'=a" in QGuiApplication.clipboard().text()
    assert window.settings.get("harmless") in (True, "true")
    action.trigger()
    assert not window.session.harmless_formulas
