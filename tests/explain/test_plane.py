"""ModelCells and cuts of a model over one or two columns, against predictions at random places."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.data.table import Column, Table
from workbench.ensembles.base import make_trainer
from workbench.ensembles.prediction import leaf_indices, raw_predictions
from workbench.explain.plane.cells import cells_of
from workbench.explain.plane.cuts import cuts_of
from workbench.explain.plane.picture_asked import PictureAsked
from workbench.explain.plane.round_picture import PictureOf, round_picture
from workbench.objectives.base import OBJECTIVES
from workbench.parameters.training import TrainingParams
from workbench.session.growing import rows_of_plan
from workbench.session.plan import Plan
from workbench.session.playground.patterns import PATTERNS

LIMITS = ((-1.5, 2.5), (-1.0, 1.5))


def trained(table, plan, **values):
    data = rows_of_plan(table, plan)
    params = TrainingParams(objective=plan.objective, **values)
    started, *rounds, _ = make_trainer(data, params).rounds()
    return data, started.ensemble.with_rounds(rounds), params


@pytest.fixture(scope="module")
def moons():
    drawing = PATTERNS.get("moons").draw(120, 0.2, 0)
    return trained(drawing.table(), drawing.plan("logistic"), rounds=6, max_depth=3)


@pytest.fixture(scope="module")
def wide():
    random = np.random.default_rng(0)
    x = random.normal(size=(90, 3)).astype(np.float32)
    y = (x[:, 0] * x[:, 1] + x[:, 2]).astype(np.float32)
    columns = [Column(name, "number", values) for name, values in zip("abcy", (*x.T, y), strict=True)]
    roles = {"a": "feature", "b": "feature", "c": "feature", "y": "target"}
    return trained(Table("wide", tuple(columns)), Plan(roles, "squared", False, 0.0), rounds=5, max_depth=3)


def at(cells, x, y=0.5):
    """The value of the cell in which a place lies."""
    column = np.searchsorted(cells.x, x, "right") - 1
    return cells.values[:, np.searchsorted(cells.y, y, "right") - 1, column]


def test_every_place_of_a_cell_has_its_prediction(moons):
    _, ensemble, _ = moons
    transform = OBJECTIVES.get("logistic").transform
    cells = cells_of(ensemble, transform, (0, 1), LIMITS, np.zeros((1, 2), np.float32))
    random = np.random.default_rng(1)
    places = np.stack([random.uniform(*span, 400) for span in LIMITS], axis=1).astype(np.float32)
    wanted = transform(raw_predictions(ensemble, np.asfortranarray(places), serial=True))
    np.testing.assert_allclose(at(cells, places[:, 0], places[:, 1])[0], wanted, rtol=1e-6)


def test_other_columns_are_averaged_or_stand_as_in_a_row(wide):
    data, ensemble, _ = wide
    for others in (data.features[[7]], data.features[:20]):
        cells = cells_of(ensemble, lambda raw: raw, (0,), ((-2.0, 2.0),), others)
        for x in (-1.2, 0.1, 1.7):
            rows = np.asfortranarray(others.copy())
            rows[:, 0] = x
            wanted = raw_predictions(ensemble, rows, serial=True).mean()
            assert at(cells, x)[0] == pytest.approx(wanted, rel=1e-6)


def test_two_places_are_in_one_leaf_where_no_cut_lies_between(moons):
    _, ensemble, _ = moons
    tree = ensemble.trees[2]
    cuts = cuts_of(tree, 0, 1, (*LIMITS[0], *LIMITS[1]), None)
    assert cuts
    assert cuts[0].depth == 0
    random = np.random.default_rng(2)
    for y in random.uniform(*LIMITS[1], 40):
        crossed = sorted(cut.at for cut in cuts if cut.upright and cut.begin <= y < cut.end)
        x = random.uniform(*LIMITS[0], 60).astype(np.float32)
        places = np.asfortranarray(np.stack([x, np.full(60, y)], axis=1), np.float32)
        leaves = leaf_indices((tree,), places)[:, 0]
        between = np.searchsorted(crossed, x, "right")
        for one, other in zip(range(59), range(1, 60), strict=True):
            assert (leaves[one] == leaves[other]) == (between[one] == between[other])


def test_a_split_on_another_column_goes_the_way_of_the_row(wide):
    data, ensemble, _ = wide
    tree = next(t for t in ensemble.trees if 2 in t.nodes["feature"] and 0 in t.nodes["feature"])
    box = (-5.0, 5.0, -5.0, 5.0)
    every = {cut.node for cut in cuts_of(tree, 0, 1, box, None)}
    for row in data.features[:10]:
        assert {cut.node for cut in cuts_of(tree, 0, 1, box, row)} <= every


def test_the_picture_of_a_round_stands_between_two_models(moons):
    data, ensemble, params = moons
    picture = round_picture(PictureOf(data, ensemble, params), PictureAsked(4, 0, (0, 1), LIMITS))
    before, after = (
        raw_predictions(ensemble.first_rounds(rounds), data.features, serial=True) for rounds in (3, 4)
    )
    share = 1 / (1 + np.exp(-before.astype(np.float64)))
    np.testing.assert_allclose(picture.points.before[0], share, rtol=1e-5)
    np.testing.assert_allclose(picture.points.gradients[0], share - data.target, atol=1e-6)
    assert picture.wrong == int(((after >= 0) != data.target).sum())
    assert picture.tree is ensemble.trees[3]


def test_over_one_variable_the_step_leads_from_fit_to_fit():
    drawing = PATTERNS.get("waves").draw(80, 0.1, 0)
    data, ensemble, params = trained(drawing.table(), drawing.plan("squared"), rounds=5, max_depth=2)
    picture = round_picture(PictureOf(data, ensemble, params), PictureAsked(5, 0, (0,), ((-2.0, 2.0),)))
    for x in np.linspace(-1.9, 1.9, 50):
        step = at(picture.step, x)[0]
        assert at(picture.cells, x)[0] == pytest.approx(at(picture.before, x)[0] + step, abs=1e-5)
    first = round_picture(PictureOf(data, ensemble, params), PictureAsked(0, 0, (0,), ((-2.0, 2.0),)))
    assert first.tree is None
    assert first.cells.values.shape == (1, 1, 1)
