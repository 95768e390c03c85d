from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QLabel, QLayout, QLayoutItem, QVBoxLayout, QWidget
from shiboken6 import Shiboken

from workbench.data.samples import SAMPLES
from workbench.parameters.training import PARAMETERS
from workbench.views.controls.layout_items import empty_layout
from workbench.views.controls.parameter_row import NARROW, ParameterRow
from workbench.views.controls.sample_list import NARROWEST, SampleList
from workbench.views.controls.slider import Slider
from workbench.views.controls.welcome_rows import SampleRow


def address(item) -> int:
    return Shiboken.getCppPointer(item)[0]


def remembered() -> set[int]:
    """Where the items of layouts stand, or stood, that PySide remembers."""
    items = [known for known in Shiboken.getAllValidWrappers() if isinstance(known, QLayoutItem)]
    return {address(item) for item in items if not isinstance(item, QLayout)}


def layouts_of(top) -> list[QLayout]:
    own = [part.layout() for part in [top, *top.findChildren(QWidget)] if part.layout() is not None]
    return [*own, *top.findChildren(QLayout)]


@pytest.fixture
def misled(qapp):
    """Return what PySide remembers of items that Qt has deleted; asked once, at the end.

    Another item may have come to stand at the same place: those of widgets that were put elsewhere are new.
    """
    before = remembered()

    def ask(top, moved=()):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        known = remembered() - before
        items = [layout.itemAt(place) for layout in layouts_of(top) for place in range(layout.count())]
        widgets = {address(item): item.widget() for item in items}
        return [place for place in known if place not in widgets or widgets[place] in moved]

    return ask


def turn(qapp, widget, widths):
    widget.show()
    for width in widths:
        widget.resize(width, widget.height())
        qapp.processEvents()


def test_rows_that_become_narrow_leave_no_item_behind(qtbot, qapp, misled):
    panel = QWidget()
    qtbot.addWidget(panel)
    column = QVBoxLayout(panel)
    column.setContentsMargins(0, 0, 0, 0)
    for declared in PARAMETERS:
        column.addWidget(ParameterRow(declared))
    turn(qapp, panel, [NARROW - 20, NARROW + 100] * 3)
    assert not misled(panel, panel.findChildren(Slider))


def test_samples_in_fewer_columns_leave_no_item_behind(qtbot, qapp, misled):
    samples = SampleList(SAMPLES)
    qtbot.addWidget(samples)
    turn(qapp, samples, [NARROWEST + 20, 3 * NARROWEST] * 3)
    assert not misled(samples, samples.findChildren(SampleRow))


def test_what_is_taken_out_of_a_layout_ends(qtbot, misled):
    panel = QWidget()
    qtbot.addWidget(panel)
    outer, inner = QVBoxLayout(panel), QVBoxLayout()
    for word in "abc":
        inner.addWidget(QLabel(word))
    outer.addLayout(inner)
    empty_layout(inner)
    assert inner.count() == 0
    assert not misled(panel)
    assert not panel.findChildren(QLabel)
