"""The columns that can be an axis are listed as the schema has them, and a chosen one is found again."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox

from workbench.data.schema import DataSchema, Feature
from workbench.views.playground.axis_columns import AS_THE_TREES_ASK, AxisColumns


def test_a_box_offers_the_columns_of_numbers(qtbot):
    box, columns = QComboBox(), AxisColumns()
    qtbot.addWidget(box)
    box.setModel(columns)
    assert box.currentText() == AS_THE_TREES_ASK
    features = (Feature("age", "number"), Feature("sex", "category", ("f", "m")), Feature("pulse", "number"))
    columns.follow(DataSchema(features, "y", "regression"))
    box.setCurrentIndex(columns.line_of("pulse"))
    assert (box.count(), box.currentText(), box.currentData()) == (3, "pulse", "pulse")
    assert columns.line_of("sex") == columns.line_of("") == 0
    assert columns.index(0, 0).data(Qt.ItemDataRole.UserRole) == ""
