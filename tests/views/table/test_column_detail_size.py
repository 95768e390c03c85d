"""What is beside the table stands where it stood once the projector is left."""

from __future__ import annotations

import pandas as pd
from PySide6.QtWidgets import QApplication

from tests.views.made_forest import made_bench
from workbench.data.samples import sample_file
from workbench.study.study import Study
from workbench.views.controls.heading import Heading
from workbench.views.look.projector import project
from workbench.views.table.column_detail import ColumnDetail


def test_headings_are_as_low_as_before(qtbot, jobs, qapp):
    study = Study(pd.read_csv(sample_file("penguins")), target="species")
    detail = ColumnDetail(made_bench(study.session, jobs))
    qtbot.addWidget(detail)
    detail.resize(260, 700)
    detail.show()
    study.session.shown.select(column="body_mass_g")
    qtbot.waitUntil(lambda: bool(detail.facts))
    headings = detail.findChildren(Heading)
    before = [heading.sizeHint().height() for heading in headings]
    for on in (True, False):
        project(qapp, on)
        QApplication.processEvents()
    assert [heading.sizeHint().height() for heading in headings] == before
