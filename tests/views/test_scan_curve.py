"""A scan as it is drawn, against the scan itself."""

from __future__ import annotations

import numpy as np
import pytest

from tests.explain.test_replay import replayed
from tests.reference.tables import dataset, random_dataset
from workbench.explain.node_rows import node_rows
from workbench.explain.spread import column_spread
from workbench.views.inspector.scan_curve import MISSING_ALONE, MOST_POINTS, scan_curve


def drawn(replay, node, column):
    rows = node_rows(replay, len(replay.rounds), 0, node)
    scan, spread, tree = rows.scan(column), column_spread(rows, column), rows.grown.tree
    made = scan.cut_of(tree, node) if tree.nodes["feature"][node] == column else None
    feature = replay.dataset.schema.features[column]
    return scan, scan_curve(scan, spread, feature, rows.params, made), tree


def test_of_very_many_cuts_the_ends_and_the_winner_are_kept():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(9000, 1))
    table = dataset(x, (x[:, 0] > 0.3) + rng.normal(size=9000) / 3)
    scan, curve, tree = drawn(replayed(table, rounds=1, threads=1, tree_method="exact", max_depth=1), 0, 0)
    assert curve.n_cuts == scan.is_possible.any(axis=0).sum() > MOST_POINTS
    assert len(curve) <= MOST_POINTS
    assert curve.made == curve.best
    assert curve.gain[curve.made] == pytest.approx(tree.nodes["gain"][0])
    assert curve.gain.max() == np.nanmax(scan.gain)
    assert curve.gain.min() == np.nanmin(scan.gain)
    assert (np.diff(curve.x) >= 0).all()


def test_missing_values_alone_have_a_name():
    table = random_dataset("regression", n=300, d=3, missing=0.2)
    _, curve, _ = drawn(replayed(table, rounds=1, threads=1), 0, 0)
    assert curve.names[-1] == MISSING_ALONE
    assert curve.x[-1] == np.nanmax(table.features[:, 0])


def test_categories_stand_by_their_gain():
    table = random_dataset("regression", n=300, d=3, missing=0.0)
    replay = replayed(table, rounds=1, threads=1, max_cat_to_onehot=10)
    _, curve, _ = drawn(replay, 0, 1)
    assert list(curve.gain) == sorted(curve.gain, reverse=True)
    assert sorted(curve.names) == [f"c{k}" for k in range(5)]
    assert not curve.is_ordered
