"""AdaBoost that goes on from discrete to real, beside stumps of numpy that do."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from workbench.formats.explanations import staged_raw
from workbench.session.editing import editor_of
from workbench.study.study import Study


def stump(x, s, weight):
    """Return which rows go left of the cut with the least weighted Gini impurity."""
    best = (np.inf, None)
    for values in x.T:
        for value in np.unique(values)[:-1]:
            left, impurity = values <= value, 0.0
            for side in (left, ~left):
                whole, ones = weight[side].sum(), weight[side][s[side] > 0].sum()
                impurity += ones * (whole - ones) / whole
            best = min(best, (impurity, left), key=lambda found: found[0])
    return best[1]


def boosted(x, s, weight, ways):
    """Return F after each round; the weights of the rows are those of F alone."""
    total, found = np.zeros(len(s)), []
    for way in ways:
        omega = weight * np.exp(-s * total)
        omega /= omega.sum()
        left = stump(x, s, omega)
        step = np.zeros(len(s))
        for side in (left, ~left):
            p = omega[side][s[side] > 0].sum() / omega[side].sum()
            step[side] = np.sign(p - 0.5) if way == "discrete" else 0.5 * np.log(p / (1 - p))
        if way == "discrete":
            error = omega[step != s].sum()
            step *= 0.5 * np.log((1 - error) / error)
        total = total + step
        found.append(total)
    return found


@pytest.mark.parametrize("ways", [("discrete", "real"), ("real", "discrete")])
def test_the_sums_go_on_the_other_way(ways):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.integers(0, 9, (120, 3)).astype(float), columns=list("abc"))
    frame["y"] = np.where(frame.a + frame.b + rng.normal(0, 4, 120) > 8, "yes", "no")
    frame["w"] = rng.uniform(0.5, 2.0, 120)
    made = Study(frame, target="y", valid_fraction=0.0, roles={"w": "weight"})
    usual = {"method": "adaboost", "max_depth": 1, "tree_method": "exact", "learning_rate": 1.0}
    branch = made.train(rounds=6, adaboost=ways[0], **usual).branch(at=3, adaboost=ways[1]).grow()
    x, s = frame[list("abc")].to_numpy(), np.where(frame.y == "yes", 1.0, -1.0)
    told = boosted(x, s, frame.w.to_numpy(), [ways[0]] * 3 + [ways[1]] * 3)
    own = list(staged_raw(branch.run.ensemble(), branch.run.dataset.features, None))
    for mine, theirs in zip(own, told, strict=True):
        np.testing.assert_allclose(mine.reshape(-1), theirs, rtol=1e-5, atol=1e-5)
    assert [("beta" in event.extras) for event in branch.run.rounds] == [
        way == "discrete" for way in [ways[0]] * 3 + [ways[1]] * 3]  # fmt: skip
    for round in (2, 5):
        replay = editor_of(branch.run, round).replay
        assert replay.objective.is_real == (ways[round > 3] == "real")
