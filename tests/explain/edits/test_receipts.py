"""Every number of a receipt is what a run with the edited tree reports, and what plain prediction gives."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ensembles.test_given_trees import assert_same_event
from tests.examples import examples
from tests.explain.edits.making import KINDS, SOME, TASKS, drawn_edit, edited_run, params_of
from tests.reference.tables import random_dataset
from workbench.ensembles.events import RoundFinished
from workbench.ensembles.prediction import path, raw_predictions
from workbench.errors import Cancelled
from workbench.explain.edits.move_threshold import MoveThreshold
from workbench.explain.edits.roads import near_ties, roads_not_taken
from workbench.explain.edits.set_weight import SetWeight


def way(tree, row):
    nodes = path(tree, row)
    return [
        (int(tree.nodes["feature"][above]), int(tree.nodes["left"][above] == below))
        for above, below in itertools.pairwise(nodes)
    ]


@examples(60)
@given(task=st.sampled_from(TASKS), chosen=SOME, kind=st.sampled_from(KINDS), seed=st.integers(0, 1000))
def test_a_receipt_is_what_a_run_with_the_tree_reports(task, chosen, kind, seed):
    data = random_dataset(task, n=150, n_valid=40, weighted=True)
    made = drawn_edit(data, params_of(task, chosen), kind, np.random.default_rng(seed))
    if made is None:
        return
    editor, rounds, edit, branch = made
    round, place = edit.round, edit.place
    receipt, before = editor.receipt(edit), rounds[round - 1]
    events = [e for e in branch.trainer(data).rounds() if isinstance(e, RoundFinished)]
    assert [e.round for e in events] == list(range(round, 5))
    assert events[0].trees[place].nodes.tobytes() == receipt.tree.nodes.tobytes()
    assert receipt.loss == (before.loss, events[0].loss)
    assert receipt.omega == pytest.approx((before.omega, events[0].omega), rel=1e-12)
    assert receipt.objective.change == pytest.approx(
        events[0].loss + events[0].omega - before.loss - before.omega, abs=1e-9
    )
    assert {name: c.after for name, c in receipt.train.items()} == events[0].train
    assert {name: c.after for name, c in receipt.valid.items()} == events[0].valid
    assert {name: c.before for name, c in receipt.valid.items()} == before.valid

    old = before.trees[place]
    changed = [way(old, row) != way(receipt.tree, row) for row in data.features]
    assert receipt.train_rows == sum(changed[row] for row in data.train_rows)
    assert receipt.valid_rows == sum(changed[row] for row in data.valid_rows)

    transform = editor.replay.objective.transform
    was, now = (
        np.asarray(transform(raw_predictions(model, data.features)), float).reshape(len(data.features), -1)
        for model in (branch.before, branch.ensemble)
    )
    size = np.abs(now - was).max(axis=1)
    assert receipt.moved == (size > 0).sum()
    order = sorted(np.flatnonzero(size > 0).tolist(), key=lambda row: (-size[row], row))[:20]
    shown = [move.row for move in receipt.moves if move.before != move.after]
    assert shown == order
    for move in receipt.moves:
        assert move.before == tuple(was[move.row].tolist())
        assert move.after == tuple(now[move.row].tolist())
        assert move.is_held_out == (move.row in data.valid_rows)


def test_a_weight_has_its_price():
    editor, rounds = edited_run(random_dataset(), rounds=2, max_depth=2, reg_lambda=2.0)
    tree = rounds[1].trees[0]
    leaf = int(np.flatnonzero(tree.is_leaf)[0])
    w, h = tree.nodes["weight"][leaf], tree.nodes["sum_hessian"][leaf]
    receipt = editor.receipt(SetWeight(2, 0, leaf, float(w) + 0.3))
    assert receipt.price.optimum == pytest.approx(w)
    assert receipt.price.price == pytest.approx(0.5 * (h + 2.0) * 0.3**2)
    assert (receipt.train_rows, receipt.valid_rows) == (0, 0)
    assert "weight" in receipt.words
    scores = receipt.tree.figures.leaf_scores - tree.figures.leaf_scores
    assert scores == pytest.approx(receipt.price.price)


def test_a_receipt_can_be_cancelled():
    editor, rounds = edited_run(random_dataset(), rounds=2, max_depth=2)
    edit = MoveThreshold(2, 0, 0, float(rounds[1].trees[0].nodes["threshold"][0]) + 0.1)
    with pytest.raises(Cancelled):
        editor.receipt(edit, lambda: True)


def test_an_edit_of_nothing_leads_to_the_same_run():
    data = random_dataset("multiclass")
    editor, rounds = edited_run(data, rounds=4, max_depth=2)
    leaf = int(np.flatnonzero(rounds[1].trees[2].is_leaf)[-1])
    branch = editor.branch(SetWeight(2, 2, leaf, float(rounds[1].trees[2].nodes["weight"][leaf])))
    events = [e for e in branch.trainer(data).rounds() if isinstance(e, RoundFinished)]
    for one, other in zip(rounds[2:], events[1:], strict=True):
        assert_same_event(one, other)


def test_roads_not_taken_are_runs_with_the_runner_up():
    data = random_dataset(n=400, d=8, seed=4)
    editor, rounds = edited_run(data, rounds=6, max_depth=4)
    ties = [edit for edit, _ in near_ties(editor, 2, 0)]
    assert ties
    roads = list(roads_not_taken(editor, 2, 0))
    assert [road.edit for road in roads] == ties
    for road in roads:
        events = [e for e in editor.branch(road.edit).trainer(data).rounds() if isinstance(e, RoundFinished)]
        assert road.after == events[-1].valid[editor.watched]
        assert road.before == rounds[-1].valid[editor.watched]
        assert road.rounds == 4
    asked = iter([False] * 30)
    with pytest.raises(Cancelled):
        list(roads_not_taken(editor, 2, 0, lambda: next(asked, True)))
