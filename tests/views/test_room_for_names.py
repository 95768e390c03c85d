"""Names have the room that is beside them before they lose letters."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QFontMetricsF, QPainter, QPixmap

from workbench.explain.node_figures import Test
from workbench.views.curves.ink import write
from workbench.views.data.columns import LEAST_SPARK, ColumnPlaces
from workbench.views.inspector.figure_table import _pair
from workbench.views.inspector.why.scan_column import ScanColumn
from workbench.views.look.fonts import BODY, ui_font
from workbench.views.look.text_width import ruler
from workbench.views.tree.paint.fitted_question import fitted


def test_a_short_answer_leaves_the_name_the_rest(qtbot):
    metrics = QFontMetricsF(ui_font(BODY, bold=True))
    room = metrics.horizontalAdvance("exercise_angina = no") - 1
    shown = fitted(Test("exercise_angina", "=", "no"), metrics, room)
    assert shown.endswith(" = no")
    assert metrics.horizontalAdvance(shown) > 0.85 * room


def test_names_that_begin_alike_keep_their_ends(qtbot, monkeypatch):
    shown = []
    drawn = "workbench.views.curves.ink._draw"
    monkeypatch.setattr(drawn, lambda _painter, line, *_places: shown.append(line.text))
    picture = QPixmap(200, 40)
    with QPainter(picture) as painter:
        for name in ("measurement_number_0", "measurement_number_2307"):
            write(painter, name, 0, 20, pixels=BODY, most=100, is_name=True)
        write(painter, "mean over all rows of the hold-out", 0, 20, pixels=BODY, most=100)
    assert all(text.startswith("mea") and "…" in text for text in shown)
    assert [text[-1] for text in shown] == ["0", "7", "…"]


def test_of_a_pair_each_name_is_shortened_on_its_own(qtbot):
    metrics = ruler(BODY)
    room = metrics.horizontalAdvance("bill_length_mm × bill_")
    first, second = _pair("bill_length_mm × flipper_length_mm", metrics, room).split(" × ")
    assert "…" in first
    assert "…" in second
    assert (first[:3], first[-2:], second[:3], second[-2:]) == ("bil", "mm", "fli", "mm")
    assert metrics.horizontalAdvance(f"{first} × {second}") <= room + 1
    assert _pair("island × flipper_length_mm", metrics, room).startswith("island × fli")


def test_a_long_name_takes_from_the_distribution_beside_it():
    cells = ColumnPlaces(QRect(0, 0, 256, 28))
    name, right, spark = cells.name.width(), cells.spark.right(), cells.spark.width()
    cells.make_room(name + 10)
    assert (cells.name.width(), cells.spark.width()) == (name + 10, spark - 10)
    cells.make_room(500)
    assert (cells.spark.width(), cells.spark.right()) == (LEAST_SPARK, right)


def test_the_choice_below_a_scan_is_whole_and_fills_its_line(qtbot):
    column = ScanColumn()
    qtbot.addWidget(column)
    for width in (240, 420, 160):
        column.resize(width, 260)
        column.show()
        qtbot.waitUntil(lambda width=width: column.width() == width)
        needed = column.over.fontMetrics().horizontalAdvance("Compare") + 33
        assert column.over.width() >= needed
        assert column.over.geometry().right() == column.rect().right()
        assert all(b.width() >= b.minimumSizeHint().width() for b in column.buttons.values())
