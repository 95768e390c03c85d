"""Branches with other parameters than live ones: grown, told, kept and looked at like any other."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest

import workbench
from tests.study.test_study import FRAME, TARGETS, study, written
from workbench.data.encoding import encode
from workbench.ensembles.impurity.drawn_weights import draw_counts
from workbench.ensembles.prediction import leaf_indices
from workbench.errors import WorkbenchError
from workbench.explain.out_of_bag import out_of_bag_predictions
from workbench.explain.row_growth import row_growth
from workbench.formats.explanations import staged_raw
from workbench.parameters.training import IN_BRANCH, PARAMETERS
from workbench.session.branching import why_fixed
from workbench.session.editing import editor_of
from workbench.session.opening.imported import run_of
from workbench.session.run_parts.measured import are_measured_alike, measured_since, measured_words
from workbench.study.study import Study

YES = (("yes", 3.0),)
CHANGES = {
    "all at once": ("logistic", {"subsample": 0.7},
                    {"seed": 5, "class_weights": YES, "metric": "rmse", "forced_splits": "b < 0.5"}),
    "scale_pos_weight": ("logistic", {}, {"scale_pos_weight": 0.5, "early_stopping_rounds": 1}),
    "class_weights": ("softmax", {}, {"class_weights": (("low", 0.0), ("mid", 4.0))}),
    "metric": ("logistic", {"early_stopping_rounds": 3}, {"metric": "auc", "more_metrics": ("error",)}),
    "more_metrics": ("squared", {"more_metrics": ("mae",)}, {"more_metrics": ("r2",)}),
    "seed": ("squared", {"colsample_bytree": 0.5, "sampling_method": "goss"}, {"seed": 8}),
    "forced_splits": ("squared", {"tree_method": "exact"}, {"forced_splits": "a {yes: b}", "max_depth": 4}),
    "quantile_alpha": ("quantile", {"quantile_alpha": (0.2, 0.5)}, {"quantile_alpha": (0.3, 0.9)}),
    "huber_slope": ("huber", {}, {"huber_slope": 0.2}),
    "huber_quantile": ("huber", {"method": "friedman"}, {"huber_quantile": 0.6}),
    "tweedie_variance_power": ("tweedie", {}, {"tweedie_variance_power": 1.2}),
    "softmax_hessian": ("softmax", {}, {"softmax_hessian": "diagonal"}),
    "criterion": ("softmax", {"method": "forest"}, {"criterion": "entropy", "split_columns": 2}),
    "forest": ("softmax", {"method": "forest"}, {"seed": 4, "bootstrap": False, "subsample": 0.6}),
    "extra_trees": ("logistic", {"method": "extra_trees", "bootstrap": True},
                    {"seed": 4, "combining": "vote"}),
    "side by side": ("softmax", {"subsample": 0.6, "rate_drop": 0.4, "sample_type": "weighted"},
                     {"num_parallel_tree": 3}),
    "fewer": ("logistic", {"subsample": 0.6, "num_parallel_tree": 3}, {"num_parallel_tree": 1}),
    "of adaboost": ("logistic", {"method": "adaboost"}, {"learning_rate": 0.5, "class_weights": YES}),
    "objective": ("squared", {"subsample": 0.7}, {"objective": "absolute"}),
    "of quantiles": ("quantile", {"rate_drop": 0.4}, {"objective": "squared", "reg_alpha": 0.1}),
    "of counts": ("poisson", {"tree_method": "exact"},
                  {"objective": "tweedie", "tweedie_variance_power": 1.2}),
    "of friedman": ("squared", {"method": "friedman"}, {"objective": "huber", "huber_quantile": 0.8}),
    "adaboost": ("logistic", {"method": "adaboost"}, {"adaboost": "real"}),
    "of many classes": ("softmax", {"method": "adaboost", "adaboost": "real"}, {"adaboost": "discrete"}),
    "l1_ratio": ("squared", {"method": "linear", "l1_ratio": 0.2}, {"l1_ratio": 0.9}),
}  # fmt: skip
TARGET = {**TARGETS, "huber": TARGETS["squared"], "tweedie": TARGETS["poisson"]}
AT, ROUNDS = 4, 8


def told(name: str):
    objective, begun, other = CHANGES[name]
    method = begun.get("method", "newton")
    objective = objective if method in ("newton", "friedman") else None
    roles = dict.fromkeys(("query", "known"), "ignore")
    made = Study(FRAME.assign(y=TARGET[CHANGES[name][0]]), target="y", objective=objective, roles=roles)
    run = made.train(**{"rounds": ROUNDS, **({} if method == "linear" else {"max_depth": 3})} | begun)
    return made, run, run.branch(at=AT, **other)


@pytest.mark.parametrize(
    "name", [name if not i else pytest.param(name, marks=pytest.mark.slow) for i, name in enumerate(CHANGES)]
)
def test_a_branch_with_other_parameters_is_its_script_and_its_project(tmp_path, name):
    made, run, branch = told(name)
    other = CHANGES[name][2]
    branch.grow()
    assert branch.run.rounds[:AT] == run.run.rounds[:AT]
    for key, value in other.items():
        assert getattr(branch.at(AT + 1).params, key) == value
    assert {change.name for change in branch.run.changes if change.round == AT + 1} == set(other)
    lived = written(branch, tmp_path)
    if not set(other) <= {"metric", "more_metrics"}:
        assert lived != written(run, tmp_path)
    said: dict = {"frame": FRAME.assign(y=TARGET[CHANGES[name][0]])}
    exec(branch.script, said)
    assert written(said["run2"], tmp_path) == lived
    made.save(tmp_path / "s.workbench")
    again = workbench.open_study(tmp_path / "s.workbench").runs[1]
    assert written(again, tmp_path) == lived
    assert written(again.grow(2), tmp_path) == written(branch.grow(2), tmp_path)
    read = run_of(branch.model)
    known = [getattr(event.params, name) for event in read.rounds for name in other]
    assert known == [getattr(event.params, name) for event in branch.run.rounds for name in other]


def test_the_first_rounds_are_looked_at_by_their_own_parameters():
    _, run, branch = told("all at once")
    branch.grow()
    for round in (2, AT + 1):
        grown = editor_of(branch.run, round).replay.grown(round, 0)
        root = grown.tree.nodes[0]
        drawn = grown.sample.rows.drawn
        assert grown.gradients[drawn].sum() == pytest.approx(root["sum_gradient"], abs=1e-4)
        assert grown.hessians[drawn].sum() == pytest.approx(root["sum_hessian"], rel=1e-5)
    pruned = branch.prune(tree=2, node=1).grow(1)
    assert pruned.run.watched == run.run.watched
    assert pruned.run.params.seed == 0
    assert branch.prune(tree=AT + 1, node=1).run.watched == "rmse"


def test_what_is_measured_otherwise_says_since_when():
    _, run, branch = told("all at once")
    assert branch.run.watched == "rmse"
    assert branch.run.best is None
    assert measured_words(branch.run, "rmse") == "measured from round 5 on"
    assert measured_words(branch.run, "logloss") == "with Class weights none up to round 4"
    branch.grow()
    assert branch.best_round > AT
    assert branch.run.best[1] == branch.at(branch.best_round).valid["rmse"]
    assert not are_measured_alike(run.run, branch.run)
    again = branch.branch(at=AT + 2)
    assert are_measured_alike(again.run, branch.run)
    assert (measured_since(again.run), measured_since(run.run)) == (AT + 1, 1)
    assert math.isnan(branch.run.history.column("valid:rmse")[AT - 1])


def test_the_report_tells_where_a_branch_changed_what(tmp_path):
    _, _, branch = told("all at once")
    branch.grow(1).model.save(tmp_path / "r.html")
    said = re.sub(r"\s*<[^>]+>\s*", " ", (tmp_path / "r.html").read_text().partition("Changed in round")[2])
    assert "5 forced_splits none b &lt; 0.5" in re.sub(" +", " ", said)


def test_another_metric_that_was_reported_knows_its_best_round():
    made = study("logistic")
    run = made.train(rounds=6, max_depth=2, more_metrics=("auc",))
    branch = run.branch(at=5, metric="auc")
    values = [event.valid["auc"] for event in run.run.rounds[:5]]
    assert branch.run.best == (values.index(max(values)) + 1, max(values))
    assert measured_words(branch.run, "auc") == ""


@pytest.mark.parametrize(("other", "words"), [
    ({"max_bin": 16}, "max_bin cannot differ in a branch: it makes the bins"),
    ({"base_score": 0.3}, "base_score cannot differ in a branch: every round was grown above it"),
    ({"objective": "squared"}, "'squared' is for regression targets, but 'y' is binary"),
    ({"objective": "exponential"}, r"'logistic' mean 1/\(1\+e\^−ŷ\), and those of 'exponential' 1/\(1\+e"),
    ({"method": "forest"}, "method cannot differ in a branch: .* in one way"),
    ({"class_weights": (("maybe", 2.0),)}, "'maybe', which is no class"),
    ({"metric": "mlogloss"}, "cannot be taken of 'logistic'"),
    ({"forced_splits": "weight"}, "weight"),
])  # fmt: skip
def test_what_cannot_differ_is_refused_in_a_line(other, words):
    run = study("logistic").train(rounds=2, max_depth=2)
    with pytest.raises(WorkbenchError, match=words):
        run.branch(at=1, **other)


def test_all_that_makes_no_bins_may_differ_or_says_why_not():
    fixed = {p.name for p in PARAMETERS if p.is_of("newton") and why_fixed(p.name)}
    assert fixed == {"method", "tree_method", "max_bin", "min_category_rows", "base_score"}
    assert not fixed & set(IN_BRANCH)
    of_others = {p.name for p in PARAMETERS if why_fixed(p.name)} - fixed
    assert of_others == {"ccp_alpha", "step_column", "step_search"}


@pytest.mark.slow
def test_trees_side_by_side_may_be_of_another_number_from_a_round_on(tmp_path):
    xgboost = pytest.importorskip("xgboost")
    made = study("softmax")
    run = made.train(rounds=4, max_depth=3, subsample=0.6)
    more = run.branch(at=2, num_parallel_tree=3).grow()
    fewer = more.branch(at=3, num_parallel_tree=2).grow()
    assert [len(event.trees) for event in fewer.run.rounds] == [3, 3, 9, 6]
    model = fewer.model
    model.save(tmp_path / "m.json")
    read = workbench.load_model(tmp_path / "m.json")
    assert read.ensemble.parallel_by_round == (1, 1, 3, 2)
    frame = FRAME[list(model.schema.names)].astype({"city": "category"})
    matrix = xgboost.DMatrix(frame, enable_categorical=True, nthread=1)
    features = encode(model.schema, frame)
    booster = xgboost.Booster(model_file=tmp_path / "m.json")
    staged = list(staged_raw(model.ensemble, features, None))
    for number, own in enumerate(staged, start=1):
        np.testing.assert_array_equal(read.first_rounds(number).predict_raw(FRAME), own)
        lead = booster.num_boosted_rounds() - read.rounds
        told = booster.predict(matrix, output_margin=True, iteration_range=(0, lead + number))
        np.testing.assert_array_equal(told, own)
    booster.save_model(tmp_path / "theirs.json")
    theirs = json.loads((tmp_path / "theirs.json").read_text())
    theirs["learner"]["attributes"] = {}
    (tmp_path / "theirs.json").write_text(json.dumps(theirs))
    foreign = workbench.load_model(tmp_path / "theirs.json")
    assert foreign.ensemble.parallel_by_round == (1,) * lead + (1, 1, 3, 2)
    growth = row_growth(model.ensemble, fewer.run.dataset.features[0])
    np.testing.assert_array_equal(growth.raw[1:], [own[0] for own in staged])
    lines = [(1, 0), (2, 0), (3, 0), (3, 1), (3, 2), (4, 0), (4, 1)]
    assert [growth.place_of(line) for line in range(7)] == lines


def test_a_forest_knows_what_each_of_its_trees_left_out(tmp_path):
    made = Study(FRAME.assign(y=TARGETS["logistic"]), target="y")
    run = made.train(method="forest", rounds=8, max_depth=3, until=3)
    run.change(subsample=0.3, at=4).grow()
    through = run.run.rounds
    again = run.branch(at=6).grow()
    assert [event.extras for event in again.run.rounds] == [event.extras for event in through]
    other = run.branch(at=6, seed=9, bootstrap=False).grow().model
    other.save(tmp_path / "m.json")
    read = workbench.load_model(tmp_path / "m.json")
    data = run.run.dataset
    params = run.run.params
    later = params.change(subsample=0.3)
    draws = [params] * 3 + [later] * 3 + [later.change(seed=9, bootstrap=False)] * 2
    sums, n_trees = np.zeros(len(data.train_rows)), np.zeros(len(data.train_rows))
    for number, (draw, tree) in enumerate(zip(draws, other.trees, strict=True), start=1):
        out = draw_counts(draw, number, len(data.train_rows)) == 0
        leaves = leaf_indices((tree,), data.features[data.train_rows])[:, 0]
        sums += np.where(out, tree.nodes["leaf_value"][leaves], 0.0)
        n_trees += out
    known = n_trees > 0
    for model in (other, read):
        told = out_of_bag_predictions(data, model.ensemble, model.params)[0]
        np.testing.assert_allclose(told[known], (sums[known] / n_trees[known]), rtol=1e-12)
