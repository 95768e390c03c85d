"""A session of several runs with branches, really trained on few rows."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from workbench.session.objective_facts import known_objectives
from workbench.study.study import Study

ROUNDS = 8


@cache
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    made = pd.DataFrame(rng.normal(size=(160, 4)), columns=["age", "height", "pressure", "pulse"])
    signal = made.age * 2 + made.height**2 + rng.normal(size=160)
    return made.assign(ill=np.where(signal > 1, "yes", "no"))


def trained_study() -> Study:
    """Run 1, its branches 2 and 3, and 4 off 3."""
    study = Study(frame(), target="ill")
    study.session.data.objectives = known_objectives()
    first = study.train(rounds=ROUNDS, max_depth=2)
    first.branch(at=3, learning_rate=0.02).grow()
    third = first.branch(at=5, reg_lambda=4.0, gamma=0.5).grow()
    third.branch(at=6, max_depth=4).grow()
    study.session.shown.show(study.session.runs[0])
    return study


def linear_study() -> Study:
    """A path of 12 rounds over eight columns of numbers and one of categories."""
    rng = np.random.default_rng(6)
    made = pd.DataFrame(rng.normal(size=(160, 8)), columns=[f"x{i}" for i in range(8)])
    made["kind"] = rng.choice(["u", "v", "w"], 160)
    made["y"] = made.x0 * 3 + made.x1 - 2.0 * (made.kind == "u") + rng.normal(size=160)
    study = Study(made, target="y")
    study.session.data.objectives = known_objectives()
    study.train(method="linear", rounds=12, l1_ratio=0.5)
    return study
