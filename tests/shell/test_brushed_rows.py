"""Rows that are selected in a plot of predictions are selected in the whole window."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt

from workbench.data.samples import sample_file
from workbench.session.run import RunState

LEFT, LONG = Qt.MouseButton.LeftButton, 30_000


def test_the_wrong_rows_stand_alone_in_the_table_and_their_leaf_opens(window, qtbot):
    window.open_path(sample_file("heart_disease"))
    session = window.session
    qtbot.waitUntil(lambda: session.data.table is not None, timeout=LONG)
    session.hyperparameters.change(rounds=6)
    qtbot.mouseClick(window.frame.transport.primary_button, LEFT)
    qtbot.waitUntil(
        lambda: session.shown.run is not None and session.shown.run.state is RunState.ENDED, timeout=LONG)
    window.frame.centre.show_view("predictions")
    view = window.frame.centre.view("predictions")
    qtbot.waitUntil(lambda: view.found is not None, timeout=LONG)
    qtbot.mouseClick(view.board.matrix.wrong_button, LEFT)
    qtbot.waitUntil(lambda: session.shown.selection.rows is not None, timeout=LONG)
    wrong = session.shown.selection.rows.rows
    assert len(wrong) == int(view.board.matrix.matrix.wrong)
    qtbot.waitUntil(view.panel.leaves[0].isVisible, timeout=LONG)
    leaf = view.panel.leaves[0].leaf
    qtbot.mouseClick(view.panel.table_button, LEFT)
    table = window.frame.centre.view("table")
    assert table.isVisible()
    model = table.grid.table_model
    np.testing.assert_array_equal([model.row_at(line) for line in range(model.rowCount())], wrong)
    window.frame.centre.show_view("predictions")
    qtbot.mouseClick(view.panel.leaves[0], LEFT)
    assert window.frame.centre.view("tree").isVisible()
    assert (session.shown.selection.round, session.shown.selection.node) == (leaf.round, leaf.node)
    window.frame.bottom.show_view("rows")
    rows = window.frame.bottom.view("rows")
    qtbot.waitUntil(lambda: rows.table.members.together is not None, timeout=LONG)
