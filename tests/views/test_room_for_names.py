"""Names have the room that is beside them before they lose letters."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QFontMetricsF

from workbench.explain.node_figures import Test
from workbench.views.data.columns import LEAST_SPARK, Cells
from workbench.views.look.fonts import BODY, ui_font
from workbench.views.tree.paint.fitted_question import fitted


def test_a_short_answer_leaves_the_name_the_rest(qtbot):
    metrics = QFontMetricsF(ui_font(BODY, bold=True))
    room = metrics.horizontalAdvance("exercise_angina = no") - 1
    shown = fitted(Test("exercise_angina", "=", "no"), metrics, room)
    assert shown.endswith(" = no")
    assert metrics.horizontalAdvance(shown) > 0.85 * room


def test_a_long_name_takes_from_the_distribution_beside_it():
    cells = Cells(QRect(0, 0, 256, 28))
    name, right, spark = cells.name.width(), cells.spark.right(), cells.spark.width()
    cells.make_room(name + 10)
    assert (cells.name.width(), cells.spark.width()) == (name + 10, spark - 10)
    cells.make_room(500)
    assert (cells.spark.width(), cells.spark.right()) == (LEAST_SPARK, right)
