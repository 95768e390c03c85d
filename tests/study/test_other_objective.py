"""A branch that goes on with another objective, beside a booster of numpy, and beside XGBoost going on."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xgboost
from hypothesis import given
from hypothesis import strategies as st

import workbench
from tests.examples import examples
from tests.reference.naive_exact import best_exact_split
from tests.study.test_study import FRAME, SIGNAL, written
from workbench.__main__ import main
from workbench.data.reading import read_table
from workbench.ensembles.prediction import leaf_indices
from workbench.errors import WorkbenchError
from workbench.explain.what_if.rescoring import SEARCHED
from workbench.formats.explanations import staged_raw
from workbench.formats.load import load_model
from workbench.session.editing import editor_of
from workbench.session.opening.attaching import attach
from workbench.session.opening.imported import run_of
from workbench.session.run_parts.by_objective import loss_words
from workbench.study.study import Study
from workbench.views.edits.words import grown_lines, pair_texts

AT, ROUNDS = 3, 7
NUMBERS = ("squared", "absolute", "huber", "quantile")
MEANS = ("poisson", "gamma", "tweedie")


def begun(target, objective: str, n: int = 240, *, weighted: bool = False) -> Study:
    """A study of whole numbers, so that every value is a place to cut, whatever makes the bins.

    Under weights no two cuts gain the same, not even where all gradients are 1 or −1.
    """
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.integers(0, 30, (n, 4)).astype(float), columns=list("abcd"))
    frame["c"] = frame.c.mask(rng.random(n) < 0.1)
    frame = frame.assign(y=target(frame, rng), w=rng.uniform(0.5, 2.0, n))
    return Study(frame, target="y", objective=objective, roles={"w": "weight" if weighted else "ignore"})


def any_number(frame, rng):
    return frame.a / 4 + np.sin(frame.b) + rng.standard_t(2, len(frame))


def above_zero(frame, rng):
    return np.exp(frame.a / 15) * rng.gamma(2.0, 1.0, len(frame)) + 0.01


# --- an independent booster --------------------------------------------------------------------

G_AND_H = {
    "squared": lambda y, raw: (raw - y, np.ones(len(y))),
    "absolute": lambda y, raw: (np.sign(raw - y), np.ones(len(y))),
    "huber": lambda y, raw: (np.clip(raw - y, -1.0, 1.0), np.ones(len(y))),
    "poisson": lambda y, raw: (np.exp(raw) - y, np.exp(raw)),
    "gamma": lambda y, raw: (1 - y * np.exp(-raw), y * np.exp(-raw)),
}


def grown(x, g, h, depth, rows, leaves):
    """Part rows as the best exact split does; give each leaf's rows to `leaves`."""
    split = None
    if depth:
        known = np.zeros(x.shape[1], bool)
        split = best_exact_split(x[rows], range(x.shape[1]), known, (), g[rows], h[rows], 1.0, 0.0, 1.0)
    if split is None or split.gain <= 0:
        leaves.append(rows)
        return leaves
    for side in (split.left, ~split.left):
        grown(x, g, h, depth - 1, rows[side], leaves)
    return leaves


def boosted(x, y, base, names):
    """Return the raw predictions after each round, one round by each of these objectives."""
    raw, found = np.full(len(y), base), []
    for name in names:
        g, h = G_AND_H[name](y, raw)
        step = np.zeros(len(y))
        for rows in grown(x, g, h, 2, np.arange(len(y)), []):
            if name == "absolute":
                step[rows] = np.median((y - raw)[rows])
            else:
                step[rows] = -g[rows].sum() / (h[rows].sum() + 1.0)
        raw = raw + 0.3 * step
        found.append(raw)
    return found


@pytest.mark.parametrize(
    ("before", "after"),
    [("squared", "absolute"), pytest.param("absolute", "squared", marks=pytest.mark.slow)],
)
def test_a_booster_of_numpy_that_changes_its_loss_makes_the_same_trees(before, after):
    made = begun(any_number, before, n=60)
    chosen = {"max_depth": 2, "tree_method": "exact", "learning_rate": 0.3, "reg_lambda": 1.0}
    branch = made.train(rounds=ROUNDS, **chosen).branch(at=AT, objective=after).grow()
    agree(branch, [before] * AT + [after] * (ROUNDS - AT))


@pytest.mark.slow
@pytest.mark.parametrize(("before", "after"), [("poisson", "gamma"), ("gamma", "poisson")])
def test_means_too(before, after):
    made = begun(above_zero, before, n=60)
    chosen = {"max_depth": 2, "tree_method": "exact", "learning_rate": 0.3, "reg_lambda": 1.0}
    branch = made.train(rounds=ROUNDS, **chosen).branch(at=AT, objective=after).grow()
    agree(branch, [before] * AT + [after] * (ROUNDS - AT))


def agree(branch, names):
    data, ensemble = branch.run.dataset, branch.run.ensemble()
    x, y = (np.asarray(part[data.train_rows], np.float64) for part in (data.features, data.target))
    theirs = boosted(x, y, float(ensemble.base_margin[0]), names)
    for own, other in zip(staged_raw(ensemble, data.features[data.train_rows], None), theirs, strict=True):
        np.testing.assert_allclose(own[:, 0] if own.ndim > 1 else own, other, rtol=2e-5, atol=2e-5)


# --- XGBoost going on --------------------------------------------------------------------------

THEIRS = {
    "squared": {"objective": "reg:squarederror"}, "absolute": {"objective": "reg:absoluteerror"},
    "quantile": {"objective": "reg:quantileerror", "quantile_alpha": 0.8},
    "poisson": {"objective": "count:poisson", "max_delta_step": 0}, "gamma": {"objective": "reg:gamma"},
    "tweedie": {"objective": "reg:tweedie", "tweedie_variance_power": 1.5},
}  # fmt: skip
SEARCHED_PAIRS = (("squared", "absolute"), ("absolute", "quantile"), ("quantile", "squared"))
PAIRS = (("poisson", "tweedie"), ("tweedie", "gamma"), ("gamma", "poisson"))
CASES = [(*pair, way) for pair in PAIRS for way in ("hist", "exact")]
CASES += [(*pair, "hist") for pair in SEARCHED_PAIRS]  # its exact leaves such weights as G and H make them
QUICK = [("squared", "absolute", "hist"), ("poisson", "tweedie", "exact")]


@pytest.mark.parametrize(
    ("before", "after", "tree_method"),
    [case if case in QUICK else pytest.param(*case, marks=pytest.mark.slow) for case in CASES],
)
def test_xgboost_that_goes_on_from_its_own_trees_makes_the_same_ones(before, after, tree_method, tmp_path):
    made = begun(any_number if before in NUMBERS else above_zero, before, weighted=True)
    run = made.train(
        rounds=ROUNDS, max_depth=3, learning_rate=0.3, tree_method=tree_method, quantile_alpha=(0.8,),
        base_score=2.001,  # which is no row's target, where quantiles have two slopes
    )
    branch = run.branch(at=AT, objective=after).grow()
    data, ensemble = branch.run.dataset, branch.run.ensemble()
    features = np.ascontiguousarray(data.features[data.train_rows])
    table = xgboost.DMatrix(
        features, data.target[data.train_rows], weight=data.weight[data.train_rows],
        base_margin=np.full(len(features), ensemble.base_margin[0]),
    )
    usual = {"eta": 0.3, "max_depth": 3, "tree_method": tree_method, "max_bin": 254, "nthread": 1}
    first = xgboost.train(usual | THEIRS[before], table, AT)
    theirs = xgboost.train(usual | THEIRS[after], table, ROUNDS - AT, xgb_model=first)
    leaves, own_leaves = theirs.predict(table, pred_leaf=True), leaf_indices(ensemble.trees, features)
    for number, own in enumerate(staged_raw(ensemble, features, None), start=1):
        pairs = set(zip(leaves[:, number - 1].tolist(), own_leaves[:, number - 1].tolist(), strict=True))
        assert len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs}), number
        told = theirs.predict(table, output_margin=True, iteration_range=(0, number))
        np.testing.assert_allclose(own.reshape(-1), told, rtol=1e-4, atol=1e-4)
    branch.model.save(tmp_path / "m.json")
    read = xgboost.Booster(model_file=tmp_path / "m.json")
    told = read.predict(xgboost.DMatrix(features, feature_names=list("abcd")), output_margin=True)
    np.testing.assert_array_equal(told, own.reshape(-1))


# --- the story ---------------------------------------------------------------------------------

WAYS = (
    {}, {"tree_method": "exact"}, {"tree_method": "approx", "subsample": 0.7}, {"sampling_method": "goss"},
    {"rate_drop": 0.5}, {"method": "friedman"}, {"early_stopping_rounds": 2},
)  # fmt: skip


@pytest.mark.slow
@examples(30)
@given(
    names=st.one_of(*(st.tuples(*2 * [st.sampled_from(family)]) for family in (NUMBERS, MEANS))),
    way=st.sampled_from(WAYS), at=st.integers(1, 6), again=st.integers(1, 6), offset=st.booleans(),
)  # fmt: skip
def test_a_branch_again_where_nothing_differs_is_the_same_bits(tmp_path, names, way, at, again, offset):
    if "method" in way and names[0] in MEANS:
        return
    target = SIGNAL if names[0] in NUMBERS else np.exp(SIGNAL / 4)
    roles = {"query": "ignore", "known": "offset" if offset else "ignore"}
    made = Study(FRAME.assign(y=target), target="y", objective=names[0], roles=roles)
    run = made.train(rounds=6, max_depth=3, **way)
    at = min(at, run.rounds)
    branch = run.branch(at=at, objective=names[1], early_stopping_rounds=None, rounds=8).grow(8 - at)
    known = [event.params.objective for event in branch.run.rounds]
    assert known == [names[0]] * at + [names[1]] * (8 - at)
    if again > at:
        assert written(branch.branch(at=again).grow(8 - again), tmp_path) == written(branch, tmp_path)
    elif again < at:
        back = branch.branch(at=again, objective=names[0]).grow(at - again)
        assert [tree.nodes.tobytes() for tree in back.run.ensemble().trees] == [
            tree.nodes.tobytes() for tree in run.run.ensemble(at).trees]


def test_each_round_is_looked_at_by_its_own_objective():
    made = begun(any_number, "squared")
    run = made.train(rounds=6, max_depth=3)
    branch = run.branch(at=3, objective="absolute").grow()
    assert loss_words(branch.run) == "of squared up to round 3"
    for round in (2, 3, 4, 6):
        replay = editor_of(branch.run, round).replay
        root = replay.grown(round, 0).tree.nodes[0]
        assert replay.grown(round, 0).gradients.sum() == pytest.approx(root["sum_gradient"], abs=1e-9)
        assert replay.objective.searches_leaves == (round > 3)
    assert (run.run.watched, branch.run.watched, branch.run.facts.name) == ("rmse", "mae", "absolute")
    assert branch.best_round == 1 + int(np.argmin([event.valid["mae"] for event in branch.run.rounds]))
    assert branch.at(4).delivered == pytest.approx(
        branch.at(4).loss - np.abs(run.run.dataset.target - after(run, 3))[run.run.dataset.train_rows].sum()
    )
    early = branch.prune(tree=2, node=1)
    assert (early.run.params.objective, early.run.watched, early.grow(1).at(3).params.objective) == (
        "squared", "rmse", "squared")  # fmt: skip
    late = branch.prune(tree=5, node=1)
    assert (late.run.facts.name, late.grow().at(6).params.objective) == ("absolute", "absolute")
    receipt = branch.receipt(kind="prune", round=2, place=0, node=1)
    assert receipt.loss.before == pytest.approx(run.at(2).loss)
    with pytest.raises(WorkbenchError, match=SEARCHED[:20]):
        branch.rescore(reg_lambda=3.0)
    again = branch.branch(at=2, objective="squared").grow(1)
    assert again.at(3).trees[0].nodes.tobytes() == run.at(3).trees[0].nodes.tobytes()


def after(run, round):
    return np.asarray(list(staged_raw(run.run.ensemble(), run.run.dataset.features, None))[round - 1]).ravel()


def test_what_the_model_file_tells_by_round(tmp_path):
    branch = begun(above_zero, "poisson").train(rounds=4).branch(at=2, objective="reg:tweedie").grow()
    branch.model.save(tmp_path / "m.json")
    model = load_model(tmp_path / "m.json")
    assert (model.objective, model.params.objective) == ("tweedie", "tweedie")
    assert [row["objective"] for row in model.history] == ["poisson", "poisson", "tweedie", "tweedie"]
    read = run_of(model)
    assert [event.params.objective for event in read.rounds] == [row["objective"] for row in model.history]
    assert [change.text for change in read.changes] == ["Objective poisson → tweedie"]


@pytest.mark.parametrize(("before", "other", "words"), [
    ("squared", {"objective": "poisson"}, "the trees of 'squared' mean ŷ, and those of 'poisson' e\\^ŷ"),
    ("squared", {"objective": "lambdarank"}, "'lambdarank' orders the rows of each query"),
    ("squared", {"objective": "custom"}, "a Python file's functions are those of all rounds"),
    ("squared", {"objective": "cox"}, "another program's"),
    ("squared", {"objective": "quantile", "quantile_alpha": (0.1, 0.9)}, "1 raw predictions? a row.* 2"),
    ("squared", {"objective": "absolute", "reg_alpha": 1.0}, "objective and reg_alpha clash"),
    ("poisson", {"objective": "gamma"}, "gamma"),
])  # fmt: skip
def test_what_cannot_follow_is_refused_in_a_line(before, other, words):
    made = begun(lambda frame, rng: rng.poisson(2.0, len(frame)), before, n=60)
    with pytest.raises(WorkbenchError, match=words):
        made.train(rounds=2, max_depth=2).branch(at=1, **other)


@pytest.mark.slow
def test_a_model_file_goes_on_with_another_objective_that_is_named(tmp_path):
    run = begun(any_number, "squared", weighted=True).train(rounds=ROUNDS, max_depth=3)
    branch = run.branch(at=AT, objective="absolute").grow()
    data = run.run.dataset
    run.branch(at=AT).model.save(tmp_path / "start.json")
    frame = pd.DataFrame(data.features, columns=list("abcd"))
    split = np.isin(np.arange(240), data.valid_rows).astype(int)
    frame = frame.assign(y=data.target, w=data.weight, split=split)
    frame.to_csv(tmp_path / "t.csv", index=False)
    told = ["train", str(tmp_path / "t.csv"), "--target=y", "--weight=w", "--valid-column=split", "--quiet",
            "--max-depth=3", f"--rounds={ROUNDS - AT}", f"--continue={tmp_path / 'start.json'}",
            f"--export={tmp_path / 'm.json'}"]  # fmt: skip
    assert main([*told, "--objective=absolute"]) == 0
    model = load_model(tmp_path / "m.json")
    assert [row["objective"] for row in model.history] == ["squared"] * AT + ["absolute"] * (ROUNDS - AT)
    assert [tree.nodes.tobytes() for tree in model.ensemble.trees] == [
        tree.nodes.tobytes() for tree in branch.model.ensemble.trees]  # fmt: skip
    assert main([*told, "--objective=poisson"]) != 0
    attached = attach(model, read_table(tmp_path / "t.csv"), lambda: False).run
    for round in (2, AT + 1):
        replay = editor_of(attached, round).replay
        root = replay.grown(round, 0).tree.nodes[0]
        assert replay.grown(round, 0).gradients.sum() == pytest.approx(root["sum_gradient"], abs=1e-6)
    workbench.fit(frame[list("abcd")], frame.y, objective="huber", rounds=2).save(tmp_path / "huber.json")
    with pytest.raises(WorkbenchError, match="was trained for 'huber', not for 'squared'"):
        workbench.fit(frame[list("abcd")], frame.y, rounds=2, init_model=load_model(tmp_path / "huber.json"))


def test_methods_of_one_objective_keep_it():
    made = begun(any_number, "squared", n=60)
    for method in ("forest", "linear"):
        with pytest.raises(WorkbenchError, match=f"the method {method} takes one of"):
            made.train(rounds=2, method=method).branch(at=1, objective="absolute")


@pytest.mark.slow
def test_an_open_project_goes_on_with_the_same_loss(tmp_path):
    made = begun(any_number, "squared")
    branch = made.train(rounds=5, max_depth=3).branch(at=3, objective="huber", huber_slope=0.5)
    made.save(tmp_path / "x.workbench")
    again = workbench.open_study(tmp_path / "x.workbench").runs[1]
    assert written(again.grow(), tmp_path) == written(branch.grow(), tmp_path)
    assert "objective='huber'" in branch.script


def test_continue_from_here_takes_the_planned_objective_where_it_can_follow():
    made = begun(any_number, "squared", n=60)
    run, session = made.train(rounds=4, max_depth=2).run, made.session
    session.shown.show(run)
    session.shown.select(round=2)
    said = []
    for name in ("poisson", "lambdarank", "squared", "absolute"):
        session.data.set_objective(name)
        said.append(session.with_objective)
    assert said == ["", "", "", " with absolute"]
    branch = session.branch_here(2, session.hyperparameters.wanted)
    assert (branch.started.ensemble.objective, branch.facts.name) == ("absolute", "absolute")
    assert branch.made.words == "Branch run 2 off run 1 at 2: Objective squared → absolute"
    session.data.set_objective("poisson")
    assert session.branch_here(2, session.hyperparameters.wanted).params.objective == "absolute"


def test_what_an_edit_came_to_is_told_by_one_metric():
    run = begun(any_number, "squared", n=60).train(rounds=4, max_depth=2)
    branch = run.branch(at=2, objective="absolute").grow()
    edited = branch.prune(tree=1, node=1).grow(3)
    (line,) = grown_lines(branch.run, edited.run)
    known, other = branch.at(4).valid["mae"], edited.at(4).valid["mae"]
    assert line[:3] == ("Hold-out at 4", *pair_texts(known, other)[:2])
