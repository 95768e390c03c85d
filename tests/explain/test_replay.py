"""A replayed round is the round as it was trained: the same bits where the sums were added the same way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.reference.naive_tree import rows_by_node
from tests.reference.tables import random_dataset, train
from workbench.ensembles.base import make_trainer
from workbench.ensembles.control import RunControl
from workbench.ensembles.ensemble import Ensemble
from workbench.ensembles.events import RoundFinished
from workbench.ensembles.prediction import leaf_indices, raw_predictions
from workbench.errors import Cancelled, WorkbenchError
from workbench.explain import replay
from workbench.explain.raw_replay import RawReplay
from workbench.explain.replay import Replay, replay_of
from workbench.explain.tree_rows import leaves_under, node_sums
from workbench.parameters.training import TrainingParams

TASKS = {"regression": "squared", "binary": "logistic", "multiclass": "softmax"}


def replayed(data, **params):
    started, rounds, _ = train(data, **params)
    return Replay(data, started.ensemble, started.params, rounds)


def naive_gradients(objective, target, raw, weight, factor=2):
    """g and h by their formulas, shape (K, n), in float64."""
    y, x = target, raw.astype(np.float64)
    if objective == "squared":
        g, h = x - y, np.ones_like(x)
    elif objective == "logistic":
        p = 1 / (1 + np.exp(-x))
        g, h = p - y, p * (1 - p)
    else:
        p = np.exp(x - x.max(0))
        p /= p.sum(0)
        g, h = p - (np.arange(len(x))[:, None] == y), factor * p * (1 - p)
    return g * weight, h * weight


def leaf_score(g, h, tree):
    """−½ soft(G, α)²/(H+λ) of the rows of a leaf."""
    soft = max(abs(g.sum()) - tree.reg_alpha, 0.0)
    below = h.sum() + tree.reg_lambda
    return -0.5 * soft * soft / below if below > 0 else 0.0


def _without_clash(params):
    """GOSS draws rows itself."""
    clashing = {"subsample"} if "sampling_method" in params else set()
    return {name: value for name, value in params.items() if name not in clashing}


SOME = st.fixed_dictionaries(
    {},
    optional={
        "tree_method": st.sampled_from(["hist", "exact", "approx"]),
        "subsample": st.sampled_from([0.3, 0.8]),
        "sampling_method": st.just("goss"),
        "colsample_bytree": st.just(0.6),
        "num_parallel_tree": st.just(2),
        "reg_alpha": st.just(0.7),
        "reg_lambda": st.sampled_from([0.0, 5.0]),
        "learning_rate_decay": st.just(0.9),
        "max_leaves": st.just(5),
        "min_leaf_rows": st.just(4),
        "gamma": st.just(0.3),
        "rate_drop": st.just(0.5),
        "softmax_hessian": st.just("diagonal"),
    },
).map(_without_clash)


@examples(40)
@given(
    task=st.sampled_from(list(TASKS)), params=SOME, weighted=st.booleans(), seed=st.integers(0, 5),
    data=st.data(),
)
def test_a_round_is_what_it_was(task, params, weighted, seed, data):
    table = random_dataset(task, n=260, d=4, n_valid=60, seed=seed, weighted=weighted)
    replay = replayed(table, rounds=4, max_depth=4, threads=1, seed=seed, **params)
    place = data.draw(st.integers(1, 4), label="round")
    state = replay.before(place)
    model = replay.begun.with_rounds(replay.rounds)
    dropped = model.dropped(place)
    raw = raw_predictions(model, table.features, place - 1, serial=True, left_out=dropped)
    raw = raw[None] if raw.ndim == 1 else raw.T
    for part in (state.train, state.valid):
        assert np.array_equal(part.raw, raw[:, part.rows])
        weight = np.ones(len(part)) if table.weight is None else table.weight[part.rows]
        factor = 1 if "softmax_hessian" in params else 2
        g, h = naive_gradients(replay.objective.name, table.target[part.rows], part.raw, weight, factor)
        np.testing.assert_allclose(part.gradients, g, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(part.hessians, h, rtol=1e-9, atol=1e-12)
    for index, tree in enumerate(state.trees):
        grown = replay.grown(place, index)
        assert grown.growing.learning_rate == tree.learning_rate
        drawn = grown.sample.rows.drawn
        masks = rows_by_node(tree, table.features[state.train.rows[drawn]])
        leaves = leaf_indices((tree,), table.features[state.train.rows[drawn]])[:, 0]
        sums = node_sums(tree, leaves, grown.gradients[drawn], grown.hessians[drawn])
        for node, mask in enumerate(masks):
            assert np.array_equal(leaves_under(tree, node)[leaves], mask)
            assert tree.nodes["count"][node] == sums.rows[node] == mask.sum()
        g, h = grown.gradients[drawn], grown.hessians[drawn]
        for name, of_rows in (("sum_gradient", g), ("sum_hessian", h)):
            ours = getattr(sums, name)
            slack = 1e-13 * np.abs(of_rows).sum()
            assert np.abs(tree.nodes[name] - ours).max() <= slack
            naive = [float(of_rows[mask].sum()) for mask in masks]
            np.testing.assert_allclose(tree.nodes[name], naive, rtol=0, atol=10 * slack)
        scores = [leaf_score(g[masks[leaf]], h[masks[leaf]], tree) for leaf in np.flatnonzero(tree.is_leaf)]
        whole = sum(scores) + tree.gamma * len(scores)
        assert tree.structure_score == pytest.approx(whole, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("method", ["hist", "exact", "approx"])
def test_sums_are_the_stored_bits_where_no_split_was_taken_back(method):
    table = random_dataset("binary", n=900, n_valid=200, weighted=True)
    replay = replayed(table, rounds=6, max_depth=5, subsample=0.7, tree_method=method, threads=2)
    for place in range(1, 7):
        state = replay.before(place)
        grown = replay.grown(place, 0)
        drawn = grown.sample.rows.drawn
        leaves = leaf_indices((grown.tree,), table.features[state.train.rows[drawn]])[:, 0]
        sums = node_sums(grown.tree, leaves, grown.gradients[drawn], grown.hessians[drawn])
        assert np.array_equal(sums.sum_gradient, grown.tree.nodes["sum_gradient"])
        assert np.array_equal(sums.sum_hessian, grown.tree.nodes["sum_hessian"])


@pytest.mark.parametrize("objective", ["absolute", "quantile", "huber", "poisson"])
def test_leaves_that_were_searched_are_replayed_too(objective):
    table = random_dataset("regression", n=300, n_valid=60)
    table.target[:] = np.abs(table.target)
    replay = replayed(table, rounds=3, objective=objective, threads=1)
    grown = replay.grown(3, 0)
    root = grown.tree.nodes[0]
    assert root["sum_gradient"] == pytest.approx(grown.gradients.sum(), rel=1e-12, abs=1e-9)
    assert root["sum_hessian"] == pytest.approx(grown.hessians.sum(), rel=1e-12)


def test_class_weights_count():
    table = random_dataset("binary", n=300, n_valid=60)
    replay = replayed(table, rounds=2, scale_pos_weight=3.0, threads=1)
    grown = replay.grown(2, 0)
    assert grown.tree.nodes["sum_hessian"][0] == pytest.approx(grown.hessians.sum(), rel=1e-13)


def test_parameters_in_force_count():
    table = random_dataset("binary", n=300, n_valid=60)
    control = RunControl()
    started, *events = _changed_on_the_way(table, control)
    rounds = [e for e in events if isinstance(e, RoundFinished)]
    replay = Replay(table, started.ensemble, started.params, rounds)
    for place, event in enumerate(rounds, start=1):
        grown = replay.grown(place, 0)
        assert len(grown.sample.rows.drawn) == event.trees[0].nodes["count"][0]
        root_sum = grown.gradients[grown.sample.rows.drawn].sum()
        assert event.trees[0].nodes["sum_gradient"][0] == pytest.approx(root_sum, abs=1e-9)
    assert len({int(event.trees[0].nodes["count"][0]) for event in rounds}) == 2


def _changed_on_the_way(table, control):
    params = TrainingParams(rounds=5, threads=1)
    for event in make_trainer(table, params, control).rounds():
        yield event
        if isinstance(event, RoundFinished) and event.round == 2:
            control.change(params.change(subsample=0.5, reg_lambda=4.0))


def test_a_run_that_went_on_from_a_model():
    table = random_dataset("regression", n=300, n_valid=60)
    whole = replayed(table, rounds=6, subsample=0.5, threads=1)
    start = whole.begun.with_trees(tuple(t for r in whole.rounds[:3] for t in r.trees))
    params = TrainingParams(rounds=6, subsample=0.5, threads=1)
    started, *events = make_trainer(table, params, start=start).rounds()
    later = [e for e in events if isinstance(e, RoundFinished)]
    replay = Replay(table, started.ensemble, params, later)
    for place in (1, 3):
        ours, theirs = replay.grown(place, 0), whole.grown(place + 3, 0)
        assert np.array_equal(ours.gradients, theirs.gradients)
        assert np.array_equal(ours.sample.rows.drawn, theirs.sample.rows.drawn)


def test_checkpoints_stay_within_their_memory_and_change_nothing():
    table = random_dataset("multiclass", n=200, d=3)
    started, rounds, _ = train(table, rounds=40, max_depth=2, threads=1)
    size = 4 * 4 * 200
    small = RawReplay(table.features, None, started.ensemble, rounds, budget_bytes=3 * size)
    large = RawReplay(table.features, None, started.ensemble, rounds)
    rng = np.random.default_rng(0)
    for done in [40, *rng.integers(0, 41, 25)]:
        assert np.array_equal(small.after(int(done)), large.after(int(done)))
        assert len(small._kept) <= 3


@pytest.mark.parametrize("kept", [0, replay.KEPT_BYTES])
def test_bins_of_some_rows_are_those_of_all(monkeypatch, kept):
    monkeypatch.setattr(replay, "KEPT_BYTES", kept)
    table = random_dataset("regression", n=400, d=3)
    again = replayed(table, rounds=1, threads=1, max_bin=9)
    numbers = [f for f, feature in enumerate(table.schema.features) if not feature.is_categorical]
    few, every = np.array([3, 11, 250]), np.arange(400)
    for column in numbers:
        alone = again.bins(column, few)
        assert np.array_equal(again.bins(column, every)[few], alone)
        assert np.array_equal(again.bins(column, few), alone)
        values, cuts = table.features[few, column], again.cuts.of_column(column)
        known = ~np.isnan(values)
        assert np.array_equal(alone[known], np.searchsorted(cuts, values[known], side="right"))
    assert len(again._bins) == (len(numbers) if kept else 0)


def test_replaying_can_be_cancelled():
    table = random_dataset("regression", n=200, d=3)
    started, rounds, _ = train(table, rounds=40, max_depth=2, threads=1)
    replay = RawReplay(table.features, None, started.ensemble, rounds)
    with pytest.raises(Cancelled):
        replay.after(40, lambda: True)


def test_a_model_of_a_file_says_what_its_objective_was(tmp_path):
    table = random_dataset("regression", n=120, d=3)
    custom = Ensemble("custom", 3, 1, np.zeros(1, np.float32))
    for rows in (None, table):
        with pytest.raises(WorkbenchError, match="choose that again under Parameters, and train"):
            replay_of(rows, custom, TrainingParams(), [])


def test_a_model_without_rows_says_so():
    with pytest.raises(WorkbenchError, match="without the rows"):
        replay_of(None, None, TrainingParams(), [])
