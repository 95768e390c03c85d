"""A model that is opened again, and the table that it was trained on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from workbench.data.dataset import build_dataset
from workbench.data.reading import read_table
from workbench.ensembles.base import make_trainer
from workbench.formats.load import load_model
from workbench.formats.snapshot import snapshot
from workbench.parameters.training import TrainingParams
from workbench.session.opening.attaching import attach, plan_of
from workbench.session.plan import Plan


def never():
    return False


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    random = np.random.default_rng(0)
    lines = ["day,age,plan,spend,w,late,seen"]
    for row in range(200):
        age, plan = int(random.integers(18, 80)), "abc"[int(random.integers(3))]
        late = "late" if age + 20 * (plan == "a") + random.normal(0, 9) > 55 else "on time"
        spend = random.random()
        lines.append(f"2024-01-{row % 28 + 1:02d},{age},{plan},{spend:.3f},{1 + row % 3},{late},2024-02-01")
    made = tmp_path_factory.mktemp("attaching") / "orders.csv"
    made.write_text("\n".join(lines))
    return made


PLAN = Plan(
    roles={"day": "ignore", "age": "feature", "plan": "feature", "spend": "ignore", "w": "weight",
           "late": "target", "seen": "feature"},
    objective="logistic", target_guessed=False, valid_fraction=0.35, split_seed=4, stratified=False,
    positive="on time",
)  # fmt: skip


@pytest.fixture(scope="module")
def trained(path):
    dataset = build_dataset(
        read_table(path), PLAN.roles, "binary", valid_fraction=PLAN.valid_fraction, seed=PLAN.split_seed,
        stratified=PLAN.stratified, positive=PLAN.positive,
    )
    params = TrainingParams(objective="logistic", rounds=5, reg_lambda=5.8)
    first, *rounds, _ = make_trainer(dataset, params).rounds()
    return dataset, snapshot(dataset.schema, first, rounds)


@pytest.fixture(scope="module")
def model(trained, tmp_path_factory):
    saved = tmp_path_factory.mktemp("model") / "model.json"
    trained[1].save(saved)
    return load_model(saved)


def test_everything_comes_back(model, trained, path):
    attached = attach(model, read_table(path), never)
    assert attached is not None
    assert attached.plan == PLAN
    assert attached.run.params.reg_lambda == 5.8
    dataset = attached.run.dataset
    assert np.array_equal(dataset.train_rows, trained[0].train_rows)
    assert np.array_equal(dataset.features, trained[0].features, equal_nan=True)
    assert [len(made.trees) for made in attached.run.rounds] == [1] * 5


def test_kinds_that_a_person_changed_come_back(path, trained):
    from workbench.data.values.column_types import change_kind

    table = read_table(path)
    table = table.with_column(change_kind(table.column("age"), "category")[0])
    dataset = build_dataset(table, PLAN.roles, "binary", valid_fraction=0.0)
    first, *rounds, _ = make_trainer(dataset, TrainingParams(objective="logistic", rounds=2)).rounds()
    attached = attach(snapshot(dataset.schema, first, rounds), read_table(path), never)
    assert attached.table.column("age").kind == "category"
    assert list(attached.changed) == ["age"]
    assert attached.run.dataset is not None


def test_another_table_is_not_its_own_but_may_have_its_columns(model, path):
    table = replace(read_table(path), sha256="0" * 64)
    assert attach(model, table, never) is None
    assert plan_of(model, table) == PLAN
    assert plan_of(model, replace(table, columns=table.columns[1:4])) is None


def test_a_file_that_does_not_tell_its_split_is_counted_out(model, path):
    old = replace(model, schema=replace(model.schema, split=None))
    plan = attach(old, read_table(path), never).plan
    assert (plan.valid_fraction, plan.split_seed) == (0.35, 0)


def test_rows_that_were_read_otherwise_are_not_taken_for_the_same(model, path):
    table = read_table(path)
    fewer = replace(table, columns=tuple(replace(c, values=c.values[:90]) for c in table.columns))
    attached = attach(model, fewer, never)
    assert attached.plan.target == "late"
    assert attached.run.dataset is None
