"""Nodes of a run on a table that stays there: added up by the workers, as at home."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tests.cluster.runs import SAMPLES, rounds_of
from workbench.cluster.nodes.nodes_there import NodesThere
from workbench.cluster.setup import ClusterSetup
from workbench.cluster.table_there import table_there
from workbench.cluster.trainer import ClusterRun
from workbench.data.dataset import build_dataset
from workbench.data.reading import read_table
from workbench.data.roles import named_roles
from workbench.data.row_hash import held_by_hash
from workbench.ensembles.events import TrainingStarted
from workbench.errors import Cancelled
from workbench.explain.candidates import rank_columns
from workbench.explain.holdout_gain import holdout_gains
from workbench.explain.node_members import DRAWN, HELD_OUT, node_members
from workbench.explain.node_rows import node_rows
from workbench.explain.replay import Replay
from workbench.explain.spread import column_spread
from workbench.parameters.training import TrainingParams

PARAMS = TrainingParams(rounds=4, max_depth=3, seed=3)
ROUND = 3


@pytest.fixture(scope="module")
def trained(tmp_path_factory, whole_cluster):
    """A run on a folder of three files, and the same rows with its trees at home."""
    frame = pd.read_csv(SAMPLES / "crash_survival.csv").head(3000)
    folder = tmp_path_factory.mktemp("crash")
    for number in range(3):
        frame.iloc[number * 1000 : number * 1000 + 1000].to_parquet(folder / f"{number}.parquet")
    whole = tmp_path_factory.mktemp("whole") / "crash.parquet"
    frame.to_parquet(whole)
    there = table_there(whole_cluster, str(folder), {"outcome": "target"}, None, valid_fraction=0.3, seed=3)
    events = list(ClusterRun(ClusterSetup(there, PARAMS, None), whole_cluster).rounds())
    begun = next(event.ensemble for event in events if isinstance(event, TrainingStarted))
    rounds = rounds_of(events)
    table = read_table(whole)
    data = build_dataset(table, named_roles(table, {"outcome": "target"}), None, valid_fraction=0.0)
    held = held_by_hash(data.features, data.target, 0.3, 3)
    from dataclasses import replace

    data = replace(data, train_rows=np.flatnonzero(~held), valid_rows=np.flatnonzero(held))
    return NodesThere(whole_cluster, there), begun, rounds, Replay(data, begun, PARAMS, rounds)


def both(trained, node, place=0):
    source, begun, rounds, replay = trained
    return (
        source.node(begun, PARAMS, rounds, ROUND, place, node),
        node_rows(replay, ROUND, place, node),
    )


@pytest.mark.parametrize("node", [0, 1, 2])
def test_a_node_is_added_up_as_at_home(trained, node):
    there, home = both(trained, node)
    for column in range(len(there.schema.features)):
        one, other = there.scan(column), home.scan(column)
        np.testing.assert_allclose(one.total.g, other.total.g, rtol=1e-5, atol=1e-4)
        np.testing.assert_allclose(one.total.h, other.total.h, rtol=1e-6)
        assert one.total.rows == other.total.rows == len(home.rows)
        assert one.missing.rows == other.missing.rows
        assert_same_spread(there.spread(column), column_spread(home, column))


def assert_same_spread(one, other):
    for mine, wanted in zip(one[:3], other[:3], strict=True):
        np.testing.assert_allclose(mine.edges, wanted.edges, rtol=1e-5, atol=1e-7)
        if len(mine.codes):
            assert dict(zip(mine.codes, zip(mine.yes, mine.no, strict=True), strict=True)) == dict(
                zip(wanted.codes, zip(wanted.yes, wanted.no, strict=True), strict=True)
            )
        else:
            assert (mine.yes.sum(), mine.no.sum()) == (wanted.yes.sum(), wanted.no.sum())
    assert (one.missing, one.low, one.high) == pytest.approx(
        (other.missing, other.low, other.high), nan_ok=True
    )
    assert [line.class_index for line in one.rug] == [line.class_index for line in other.rug]


def test_the_split_that_was_made_wins_there(trained):
    there, _ = both(trained, 0)
    ranking = rank_columns(there)
    chosen = ranking.ranked[0]
    record = there.tree.nodes[0]
    assert chosen.is_chosen
    assert chosen.feature == record["feature"]
    assert chosen.gain == pytest.approx(float(record["gain"]), rel=1e-4)
    assert max(candidate.compared for candidate in ranking.ranked) <= chosen.compared * 1.02
    assert np.isfinite(chosen.holdout_gain)


def test_holdout_gains_are_those_of_the_rows(trained):
    there, home = both(trained, 0)
    for candidate in rank_columns(there).ranked:
        wanted = home.holdout_gain(
            candidate.feature,
            candidate.threshold,
            np.array(candidate.codes, np.int64),
            default_left=candidate.default_left,
        )
        assert candidate.holdout_gain == pytest.approx(wanted, rel=1e-5, abs=1e-5)


def test_all_nodes_of_the_tree_are_told_with_one(trained):
    there, home = both(trained, 1)
    gains, targets = there.of_tree
    wanted = holdout_gains(home.replay, ROUND, 0)
    for name in ("gain", "delivered", "scale"):
        np.testing.assert_allclose(getattr(gains, name), getattr(wanted, name), rtol=1e-4, atol=1e-4)
    assert (gains.sums.rows == wanted.sums.rows).all()
    data = home.replay.dataset
    for node, rows in enumerate((data.train_rows, home.rows)):
        assert (targets.total[node], targets.rows[node]) == ((data.target[rows] == 1).sum(), len(rows))
    assert targets.label == str(there.schema.class_labels[1])


def test_rows_of_a_node_come_home(trained):
    there, home = both(trained, 2)
    members, wanted = there.members(), node_members(home)
    assert members.listed is not None
    for one, other in zip(members.sums, wanted.sums, strict=True):
        assert one == pytest.approx(other, rel=1e-5, abs=1e-4)
    for part, most in ((DRAWN, 750), (HELD_OUT, 250)):
        assert (members.parts == part).sum() == min((wanted.parts == part).sum(), most)
    known = {row.tobytes() for row in home.replay.dataset.features[wanted.rows]}
    assert {row.tobytes() for row in members.listed.dataset.features} <= known
    assert set(np.round(members.added, 5)) <= set(np.round(wanted.added, 5))


def test_a_question_is_told_on_and_given_up(trained):
    source, begun, rounds, _ = trained
    told = []
    with pytest.raises(Cancelled):
        source.node(
            begun,
            PARAMS,
            rounds,
            ROUND,
            0,
            1,
            lambda: len(told) > 0,
            lambda done, total: told.append((done, total)),
        )
    assert told[0][1] >= 2
    assert source.node(begun, PARAMS, rounds, ROUND, 0, 1).node == 1


def test_nothing_is_left_on_the_workers(trained, whole_cluster):
    source, begun, rounds, _ = trained
    source.node(begun, PARAMS, rounds, 2, 0, 0)
    assert any(whole_cluster.tell(has_desk, workers=whole_cluster.workers).values())
    source.release()
    assert not any(whole_cluster.tell(has_desk, workers=whole_cluster.workers).values())


def has_desk(dask_worker):
    return hasattr(dask_worker, "workbench_node_desks")
