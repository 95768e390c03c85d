"""Every number of the inspector, over all that a run may be, against the raw rows one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.explain.test_candidates import check_leaf, check_scan, check_split
from tests.explain.test_replay import replayed
from tests.explain.test_row_growth import check_against_naive
from tests.reference import naive_rescoring, naive_tree
from tests.reference.naive_round import NaiveRound
from tests.reference.tables import dataset
from workbench.explain.candidates import TIE, Why, rank_columns
from workbench.explain.holdout_gain import holdout_gains
from workbench.explain.node_figures import node_figures
from workbench.explain.node_members import DRAWN, HELD_OUT, LEFT_OUT, node_members
from workbench.explain.node_rows import node_rows
from workbench.explain.node_targets import node_targets
from workbench.explain.row_path import row_path
from workbench.explain.spread import BINS, MISSING_CODE, column_spread
from workbench.explain.what_if.critical_values import Survivors, critical_lambdas
from workbench.explain.what_if.rescoring import SEARCHED as SEARCHED_SAID
from workbench.explain.what_if.rescoring import STORED, Rescorer, Values, refusal
from workbench.explain.what_if.tree_sums import directions

OBJECTIVES = {
    "regression": ["squared", "absolute", "huber", "quantile", "poisson", "gamma", "tweedie", "lambdarank"],
    "binary": ["logistic", "exponential"],
    "multiclass": ["softmax"],
}
NO_OFFSET = ("softmax", "exponential", "lambdarank")
SEARCHED = ("absolute", "huber", "quantile")
COLUMNS = 6  # numbers, ties, five categories, forty, a constant, nothing but gaps
PARAMS = {
    "tree_method": st.sampled_from(["hist", "exact", "approx"]),
    "max_bin": st.sampled_from([4, 300]),
    "subsample": st.sampled_from([0.3, 0.8]),
    "sampling_method": st.just("goss"),
    "colsample_bytree": st.just(0.6),
    "colsample_bynode": st.just(0.6),
    "num_parallel_tree": st.just(2),
    "rate_drop": st.just(0.5),
    "learning_rate_decay": st.just(0.9),
    "reg_lambda": st.sampled_from([0.0, 5.0]),
    "gamma": st.sampled_from([0.05, 0.5]),
    "reg_alpha": st.just(0.7),
    "max_delta_step": st.just(0.2),
    "min_child_weight": st.sampled_from([0.0, 5.0]),
    "min_leaf_rows": st.just(4),
    "max_depth": st.sampled_from([1, 0]),
    "max_leaves": st.just(5),
    "grow_policy": st.just("best_gain"),
    "pruning": st.just("post"),
    "max_cat_to_onehot": st.sampled_from([1, 60]),
    "monotone_constraints": st.sampled_from([(("x0", 1.0),), (("x1", -1.0), ("x0", 1.0))]),
    "interaction_constraints": st.just((("x0", "x2"), ("x1", "x3"))),
    "forbidden_columns": st.just(("x2",)),
    "forced_splits": st.sampled_from(["x1 < 1.5 {yes: x0 < 0}", "x1 {no: x0}"]),
    "scale_pos_weight": st.just(3.0),
    "softmax_hessian": st.just("diagonal"),
    "quantile_alpha": st.just((0.2, 0.7)),
}


def fitting(params, task, objective):
    """Return the parameters without those that clash."""
    left_out = {"scale_pos_weight"} if task != "binary" else set()
    if objective in SEARCHED:
        left_out |= {"num_parallel_tree", "reg_alpha", "monotone_constraints"}
    if "sampling_method" in params:
        left_out |= {"subsample"}
    if "forced_splits" in params:
        left_out |= {"interaction_constraints", "forbidden_columns"}
        left_out |= {"max_depth"} if params.get("max_depth") == 1 else set()
    return {name: value for name, value in params.items() if name not in left_out}


def made_table(task, objective, *, weighted, offset, missing, seed):
    """180 rows, 50 of them held out."""
    rng = np.random.default_rng(seed)
    n = 180
    x = np.column_stack([
        rng.normal(size=n), rng.integers(0, 4, n), rng.integers(0, 5, n), rng.integers(0, 40, n), np.ones(n),
        np.full(n, np.nan),
    ])
    signal = x[:, 0] + (x[:, 2] == 3) + (x[:, 3] > 30) - x[:, 1] / 2 + rng.normal(size=n) / 3
    x[rng.random(x.shape) < missing] = np.nan
    edges = {"binary": [0.0], "multiclass": [-0.7, 0.5]}.get(task)
    target = signal if edges is None else np.digitize(signal, edges)
    if objective in ("poisson", "tweedie", "lambdarank"):
        target = np.clip(np.round(signal + 1), 0, 4)
    elif objective == "gamma":
        target = np.exp(signal)
    weight = rng.integers(0, 3, n) if weighted else None
    table = dataset(x, target, task, categories={2: 5, 3: 40}, weight=weight, n_valid=50)
    if objective == "lambdarank":
        table = replace(table, groups=np.arange(n) // 10)
    return replace(table, offset=rng.normal(size=n).astype(np.float32)) if offset else table


@examples(30)
@given(
    task=st.sampled_from(list(OBJECTIVES)), params=st.fixed_dictionaries({}, optional=PARAMS),
    weighted=st.booleans(), offset=st.booleans(), missing=st.sampled_from([0.0, 0.15, 0.8]),
    seed=st.integers(0, 30), data=st.data(),
)
def test_every_number_is_that_of_the_raw_rows(task, params, weighted, offset, missing, seed, data):
    objective = data.draw(st.sampled_from(OBJECTIVES[task]), label="objective")
    has_offset = offset and objective not in NO_OFFSET
    table = made_table(task, objective, weighted=weighted, offset=has_offset, missing=missing, seed=seed)
    replay = replayed(
        table, **{"max_depth": 3} | fitting(params, task, objective), objective=objective, rounds=3,
        threads=1, seed=seed,
    )
    round = data.draw(st.integers(1, 3), label="round")
    place = data.draw(st.integers(0, len(replay.rounds[0].trees) - 1), label="tree")
    naive = NaiveRound(replay, round, place)
    node = data.draw(st.integers(0, naive.tree.n_nodes - 1), label="node")

    check_nodes(naive)
    check_totals(replay, round)
    check_held_out(naive, round, place)
    check_targets(naive)
    found = node_rows(replay, round, place, node)
    check_rows(naive, found)
    check_questions(naive, found)
    for column in range(COLUMNS):
        check_scan(found, column)
        check_spread(naive, found, column)
    row = data.draw(st.integers(0, len(table.target) - 1), label="row")
    check_row(naive, replay, row)
    values = Values(*(data.draw(st.sampled_from([None, 0.0, 0.4, 6.0]), label=name) for name in "λγα"))
    check_what_if(naive, values)


def test_a_category_that_no_training_row_has_may_stand_for_none():
    table = made_table("regression", "squared", weighted=False, offset=True, missing=0.8, seed=1)
    replay = replayed(
        table, tree_method="exact", max_depth=0, objective="squared", rounds=1, threads=1, seed=1
    )
    naive = NaiveRound(replay, 1, 0)
    for node in range(naive.tree.n_nodes):
        check_questions(naive, node_rows(replay, 1, 0, node))


def check_nodes(naive):
    """G, H, rows, share, w*, score, η·w* and gain of every node, and Σ over the leaves."""
    tree, params = naive.tree, naive.params
    total = 0.0
    for node in range(tree.n_nodes):
        own, record, rows = node_figures(tree, node), tree.nodes[node], naive.grew(node)
        g, h = naive.sums(node)
        slack = 1e-11 * (1 + np.abs(naive.own_g[rows]).sum() + naive.own_h[rows].sum())
        assert (own.count, own.share) == (rows.sum(), rows.sum() / naive.drawn.sum())
        assert own.sum_gradient == pytest.approx(g, abs=slack)
        assert own.sum_hessian == pytest.approx(h, abs=slack)
        weight = naive.weigh(g, h, naive.bounds[node])
        if tree.is_leaf[node] and params.objective in SEARCHED:
            least_of_the_losses(naive, rows, own.weight)
            weight = own.weight
        assert own.weight == pytest.approx(weight, rel=1e-7, abs=1e-9)
        score = g * weight + (h + params.reg_lambda) * weight**2 / 2 + params.reg_alpha * abs(weight)
        assert own.score == pytest.approx(score, abs=1e-9 * naive.size(node))
        assert own.step == pytest.approx(tree.learning_rate * weight, rel=1e-7, abs=1e-9)
        if tree.is_leaf[node]:
            assert record["leaf_value"] == pytest.approx(own.step, rel=1e-6)
            total += score + params.gamma
        else:
            assert record["gain"] == pytest.approx(naive.gain(node), abs=1e-9 * naive.size(node))
    assert tree.structure_score == pytest.approx(total, abs=1e-9 * naive.size(0))


def least_of_the_losses(naive, rows, weight):
    """No other weight within δ gives the rows of a leaf less loss."""
    params = naive.params
    residual = (naive.data.target - naive.raw[naive.k].astype(np.float64))[rows]
    counts = (naive.weight * naive.factor)[rows]
    level = params.quantile_alpha[naive.k] if params.objective == "quantile" else 0.5

    def loss(w):
        away = residual - w
        if params.objective == "huber":
            near = np.minimum(np.abs(away), params.huber_slope)
            return (counts * near * (np.abs(away) - near / 2)).sum()
        return (counts * np.maximum(level * away, (level - 1) * away)).sum()

    limit = params.max_delta_step or np.inf
    assert abs(weight) <= limit
    others = [weight - 1e-3, weight + 1e-3, *residual]
    least = min(loss(w) for w in np.clip(others, -limit, limit))
    assert loss(weight) <= least + 1e-6 * (1 + least)


def check_totals(replay, round):
    """What the round says of its trees together."""
    told = replay.rounds[round - 1]
    leaves = [tree.nodes[tree.is_leaf] for tree in told.trees]
    costs = sum(tree.gamma * len(own) for tree, own in zip(told.trees, leaves, strict=True))
    scores = sum(own["structure_score"].sum() for own in leaves)
    assert told.structure_score == pytest.approx(scores + costs, rel=1e-9, abs=1e-9)
    gains = sum(tree.nodes["gain"][~tree.is_leaf].sum() for tree in told.trees)
    assert told.gain == pytest.approx(gains, rel=1e-9, abs=1e-9)
    assert told.leaves == sum(map(len, leaves))


def check_held_out(naive, round, place):
    """G, H, gain and delivered change on the hold-out rows."""
    tree, found = naive.tree, holdout_gains(naive.replay, round, place)
    g, h = naive.g[naive.k], naive.h[naive.k]
    for node in range(tree.n_nodes):
        rows = naive.masks[node] & naive.held_out
        assert found.sums.rows[node] == rows.sum()
        assert found.sums.sum_gradient[node] == pytest.approx(g[rows].sum(), abs=1e-9)
        assert found.sums.sum_hessian[node] == pytest.approx(h[rows].sum(), abs=1e-9)
        if tree.is_leaf[node]:
            assert np.isnan(found.gain[node])
            continue
        left = int(tree.nodes["left"][node])
        room = 1e-9 * (naive.size(node) + np.abs(g[rows]).sum() ** 2)
        assert found.gain[node] == pytest.approx(naive.held_out_gain(node, naive.masks[left]), abs=room)
        change = 0.0
        for which, sign in ((node, 1), (left, -1), (left + 1, -1)):
            part = naive.masks[which] & naive.held_out
            weight = tree.nodes["weight"][which]
            if naive.params.objective in SEARCHED:
                weight = naive.weigh(*naive.sums(which), naive.bounds[which])
            step = tree.learning_rate * weight
            change += sign * (g[part].sum() * step + h[part].sum() * step**2 / 2)
        assert found.delivered[node] == pytest.approx(change, abs=room)
        assert found.doubtful[node] == (found.gain[node] <= 0 or found.delivered[node] <= 0)


def check_targets(naive):
    """The mean of the target, or the share of a class, in each node."""
    target, task = naive.data.target, naive.data.schema.task
    if task != "regression":
        target = target == (1 if task == "binary" else naive.k)
    drawn = np.flatnonzero(naive.drawn[naive.data.train_rows])
    found = node_targets(naive.tree, naive.data, lambda: drawn)
    for node in range(naive.tree.n_nodes):
        rows = naive.grew(node)
        mean = target[rows].mean() if rows.any() else np.nan
        assert found.mean(node) == pytest.approx(mean, rel=1e-9, abs=1e-9, nan_ok=True)


def check_rows(naive, found):
    """The table of a node's rows, and their sums."""
    members, rows = node_members(found), naive.masks[found.node]
    assert members.rows.tolist() == np.flatnonzero(rows).tolist()
    assert (members.parts == HELD_OUT).tolist() == naive.held_out[rows].tolist()
    assert (members.parts == DRAWN).tolist() == naive.drawn[rows].tolist()
    assert members.raw.tolist() == naive.raw[naive.k][rows].tolist()
    np.testing.assert_allclose(members.gradients, naive.own_g[rows], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(members.hessians, naive.own_h[rows], rtol=1e-9, atol=1e-12)
    leaves = [naive_tree.leaf_of(naive.tree, row) for row in naive.data.features[rows]]
    assert members.added.tolist() == naive.tree.nodes["leaf_value"][leaves].tolist()
    weights = np.ones(rows.sum()) if members.weights is None else members.weights
    assert weights.tolist() == naive.weight[rows].tolist()
    for part in (DRAWN, LEFT_OUT, HELD_OUT):
        own = members.parts == part
        assert members.sums[part].rows == own.sum()
        assert members.sums[part].sum_gradient == pytest.approx(naive.own_g[rows][own].sum(), abs=1e-9)
        assert members.sums[part].sum_hessian == pytest.approx(naive.own_h[rows][own].sum(), abs=1e-9)


def check_questions(naive, found):
    """The best question of every column: gain, margin, near-tie and gain on the hold-out rows."""
    assert found.rows.tolist() == np.flatnonzero(naive.grew(found.node)).tolist()
    np.testing.assert_allclose(found.gradients, naive.own_g[found.rows], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.hessians, naive.own_h[found.rows], rtol=1e-9, atol=1e-12)
    assert found.limits.bounds == pytest.approx(naive.bounds[found.node], rel=1e-7, abs=1e-9)
    record = naive.tree.nodes[found.node]
    if not record["forced"]:
        (check_leaf if naive.tree.is_leaf[found.node] else check_split)(found)
    for candidate in (ranking := rank_columns(found)).ranked:
        values = naive.data.features[:, candidate.feature]
        yes = np.isin(values, candidate.codes) if candidate.codes else values < candidate.threshold
        yes = np.where(np.isnan(values), candidate.default_left, yes)
        room = 1e-9 * (naive.size(found.node) + np.abs(naive.g[naive.k]).sum() ** 2)
        held_out = naive.held_out_gain(found.node, yes)
        if naive.masks[found.node][naive.held_out].any():
            assert candidate.holdout_gain == pytest.approx(held_out, abs=room)
        else:
            assert np.isnan(candidate.holdout_gain)
        best = ranking.ranked[0].compared
        if abs(best) > 1e-6:
            assert candidate.margin == pytest.approx((candidate.compared - best) / abs(best))
        assert candidate.is_near_tie == (not candidate.is_chosen and abs(candidate.margin) < TIE)
        if not naive.data.schema.features[candidate.feature].is_categorical:
            assert candidate.compared == candidate.gain
    for column, why in ranking.others:
        values, counts = (of[naive.grew(found.node)] for of in (naive.data.features[:, column], naive.own_h))
        kinds, weighty = len(np.unique(values)), len(np.unique(values[counts > 0]))
        if why is Why.CONSTANT:
            assert kinds <= 1
        elif why is Why.CONSTANT_BY_WEIGHT:
            assert weighty <= 1 < kinds
        elif why in (Why.ONE_BIN, Why.RARE):
            assert weighty > 1
            assert naive.data.schema.features[column].is_categorical == (why is Why.RARE)


def check_spread(naive, found, column):
    """Bars of the values, of g and of h, and who goes which way."""
    spread = column_spread(found, column)
    rows, record = naive.grew(found.node), naive.tree.nodes[found.node]
    yes = naive.masks[record["left"]][rows] if record["left"] >= 0 else np.zeros(rows.sum(), bool)
    values = naive.data.features[rows, column]
    known = ~np.isnan(values)
    assert spread.missing == (~known).sum()
    if naive.data.schema.features[column].is_categorical:
        for bar, code in enumerate(spread.values.codes):
            own = ~known if code == MISSING_CODE else values == code
            assert (spread.values.yes[bar], spread.values.no[bar]) == ((own & yes).sum(), (own & ~yes).sum())
        assert spread.values.yes.sum() + spread.values.no.sum() == len(values)
    else:
        check_bars(spread.values, values[known].astype(np.float64), yes[known])
    check_bars(spread.gradients, found.gradients, yes)
    check_bars(spread.hessians, found.hessians, yes)


def check_bars(spread, values, yes):
    low, high = (values.min(), values.max()) if len(values) else (0.0, 1.0)
    high = high if high > low else low + 1
    assert (spread.edges[0], spread.edges[-1], len(spread.edges)) == (low, high, BINS + 1)
    for bar, (begin, end) in enumerate(zip(spread.edges[:-1], spread.edges[1:], strict=True)):
        inside = (values >= begin) & ((values < end) | (bar == BINS - 1))
        assert (spread.yes[bar], spread.no[bar]) == ((inside & yes).sum(), (inside & ~yes).sum())


def check_row(naive, replay, row):
    """The way of a row through this tree, and its raw prediction through all rounds."""
    values = naive.data.features[row]
    path = row_path(naive.tree, values)
    assert path.leaf == naive_tree.leaf_of(naive.tree, values)
    assert set(path.nodes) == {node for node, mask in enumerate(naive.masks) if mask[row]}
    for step in path.steps:
        left = naive.tree.nodes["left"][step.node]
        assert step.answer == ("yes" if naive.masks[left][row] else "no")
    offset = 0.0 if naive.data.offset is None else naive.data.offset[row]
    growth = check_against_naive(replay.begun.with_rounds(replay.rounds), values, offset)
    before = growth.before[naive.replay.rounds.index(_round_of(naive)), naive.k]
    assert before == naive.raw[naive.k][row] or _round_of(naive).dropout is not None


def _round_of(naive):
    return next(told for told in naive.replay.rounds if any(tree is naive.tree for tree in told.trees))


def check_what_if(naive, values):
    """Weights, gains, structure score and survivors under other λ, γ and α, and where each split dies."""
    tree, params, names = naive.tree, naive.params, naive.data.schema.names
    monotone = directions(params, names)
    signs = {names.index(name): int(sign) for name, sign in params.monotone_constraints}
    if params.objective in SEARCHED:
        assert refusal([tree], {params.objective}, monotone) == SEARCHED_SAID
        return
    assert refusal([tree], {params.objective}, monotone) == ""
    rescorer, splits, room = Rescorer([tree], monotone), ~tree.is_leaf, 1e-9 * naive.size(0)
    stored = rescorer.score(STORED).tree(0)
    assert stored.weight == pytest.approx(tree.nodes["weight"], rel=1e-9, abs=1e-12)
    assert stored.gain[splits] == pytest.approx(tree.nodes["gain"][splits], abs=room)
    assert (stored.is_split[splits] | (stored.gain[splits] > -room)).all()
    scored = rescorer.score(values)
    lam, gamma, alpha = (
        getattr(params, name) if value is None else value for name, value in vars(values).items()
    )
    own, wanted = scored.tree(0), naive_rescoring.rescored(tree, lam, gamma, alpha, signs)
    assert set(np.flatnonzero(own.is_split)) == wanted.splits
    for node, weight in wanted.weight.items():
        assert own.weight[node] == pytest.approx(weight, rel=1e-9, abs=1e-12)
    assert scored.structure_score == pytest.approx(wanted.structure_score, abs=room)
    assert scored.totals.gain[0] == pytest.approx(wanted.gain, abs=room)
    for g in (0.0, 0.3, 5.0):
        alive = naive_rescoring.surviving(tree, 0, lam, g, alpha, signs)
        assert Survivors(scored.critical).count(np.array([g]))[0] == len(alive)
    for node, critical in zip(scored.sums.split, critical_lambdas(scored), strict=True):
        last = critical * (1 - 1e-6)
        for lam in (0.0, 0.5, 8.0, 1e5, last):
            if 0 <= lam < np.inf:
                alive = node in naive_rescoring.surviving(tree, 0, lam, gamma, alpha, signs)
                assert alive if lam == last > 0 else not alive or lam <= critical + 1e-6


def test_rows_of_no_weight_are_counted_where_a_gap_is_asked_about():
    """They may lie below the threshold that parts the missing values from all that count."""
    table = made_table("binary", "logistic", weighted=True, offset=False, missing=0.8, seed=0)
    replay = replayed(
        table, objective="logistic", tree_method="exact", rounds=1, max_depth=1, seed=0, num_parallel_tree=2,
        sampling_method="goss", min_child_weight=0.0, monotone_constraints=(("x0", 1.0),), min_leaf_rows=4,
        threads=1,
    )
    nodes = [node_rows(replay, 1, place, 0) for place in (0, 1)]
    assert any(node.scan(0).groups.rows_below for node in nodes)
    for node in nodes:
        check_scan(node, 0)
