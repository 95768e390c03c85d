"""Studies with something to tell, for the tests of projects."""

from __future__ import annotations

import numpy as np
import pandas as pd

from workbench.study.study import Study

RNG = np.random.default_rng(3)
FRAME = pd.DataFrame({
    "a": RNG.normal(size=90), "day": pd.date_range("2026-01-01", periods=90), "b": RNG.integers(0, 5, 90),
    "c": RNG.choice(["Ulm", "Bonn", "Kiel, dpt"], 90), "n": np.arange(90) + 16_777_216,
})  # fmt: skip
FRAME["y"] = FRAME.a + (FRAME.c == "Ulm") * 2.0


def told_story(data=FRAME, **more) -> Study:
    """A study that steers, branches, applies a what-if, takes something back, and notes things."""
    study = Study(data, target="y", roles={"n": "ignore"}, **more)
    study.kind("b", "category")
    run = study.train(rounds=9, max_depth=3, until=3)
    run.change(reg_lambda=4.0)
    run.grow(until=6)
    run.stop()
    run.grow(3)
    branch = run.branch(at=4, learning_rate=0.4, forbidden_columns=["a"]).grow()
    branch.rename("Other “one”")
    branch.note = "No a.\nSo worse."
    run.pin()
    study.hold_out(0.5, 3)
    study.train(rounds=4, subsample=0.5, num_parallel_tree=2)
    run.rescore(reg_lambda=9.0).grow(2)
    leaf = run.at(5).trees[0].n_nodes - 1
    run.set_weight(5, leaf, 0.25, reason="by hand").prune(3, 0).grow(3)
    study.train(rounds=2).delete()
    study.role("day", "ignore")
    study.undo()
    study.undo()
    return study
