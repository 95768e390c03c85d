"""Gains on rows that grew nothing, against sums over the rows of each node one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.explain.test_replay import replayed
from tests.reference.naive_tree import rows_by_node
from tests.reference.tables import dataset, random_dataset
from workbench.explain.holdout_gain import holdout_gains, worst


def naive_score(g, h, tree):
    """The least of Gw + ½(H+λ)w² + α|w| with |w| ≤ δ."""
    soft = np.sign(g) * max(abs(g) - tree.reg_alpha, 0.0)
    w = -soft / (h + tree.reg_lambda) if h + tree.reg_lambda > 0 else 0.0
    if tree.max_delta_step:
        w = min(max(w, -tree.max_delta_step), tree.max_delta_step)
    return g * w + (h + tree.reg_lambda) * w * w / 2 + tree.reg_alpha * abs(w)


@examples(20)
@given(
    task=st.sampled_from(["regression", "binary", "multiclass"]), seed=st.integers(0, 9),
    rules=st.sampled_from(
        [{}, {"reg_alpha": 0.5}, {"max_delta_step": 0.3}, {"gamma": 0.2, "reg_lambda": 3.0}]
    ),
)
def test_gains_are_those_of_the_rows(task, seed, rules):
    table = random_dataset(task, n=240, d=4, n_valid=80, seed=seed, weighted=True)
    replay = replayed(table, rounds=3, max_depth=3, threads=1, **rules)
    state = replay.before(2)
    for place, tree in enumerate(state.trees):
        found = holdout_gains(replay, 2, place)
        g, h = (values[tree.class_index] for values in (state.valid.gradients, state.valid.hessians))
        masks = rows_by_node(tree, table.features[table.valid_rows])
        assert found.scale == 160 / 80
        for node, mask in enumerate(masks):
            assert found.sums.rows[node] == mask.sum()
            assert found.sums.sum_gradient[node] == pytest.approx(g[mask].sum(), abs=1e-10)
            if tree.is_leaf[node]:
                assert np.isnan(found.gain[node])
                continue
            left = int(tree.nodes["left"][node])
            family = [masks[n] for n in (node, left, left + 1)]
            own, yes, no = (naive_score(g[m].sum(), h[m].sum(), tree) for m in family)
            assert found.gain[node] == pytest.approx(own - yes - no - tree.gamma, abs=1e-9)
            steps = [tree.learning_rate * tree.nodes["weight"][n] for n in (node, left, left + 1)]
            own, yes, no = (
                (g[m] * v + h[m] * v * v / 2).sum() for m, v in zip(family, steps, strict=True)
            )
            assert found.delivered[node] == pytest.approx(own - yes - no, abs=1e-9)


def test_noise_stands_out_and_a_signal_does_not():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1500, 6))
    table = dataset(x, 3.0 * (x[:, 0] > 0) + rng.normal(size=1500), n_valid=500)
    replay = replayed(table, rounds=30, max_depth=4, learning_rate=0.3, threads=1)
    gains = [holdout_gains(replay, r, 0) for r in range(1, 31)]
    for found in gains[:5]:
        assert found.tree.nodes["feature"][0] == 0
        assert not found.doubtful[0]
    noise = [g.doubtful[~g.tree.is_leaf] for g in gains[-10:]]
    assert np.concatenate(noise).mean() > 0.5
    listed = worst(gains, 20)
    assert len(listed) == 20
    assert [split.gain for split in listed] == sorted((split.gain for split in listed), reverse=True)
    for split in listed:
        gains_there = gains[split.round - 1]
        assert gains_there.doubtful[split.node]
        assert split.holdout_gain <= 0 or split.delivered <= 0


def test_without_hold_out_rows_nothing_is_known():
    table = random_dataset("regression", n=100, d=3, n_valid=0)
    replay = replayed(table, rounds=1, threads=1)
    found = holdout_gains(replay, 1, 0)
    assert not found.sums.rows.any()
    assert np.isnan(found.scale)
