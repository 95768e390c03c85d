"""Rows that were selected together in the table."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt

from tests.views.made_forest import show
from workbench.data.row_set import RowSet
from workbench.views.table.view import TableView


def test_rows_selected_together_are_tinted_and_can_stand_alone(qtbot, bench, session):
    view = TableView(bench)
    show(qtbot, view)
    button = view.set_filter
    assert not button.isVisible()
    session.shown.select(rows=RowSet(np.array([2, 30, 41]), "wrong rows"))
    assert button.isVisible()
    assert [view.grid.highlights.is_together(row) for row in (2, 3, 41)] == [True, False, True]
    with qtbot.waitSignal(view.status_changed, check_params_cb=lambda words: "wrong rows" in words):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    model = view.grid.table_model
    assert [model.row_at(line) for line in range(model.rowCount())] == [2, 30, 41]
    session.shown.select(rows=RowSet(np.array([5]), "wrong rows"))
    assert model.rowCount() == 1
    session.shown.select(rows=None)
    assert model.rowCount() == 60
    assert not button.isVisible()
