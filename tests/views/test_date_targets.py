"""A date as target is told as a date, on axes and at leaves."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.data.dataset import build_dataset
from workbench.data.table import Column, Table
from workbench.views.curves.vertical_scales import Days
from workbench.views.data.breakdown import break_down
from workbench.views.data.groups import GroupPlot
from workbench.views.inspector.path.words import truth

FIRST = 18_262  # 2020-01-01


@pytest.fixture
def table():
    days = np.arange(FIRST, FIRST + 400, dtype=np.float32)
    return Table("t.csv", (Column("x", "number", days % 7), Column("due", "date", days)))


def test_the_axis_of_the_target_has_dates(table, qtbot):
    plot = GroupPlot()
    qtbot.addWidget(plot)
    plot.show_breakdown(break_down(table.column("x"), table.column("due"), None))
    assert all(text[:2] == "20" and "-" in text for _, text in plot._y_ticks)
    assert "2020-07-" in plot.accessibleDescription()


def test_the_row_of_a_target_says_its_date(table):
    dataset = build_dataset(table, {"x": "feature", "due": "target"}, "regression", valid_fraction=0.0)
    assert dataset.schema.target_is_date
    assert truth(dataset, 0) == "due = 2020-01-01, training row"


@pytest.mark.parametrize(("low", "high"), [(FIRST, FIRST), (FIRST, FIRST + 3), (FIRST, FIRST + 4000)])
def test_an_axis_of_days_has_a_few_dates_within_its_ends(low, high):
    span = Days().fit(float(low), float(high), 5)
    assert 1 <= len(span.ticks) <= 6
    assert all(span.low <= tick <= span.high for tick in span.ticks)
    assert all(text.startswith(("2019", "202", "203")) for text in span.texts)
