"""What a drag selects, the leaves that rows share, and how their columns differ from the rest."""

from __future__ import annotations

import numpy as np
import pytest

from tests.explain.predictions.made_rows import numbers, three_classes, two_classes
from tests.reference.tables import random_dataset, train
from workbench.ensembles.prediction import leaf_indices
from workbench.explain.predictions.brush import (
    CellBrush,
    QueryBrush,
    ResidualBrush,
    ScoreBrush,
    TruthBrush,
    WrongBrush,
)
from workbench.explain.predictions.column_contrast import column_contrasts
from workbench.explain.predictions.column_values import ColumnValues
from workbench.explain.predictions.marks import marks
from workbench.explain.predictions.scored_rows import ScoredRows
from workbench.explain.predictions.shared_leaves import shared_leaves


def test_cells_of_the_matrix_are_the_rows_that_they_count():
    rows = three_classes()
    taken = rows.taken_for(1, 0.4)
    found = CellBrush(1, 0.4, (0, 1), (2, 2)).chosen(rows, None)
    np.testing.assert_array_equal(found, (rows.target < 2) & (taken == 2))
    np.testing.assert_array_equal(WrongBrush(1, 0.4).chosen(rows, None), taken != rows.target)
    assert CellBrush(1, 0.4, (0, 1), (2, 2)).words(rows) == "rows that are low to middle, taken for high"


def test_scores_are_above_the_first_and_up_to_the_second():
    rows = two_classes(ties=True)
    found = ScoreBrush(1, 0.3, 0.5).chosen(rows, None)
    np.testing.assert_array_equal(found, (rows.score(1) > 0.3) & (rows.score(1) <= 0.5))
    assert ScoreBrush(1, 0.3, np.inf).words(rows) == "rows with a score of yes above 0.300"


def test_residuals_lie_in_a_box_with_what_they_lie_along():
    rows = numbers()
    left, predicted = rows.residual(), rows.output()
    found = ResidualBrush(0, (1.0, 2.0), (5.0, 9.0)).chosen(rows, None)
    np.testing.assert_array_equal(
        found, (left >= 1) & (left <= 2) & (predicted >= 5) & (predicted <= 9))
    column = ColumnValues("kind", np.where(np.arange(500) % 5 == 0, np.nan, np.arange(500) % 2), ("a", "b"))
    one = ResidualBrush(0, (-np.inf, np.inf), names=("b",)).chosen(rows, column)
    np.testing.assert_array_equal(one, column.values == 1)
    none = ResidualBrush(0, (-np.inf, np.inf), names=("missing",)).chosen(rows, column)
    np.testing.assert_array_equal(none, np.isnan(column.values))
    truth = TruthBrush(0, (5.0, 9.0), (0.0, 6.0)).chosen(rows, None)
    np.testing.assert_array_equal(truth, (predicted >= 5) & (predicted <= 9) & (rows.target >= 0)
                                  & (rows.target <= 6))


def test_queries_are_all_of_their_rows():
    groups = np.array([3, 3, 5, 7, 7])
    rows = ScoredRows("ranking", np.zeros(5), np.zeros(5), np.arange(5), groups=groups)
    assert QueryBrush((3, 7)).chosen(rows, None).tolist() == [True, True, False, True, True]
    assert QueryBrush((3,)).words(rows) == "rows of 1 query"


def test_rows_that_a_leaf_holds_meet_in_it():
    data = random_dataset("regression", 400, 4, n_valid=100)
    _, rounds, _ = train(data, objective="squared", rounds=6, max_depth=3)
    leaves = leaf_indices(rounds[3].trees, data.features)[:, 0]
    counts = np.bincount(leaves)
    node = int(np.flatnonzero(counts)[np.argmin(counts[counts > 0])])
    chosen, every = np.flatnonzero(leaves == node), np.arange(400)
    found = shared_leaves(rounds, data.schema, data.features, chosen, every)
    assert (found.rows, found.met) == (len(chosen), len(chosen))
    assert found.ranked[0] == found.together[0]
    leaf = found.together[0]
    tree = rounds[leaf.round - 1].trees[0]
    held = leaf_indices([tree], data.features)[:, 0] == leaf.node
    assert leaf.rows == held[chosen].sum()
    assert leaf.share == 1.0
    assert leaf.share_of_all == pytest.approx(held.mean())
    assert leaf.share_of_all <= len(chosen) / 400
    assert len(leaf.path) == tree.nodes["depth"][leaf.node]
    told = [one.worth for one in found.ranked]
    assert told == sorted(told, reverse=True)


def test_no_rows_share_nothing():
    data = random_dataset("regression", 60, 3, n_valid=10)
    _, rounds, _ = train(data, objective="squared", rounds=2)
    none = np.empty(0, np.int64)
    assert shared_leaves(rounds, data.schema, data.features, none, np.arange(60)).together == ()
    assert column_contrasts(data.schema.features, data.features, none, np.arange(60)) == ()


def test_the_column_that_differs_comes_first():
    data = random_dataset("regression", 400, 5)
    own = np.flatnonzero(data.features[:, 3] > 0.8)
    rest = np.setdiff1d(np.arange(400), own)
    first = column_contrasts(data.schema.features, data.features, own, rest)[0]
    assert first.name == data.schema.names[3]
    assert first.distance > 0.9
    assert first.middle == np.nanmedian(data.features[own, 3])
    kind = np.flatnonzero(data.features[:, 1] == 2)
    first = column_contrasts(data.schema.features, data.features, kind, np.setdiff1d(np.arange(400), kind))[0]
    assert first.name == data.schema.names[1]
    assert first.distance == pytest.approx(1.0)
    assert first.own.max() == 1.0


def test_selected_rows_are_marked_where_they_lie():
    rows = two_classes(weighted=True)
    selected = WrongBrush(1, 0.4).chosen(rows, None)
    found = marks(rows, 1, None, selected).scores
    wanted, _ = np.histogram(rows.score(1)[selected], 40, (0, 1), weights=rows.weight[selected])
    np.testing.assert_allclose(found, wanted)
    plain = numbers(2000)
    found = marks(plain, 0, None, np.arange(2000) < 1800)
    assert len(found.predicted) == 1500
    assert set(found.actual) <= set(plain.target[:1800])
    np.testing.assert_allclose(found.residual, found.actual - found.predicted)
