"""XGBoost's own `process_type=update` on models that it loads from our files.

`prune` reads the gains that the file keeps, so it means the same on every tree. `refresh` sums the gradients
anew from the rows and the trees before, as it has refreshed them; ours hold the earlier trees fixed. The two
mean the same on a round whose earlier trees are given as a margin, which is how each round is handed over.

Where they do not mean the same:

* A count's h is e^ŷ here and e^(ŷ + 0.7) there, with weights held within ±0.7, unless it is told a
  `max_delta_step` of 0; another one raises its h, too.
* With α and a largest step at once XGBoost adds α|w| to what a node scores where the objective takes 2α|w|
  off, so that gains, and what is pruned, differ. The leaf weights are the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
import pytest
import xgboost

import workbench
from tests.reference.xgboost_trees import their_trees
from workbench.data.encoding import encode
from workbench.ensembles.prediction import raw_predictions
from workbench.explain.what_if.rescored_trees import rescored_trees
from workbench.explain.what_if.rescoring import Rescorer, Values
from workbench.parameters.training import TrainingParams

ROUNDS, ROWS = 4, 600
THEIR_NAMES = {"squared": "reg:squarederror", "logistic": "binary:logistic", "softmax": "multi:softprob",
               "poisson": "count:poisson"}


@dataclass(frozen=True)
class Case:
    """What a model is trained with; all rows have missing values here and there."""

    objective: str
    base: float = 0.5  # one that XGBoost can say itself: no tree of its own for it in the file
    is_weighted: bool = False
    has_categories: bool = False
    params: dict = field(default_factory=dict)
    theirs: dict = field(default_factory=dict)


CASES = {
    "squared": Case("squared"),
    "logistic": Case("logistic"),
    "squared with weights": Case("squared", is_weighted=True),
    "logistic with weights": Case("logistic", is_weighted=True),
    "softmax": Case("softmax", 0.0),
    "softmax with weights": Case("softmax", 0.0, is_weighted=True),
    "poisson": Case("poisson", 1.0, theirs={"max_delta_step": 0.0}),
    "poisson with weights": Case("poisson", 1.0, is_weighted=True, theirs={"max_delta_step": 0.0}),
    "one category against the rest": Case("logistic", has_categories=True, params={"max_cat_to_onehot": 100}),
    "several categories": Case("squared", has_categories=True, params={"max_cat_to_onehot": 1}),
    "largest step": Case("logistic", params={"max_delta_step": 0.7}, theirs={"max_delta_step": 0.7}),
}


@dataclass(frozen=True)
class Made:
    """A model and its rows."""

    case: Case
    model: object
    frame: pd.DataFrame
    target: np.ndarray
    weight: np.ndarray | None

    def matrix(self, margin=None):
        return xgboost.DMatrix(
            self.frame, self.target, weight=self.weight, base_margin=margin, enable_categorical=True)

    @property
    def features(self):
        return encode(self.model.schema, self.frame)

    @property
    def rounds(self):
        """The trees of each round."""
        trees, outputs = self.model.trees, self.model.ensemble.n_classes
        return [trees[begin : begin + outputs] for begin in range(0, len(trees), outputs)]


@pytest.fixture(scope="module", params=CASES.values(), ids=list(CASES))
def made(request):
    case, rng = request.param, np.random.default_rng(2)
    x = rng.normal(size=(ROWS, 5)).astype(np.float32)
    colour = rng.integers(0, 7, ROWS)
    y = x[:, 0] * (x[:, 2] > 0) + 0.5 * x[:, 3] + rng.normal(0, 0.5, ROWS)
    y += np.array([0.0, 1.0, -1.0, 0.3, 2.0, -2.0, 0.1])[colour] if case.has_categories else 0.0
    x[::9, 1] = x[::7, 0] = np.nan
    y = {"squared": y, "logistic": (y > 0).astype(int), "softmax": np.digitize(y, [-0.5, 0.5]),
         "poisson": rng.poisson(np.exp(0.5 * y))}[case.objective]
    frame = pd.DataFrame(x, columns=list("abcde"))
    if case.has_categories:
        frame["colour"] = pd.Categorical(np.array(list("RGBYKWV"))[colour])
        frame.loc[::11, "colour"] = None
    weight = rng.uniform(0.2, 3.0, ROWS) if case.is_weighted else None
    params = TrainingParams(
        objective=case.objective, rounds=ROUNDS, max_depth=5, learning_rate=0.3, base_score=case.base,
        threads=1, **case.params)
    model = workbench.fit(frame, y, weight=weight, params=params)
    return Made(case, model, frame, y, weight)


def updated(made, model, tmp_path, margin=None, **params):
    """Return the booster after XGBoost has gone over the model's trees."""
    path = tmp_path / "model.json"
    model.save(path)
    booster = xgboost.Booster(model_file=path)
    fixed = {"process_type": "update", "learning_rate": 0.3, "max_depth": 0, "nthread": 1, "verbosity": 0,
             "objective": THEIR_NAMES[made.case.objective], **made.case.theirs}
    if made.model.ensemble.n_classes > 1:
        fixed["num_class"] = made.model.ensemble.n_classes
    return xgboost.train(fixed | params, made.matrix(margin), booster.num_boosted_rounds(), xgb_model=booster)


def refreshed(made, place, tmp_path, lam, alpha, gamma):
    """Return one round as XGBoost refreshes it, and prunes it with a γ, on what the rounds before predict."""
    trees = made.rounds[place]
    alone = replace(made.model, ensemble=made.model.ensemble.with_trees(trees), history=())
    before = raw_predictions(made.model.ensemble, made.features, place)
    pruning = {"updater": "refresh"} if gamma is None else {"updater": "refresh,prune", "gamma": 2 * gamma}
    penalties = {"lambda": lam, "alpha": alpha}
    booster = updated(made, alone, tmp_path, before, refresh_leaf=1, **penalties, **pruning)
    return their_trees(booster)


def gammas(rescored):
    """Values of γ midway between two critical ones, where no rounding decides."""
    critical = np.sort(rescored.critical)
    middles = 0.5 * (critical[1:] + critical[:-1])
    clear = middles[np.diff(critical) > 1e-4]
    return clear[[len(clear) // 4, len(clear) // 2, -2]]


def same_tree(ours, theirs, rate, *, gains=True):
    """Walk both down at once: the same questions, and leaves within 1e-5; the number of nodes."""
    pairs, reached = [(0, 0)], 0
    while pairs:
        node, other = pairs.pop()
        record = ours.nodes[node]
        reached += 1
        assert ours.is_leaf[node] == (theirs.left[other] < 0)
        assert record["weight"] * rate == pytest.approx(theirs.weight[other] * rate, rel=1e-5, abs=1e-5)
        if ours.is_leaf[node]:
            assert record["leaf_value"] == pytest.approx(theirs.threshold[other], rel=1e-5, abs=1e-6)
            continue
        assert record["feature"] == theirs.feature[other]
        sides = [theirs.left[other], theirs.right[other]]
        if ours.category_begin[node] < ours.category_begin[node + 1]:
            sides.reverse()  # a category that is listed goes left here and right there
        else:
            assert record["threshold"] == theirs.threshold[other]
        change = 2 * (record["gain"] + ours.gamma)
        if gains:
            assert change == pytest.approx(theirs.loss_change[other], rel=1e-5, abs=1e-5)
        pairs += [(int(record["left"]), sides[0]), (int(record["right"]), sides[1])]
    return reached


@pytest.mark.sampled
@pytest.mark.sampled
def test_pruning_alone_equals_prune_on_every_tree(made, tmp_path):
    ours = made.model
    rescorer = Rescorer(ours.trees)
    for gamma in gammas(rescorer.score(Values())):
        scored = rescorer.score(Values(gamma=gamma))
        booster = updated(made, ours, tmp_path, updater="prune", gamma=2 * gamma)
        theirs, new = their_trees(booster), rescored_trees(ours.trees, scored)
        assert 0 < scored.n_splits < sum(tree.n_leaves - 1 for tree in ours.trees)
        assert sum(tree.n_leaves - 1 for tree in new) == sum(_splits(tree) for tree in theirs)
        pruned = ours.ensemble.with_trees(new)
        margin = booster.predict(made.matrix(), output_margin=True)
        assert np.abs(raw_predictions(pruned, made.features) - margin).max() < 1e-5


@pytest.mark.sampled
@pytest.mark.sampled
@pytest.mark.parametrize("values", [(10.0, 0.0), (0.0, 0.0), (3.0, 2.5), (25.0, 8.0)])
def test_new_lambda_and_alpha_equal_refresh_of_each_round(made, tmp_path, values):
    lam, alpha = values
    if made.case.params.get("max_delta_step"):
        alpha = 0.0  # see above
    for place, trees in enumerate(made.rounds):
        rescorer = Rescorer(trees)
        gamma = max(gammas(rescorer.score(Values(lam, None, alpha)))[0], 0.0)
        new = rescored_trees(trees, rescorer.score(Values(lam, gamma, alpha)))
        theirs = refreshed(made, place, tmp_path, lam, alpha, gamma)
        assert len(new) == len(theirs)
        for one, other in zip(new, theirs, strict=True):
            same_tree(one, other, 0.3)


@pytest.mark.parametrize("made", [CASES["largest step"]], indirect=True)
def test_with_alpha_and_a_largest_step_the_leaves_are_equal_and_the_gains_are_not(made, tmp_path):
    (tree,) = made.rounds[0]
    (new,) = rescored_trees([tree], Rescorer([tree]).score(Values(3.0, -1e6, 2.5)))
    (theirs,) = refreshed(made, 0, tmp_path, 3.0, 2.5, None)
    assert same_tree(new, theirs, 0.3, gains=False) == tree.n_nodes
    with pytest.raises(AssertionError):
        same_tree(new, theirs, 0.3)


def test_the_leaves_add_up_to_the_structure_score(made):
    if made.case.params.get("max_delta_step"):
        pytest.skip("Leaves that are held to a largest step score otherwise.")
    trees = made.model.trees
    scored = Rescorer(trees).score(Values(3.0, 0.5, 1.0))
    for index, tree in enumerate(rescored_trees(trees, scored)):
        leaves = tree.nodes[tree.is_leaf]
        soft = np.sign(leaves["sum_gradient"]) * np.maximum(np.abs(leaves["sum_gradient"]) - 1.0, 0)
        total = -0.5 * (soft**2 / (leaves["sum_hessian"] + 3.0)).sum() + 0.5 * len(leaves)
        assert scored.totals.structure_score[index] == pytest.approx(total, rel=1e-12)
        assert tree.structure_score == pytest.approx(total, rel=1e-12)


def _splits(theirs):
    reached, waiting = 0, [0]
    while waiting:
        node = waiting.pop()
        if theirs.left[node] >= 0:
            reached += 1
            waiting += [theirs.left[node], theirs.right[node]]
    return reached
