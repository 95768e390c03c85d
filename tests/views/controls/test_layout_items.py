from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from tests.remembered_items import misled, remembered
from workbench.data.samples import SAMPLES
from workbench.parameters.training import PARAMETERS
from workbench.views.controls.layout_items import empty_layout
from workbench.views.controls.parameter_row import NARROW, ParameterRow
from workbench.views.controls.sample_list import NARROWEST, SampleList
from workbench.views.controls.slider import Slider
from workbench.views.controls.welcome_rows import SampleRow


@pytest.fixture
def before(qapp):
    return remembered()


def turn(qapp, widget, widths):
    widget.show()
    for width in widths:
        widget.resize(width, widget.height())
        qapp.processEvents()


def test_rows_that_become_narrow_leave_no_item_behind(qtbot, qapp, before):
    panel = QWidget()
    qtbot.addWidget(panel)
    column = QVBoxLayout(panel)
    column.setContentsMargins(0, 0, 0, 0)
    for declared in PARAMETERS:
        column.addWidget(ParameterRow(declared))
    turn(qapp, panel, [NARROW - 20, NARROW + 100] * 3)
    assert not misled([panel], before, panel.findChildren(Slider))


def test_samples_in_fewer_columns_leave_no_item_behind(qtbot, qapp, before):
    samples = SampleList(SAMPLES)
    qtbot.addWidget(samples)
    turn(qapp, samples, [NARROWEST + 20, 3 * NARROWEST] * 3)
    assert not misled([samples], before, samples.findChildren(SampleRow))


def test_what_is_taken_out_of_a_layout_ends(qtbot, before):
    panel = QWidget()
    qtbot.addWidget(panel)
    outer, inner = QVBoxLayout(panel), QVBoxLayout()
    for word in "abc":
        inner.addWidget(QLabel(word))
    outer.addLayout(inner)
    empty_layout(inner)
    assert inner.count() == 0
    assert not misled([panel], before)
    assert not panel.findChildren(QLabel)
