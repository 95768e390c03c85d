"""A date as target is told as a date, on axes and at leaves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import workbench
from workbench.data.dataset import build_dataset
from workbench.data.table import Column, Table
from workbench.explain.node_text import weight_text
from workbench.explain.row_growth import row_growth
from workbench.session.opening.imported import run_of
from workbench.views.curves.vertical_scales import Days
from workbench.views.data.breakdown import break_down
from workbench.views.data.groups import GroupPlot
from workbench.views.inspector.path.growth_plot import cells as growth_cells
from workbench.views.inspector.path.words import sum_facts, truth
from workbench.views.tree.colouring import PLAIN
from workbench.views.tree.paint.nodes import fitted_weight
from workbench.views.tree.scene import TreeScene
from workbench.views.tree.text import tree_text

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


@pytest.fixture(scope="module")
def dated():
    """A model of a date, whose first tree takes half of the way from the mean, two weeks to either side."""
    late = np.arange(60) % 2
    moments = np.datetime64("2020-01-01") + (late * 28).astype("timedelta64[D]")
    return workbench.fit(
        late[:, None].astype(float), moments, rounds=2, learning_rate=0.5, reg_lambda=0.0, objective="squared"
    )


@pytest.mark.parametrize("name", ["m.json", "m.ubj"])
def test_a_model_file_tells_that_its_target_is_a_date(dated, name, tmp_path):
    xgboost = pytest.importorskip("xgboost")
    dated.save(tmp_path / name)
    again = workbench.load_model(tmp_path / name)
    assert again.schema.target_is_date
    assert run_of(again).unit == "days"
    assert xgboost.Booster(model_file=tmp_path / name).num_boosted_rounds() == 2
    replace(dated, schema=replace(dated.schema, target_is_date=False)).save(tmp_path / name)
    assert run_of(workbench.load_model(tmp_path / name)).unit == ""


def test_leaves_are_days(dated):
    run = run_of(dated)
    tree = run.trees(1)[0]
    said = tree_text(tree, run.schema, "tree 1", run.unit)
    assert "leaf, w* −14.0 days" in said
    assert "leaf, w* +14.0 days" in said
    scene = TreeScene.of(tree, run.schema, PLAIN, unit=run.unit)
    leaf = int(np.flatnonzero(tree.is_leaf)[0])
    assert "weight −14.0 days" in scene.facts.sentence(leaf)
    assert scene.look(leaf).unit == "days"


def test_a_label_says_days_where_it_has_room(qapp):
    assert [fitted_weight(12.345, 14, room, "days") for room in (300, 1)] == ["+12.3 days", ""]
    assert fitted_weight(12.345, 14, 48, "days") in ("+12.345", "+12.35", "+12.3")
    assert fitted_weight(12.345, 14, 300) == "+12.345"
    assert weight_text(0.0215, unit="days") == "+0.021 days"


def test_the_sums_of_a_row_are_dates_and_its_leaves_days(dated):
    growth = row_growth(dated.ensemble, np.ones(1, np.float32))
    facts = dict(sum_facts(growth, dated.schema, 0, 2))
    assert facts["Base"] == "2020-01-15, day 18,276.0000"
    assert facts["Tree 1"] == "+7.0000 days"
    assert facts["Tree 2, this leaf"] == "+3.5000 days"
    assert facts["Raw prediction ŷ"] == "2020-01-25, day 18,286.5000"
    cells = growth_cells(growth, dated.schema, 0, (), 2, "Now")
    assert {cell.figure for cell in cells} >= {"+7.0000 days", "+3.5000 days", "2020-01-25"}


def test_a_logarithm_of_days_is_no_number_of_days():
    late = np.arange(60) % 2
    moments = np.datetime64("2020-01-01") + (late * 28).astype("timedelta64[D]")
    model = workbench.fit(late[:, None].astype(float), moments, rounds=1, objective="poisson")
    assert model.schema.target_is_date
    assert run_of(model).unit == ""
