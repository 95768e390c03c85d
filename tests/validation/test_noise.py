"""Refits are other draws of the same split, and the same number is the same refit."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from workbench.data.dataset import build_dataset
from workbench.data.given.frames import table_from_frame
from workbench.errors import WorkbenchError
from workbench.parameters.training import TrainingParams
from workbench.study.study import Study
from workbench.validation.noise import redrawn, refits
from workbench.validation.noise_floor import NoiseFloor

RNG = np.random.default_rng(2)
FRAME = pd.DataFrame({"a": RNG.normal(size=120), "g": RNG.integers(0, 12, 120), "t": np.arange(120.0)})
FRAME["y"] = (FRAME.a + RNG.normal(size=120) > 0).astype(int)
TABLE = table_from_frame(FRAME)
ROLES = {"a": "feature", "g": "ignore", "t": "ignore", "y": "target"}


def made(**split):
    return build_dataset(TABLE, ROLES, "binary", valid_fraction=0.25, **split)


def test_rows_at_random_and_groups_are_divided_anew() -> None:
    dataset = made()
    first, second, again = redrawn(dataset, 0), redrawn(dataset, 1), redrawn(dataset, 0)
    assert len(first.valid_rows) == len(dataset.valid_rows)
    assert not np.array_equal(first.valid_rows, second.valid_rows)
    np.testing.assert_array_equal(first.valid_rows, again.valid_rows)
    share = [dataset.target[rows].mean() for rows in (first.train_rows, first.valid_rows)]
    assert share[0] == pytest.approx(share[1], abs=0.02)
    grouped = redrawn(made(split_by="groups", split_column="g"), 3, TABLE.column("g"))
    assert not set(FRAME.g[grouped.train_rows]) & set(FRAME.g[grouped.valid_rows])


def test_rows_that_are_not_drawn_are_drawn_again_with_replacement() -> None:
    dataset = made(split_by="time", split_column="t")
    part = redrawn(dataset, 0)
    np.testing.assert_array_equal(part.train_rows, dataset.train_rows)
    assert len(part.valid_rows) == len(dataset.valid_rows)
    assert set(part.valid_rows) < set(dataset.valid_rows)


def test_a_refit_depends_on_its_number_and_on_no_thread() -> None:
    dataset = made()
    params = TrainingParams(objective="logistic", max_depth=2, subsample=0.8, threads=1)
    every = list(refits(dataset, params, 3, wanted=4))
    later = list(refits(dataset, params.change(threads=3), 3, first=2, wanted=4))
    for one, other in zip(every[2:], later, strict=True):
        assert one.number == other.number
        np.testing.assert_array_equal(one.valid["logloss"], other.valid["logloss"])
    assert len(every[0].valid["logloss"]) == 3
    floor = NoiseFloor(3, refits=every)
    assert len(floor.half_width("logloss")) == 0, "four refits tell no spread"
    assert np.isnan(floor.at("logloss", 2))
    floor.refits = every * 3
    assert floor.at("logloss", 99) == floor.half_width("logloss")[-1] > 0


def test_a_study_validates_its_runs() -> None:
    study = Study(FRAME, target="y", roles={"g": "ignore", "t": "ignore"}, valid_fraction=0.25)
    run = study.train(rounds=3, max_depth=2)
    floor = run.noise_floor(8)
    assert floor.at("logloss", 3) > 0
    named = run.cross_validate(3, groups="g")
    assert named.is_whole
    assert sorted(named.out_of_fold.rows) == list(range(120))
    alone = Study(FRAME, target="y", valid_fraction=0.0).train(rounds=2)
    with pytest.raises(WorkbenchError, match="holds no rows out"):
        alone.noise_floor()
    with pytest.raises(WorkbenchError, match="clash"):
        alone.cross_validate(groups="g", by_time="t")
