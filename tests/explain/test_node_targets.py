"""What the target is in each node, against the rows that reach it one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.explain.test_replay import replayed
from tests.reference.naive_tree import rows_by_node
from tests.reference.tables import random_dataset
from workbench.explain.node_targets import node_targets


@examples(20)
@given(
    task=st.sampled_from(["regression", "binary", "multiclass"]), seed=st.integers(0, 9),
    rules=st.sampled_from([{}, {"subsample": 0.5}, {"gamma": 0.2, "pruning": "post"}]),
    weighted=st.booleans(),
)
def test_targets_are_those_of_the_rows_that_grew_the_tree(task, seed, rules, weighted):
    table = random_dataset(task, n=240, d=4, n_valid=80, seed=seed, weighted=weighted)
    replay = replayed(table, rounds=2, max_depth=3, threads=1, **rules)
    for place, tree in enumerate(replay.rounds[1].trees):
        drawn = replay.grown(2, place).sample.rows.drawn
        found = node_targets(tree, table, lambda drawn=drawn: drawn)
        rows = table.train_rows[drawn]
        assert (len(rows) < len(table.train_rows)) == ("subsample" in rules)
        for node, mask in enumerate(rows_by_node(tree, table.features[rows])):
            target = table.target[rows][mask]
            assert tree.nodes["count"][node] == len(target)
            if task == "regression":
                assert found.label is None
                assert found.mean(node) == pytest.approx(target.mean())
            else:
                counted = 1 if task == "binary" else tree.class_index
                assert found.label == str(table.schema.class_labels[counted])
                assert found.total[node] == (target == counted).sum()


def test_of_rows_that_the_tree_did_not_count_nothing_is_said():
    table = random_dataset("binary", n=240, d=4, n_valid=80)
    tree = replayed(table, rounds=1, max_depth=3, threads=1).rounds[0].trees[0]
    other = random_dataset("binary", n=240, d=4, n_valid=80, seed=1)
    assert node_targets(tree, other, lambda: np.arange(160)) is None
