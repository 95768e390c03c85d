"""XGBoost's own `process_type=update` on models that it loads from our files.

`prune` reads the gains that the file keeps, so it means the same on every tree. `refresh` sums the gradients
anew from the rows and the trees before, as it has refreshed them; ours hold the earlier trees fixed. The two
mean the same on a tree whose earlier trees are given as a margin, which is how each tree is handed over here.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import xgboost

import workbench
from tests.reference.xgboost_trees import their_trees
from workbench.data.encoding import encode
from workbench.ensembles.prediction import raw_predictions
from workbench.explain.rescored_trees import rescored_trees
from workbench.explain.rescoring import Rescorer, Values
from workbench.parameters.training import TrainingParams

ROUNDS = 4


@pytest.fixture(scope="module", params=["squared", "logistic"])
def model(request):
    rng = np.random.default_rng(2)
    x = rng.normal(size=(600, 5)).astype(np.float32)
    x[::9, 1] = np.nan
    y = x[:, 0] * (x[:, 2] > 0) + 0.5 * x[:, 3] + rng.normal(0, 0.5, 600)
    y = (y > 0).astype(int) if request.param == "logistic" else y
    params = TrainingParams(
        objective=request.param, rounds=ROUNDS, max_depth=5, learning_rate=0.3, base_score=0.5, threads=1
    )  # a base that XGBoost can say itself: no tree of its own for it in the file
    return workbench.fit(x, y, params=params), x, y


def updated(model, matrix, tmp_path, rounds, **params):
    """Return the booster after XGBoost has gone over the model's trees."""
    path = tmp_path / "model.json"
    model.save(path)
    booster = xgboost.Booster(model_file=path)
    matrix.feature_names, matrix.feature_types = booster.feature_names, booster.feature_types
    fixed = {"process_type": "update", "learning_rate": 0.3, "max_depth": 0, "nthread": 1, "verbosity": 0,
             "objective": {"squared": "reg:squarederror", "logistic": "binary:logistic"}[
                 model.ensemble.objective]}
    return xgboost.train(fixed | params, matrix, rounds, xgb_model=booster)


def gammas(rescored):
    """Values of γ midway between two critical ones, where no rounding decides."""
    critical = np.sort(rescored.critical)
    middles = 0.5 * (critical[1:] + critical[:-1])
    clear = middles[np.diff(critical) > 1e-4]
    return clear[[len(clear) // 4, len(clear) // 2, -2]]


def same_tree(ours, theirs, rate):
    """Walk both down at once: the same questions, and leaves within 1e-5."""
    pairs = [(0, 0)]
    while pairs:
        node, other = pairs.pop()
        record = ours.nodes[node]
        assert ours.is_leaf[node] == (theirs.left[other] < 0)
        assert record["weight"] * rate == pytest.approx(theirs.weight[other] * rate, rel=1e-5, abs=1e-5)
        if ours.is_leaf[node]:
            assert record["leaf_value"] == pytest.approx(theirs.threshold[other], rel=1e-5, abs=1e-6)
            continue
        assert record["feature"] == theirs.feature[other]
        assert record["threshold"] == theirs.threshold[other]
        change = 2 * (record["gain"] + ours.gamma)
        assert change == pytest.approx(theirs.loss_change[other], rel=1e-5, abs=1e-5)
        pairs += [(int(record["left"]), theirs.left[other]), (int(record["right"]), theirs.right[other])]


def test_pruning_alone_equals_prune_on_every_tree(model, tmp_path):
    ours, x, y = model
    rescorer = Rescorer(ours.trees)
    for gamma in gammas(rescorer.score(Values())):
        scored = rescorer.score(Values(gamma=gamma))
        booster = updated(ours, xgboost.DMatrix(x, y), tmp_path, ROUNDS, updater="prune", gamma=2 * gamma)
        theirs, new = their_trees(booster), rescored_trees(ours.trees, scored)
        assert sum(tree.n_leaves for tree in new) == sum(_leaves(tree) for tree in theirs)
        pruned = ours.ensemble.with_trees(new)
        margin = booster.predict(_named(x, booster), output_margin=True)
        assert np.abs(raw_predictions(pruned, x) - margin).max() < 1e-5


@pytest.mark.parametrize("values", [(10.0, 0.0), (0.0, 0.0), (3.0, 2.5), (25.0, 8.0)])
def test_new_lambda_and_alpha_equal_refresh_of_each_tree(model, tmp_path, values):
    ours, x, y = model
    lam, alpha = values
    features = encode(ours.schema, x)
    for index, tree in enumerate(ours.trees):
        scored = Rescorer([tree]).score(Values(lam, None, alpha))
        gamma = gammas(scored)[0]
        scored = Rescorer([tree]).score(Values(lam, max(gamma, 0.0), alpha))
        alone = replace(ours, ensemble=ours.ensemble.with_trees((tree,)), history=())
        before = raw_predictions(ours.ensemble, features, index)
        booster = updated(
            alone, xgboost.DMatrix(x, y, base_margin=before), tmp_path, 1, updater="refresh,prune",
            refresh_leaf=1, **{"lambda": lam, "alpha": alpha, "gamma": 2 * max(gamma, 0.0)},
        )
        (new,), (theirs,) = rescored_trees([tree], scored), their_trees(booster)
        same_tree(new, theirs, 0.3)


def test_the_leaves_add_up_to_the_structure_score(model):
    ours, _, _ = model
    scored = Rescorer(ours.trees).score(Values(3.0, 0.5, 1.0))
    for index, tree in enumerate(rescored_trees(ours.trees, scored)):
        leaves = tree.nodes[tree.is_leaf]
        soft = np.sign(leaves["sum_gradient"]) * np.maximum(np.abs(leaves["sum_gradient"]) - 1.0, 0)
        total = -0.5 * (soft**2 / (leaves["sum_hessian"] + 3.0)).sum() + 0.5 * len(leaves)
        assert scored.totals.structure_score[index] == pytest.approx(total, rel=1e-12)
        assert tree.structure_score == pytest.approx(total, rel=1e-12)


def _leaves(theirs):
    reached, waiting = 0, [0]
    while waiting:
        node = waiting.pop()
        if theirs.left[node] < 0:
            reached += 1
        else:
            waiting += [theirs.left[node], theirs.right[node]]
    return reached


def _named(x, booster):
    return xgboost.DMatrix(x, feature_names=booster.feature_names, feature_types=booster.feature_types)
