"""What changes within a view leaves alone what stands around it."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget

from workbench.shell.seat import Seat


class Around(QWidget):
    laid_out = 0

    def event(self, event):
        self.laid_out += event.type() == QEvent.Type.LayoutRequest
        return super().event(event)


def settle():
    """Each widget tells the one it stands in in an event of its own."""
    for _ in range(6):
        QApplication.processEvents()


def test_around_a_view_things_are_laid_out_anew_only_for_another_least_size(qtbot):
    view, around = QWidget(), Around()
    label, second = QLabel("1"), QLabel("2")
    column = QVBoxLayout(view)
    column.addWidget(label)
    column.addWidget(second)
    label.setMinimumWidth(200)
    QVBoxLayout(around).addWidget(Seat(view))
    qtbot.addWidget(around)
    around.resize(400, 300)
    around.show()
    label.setMinimumWidth(210)
    settle()
    assert view.size() == view.parentWidget().size()

    before = around.laid_out
    label.setText("a longer text")
    settle()
    assert around.laid_out == before

    label.setMinimumWidth(600)
    settle()
    assert around.laid_out > before
    assert around.minimumSizeHint().width() >= 600
