"""A run that is given the trees of its first rounds, and grows on from there."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.reference.tables import random_dataset, train
from workbench.ensembles.base import make_trainer
from workbench.ensembles.events import RoundFinished
from workbench.errors import WorkbenchError
from workbench.parameters.training import TrainingParams

SOME = st.fixed_dictionaries(
    {"tree_method": st.sampled_from(["hist", "exact", "approx"])},
    optional={
        "objective": st.sampled_from(["absolute", "squared"]),
        "num_parallel_tree": st.just(2),
        "subsample": st.just(0.6),
        "sampling_method": st.just("goss"),
        "reg_alpha": st.just(0.4),
        "gamma": st.just(0.1),
        "rate_drop": st.just(0.5),
        "learning_rate_decay": st.just(0.9),
        "colsample_bynode": st.just(0.7),
    },
)

CLASHING = ("num_parallel_tree", "reg_alpha")  # with leaves that are searched


def grown_again(data, params, rounds, started, first, count):
    """Return the events of a run that begins before round `first` and is given so many rounds."""
    begun = started.ensemble.with_rounds(rounds[: first - 1])
    before = rounds[first - 2] if first > 1 else None
    best = None
    if before is not None:
        event = rounds[before.best_round - 1]
        best = before.best_round, (event.valid or event.train)[started.watched]
    trees = tuple(event.trees for event in rounds[first - 1 : first - 1 + count])
    run = make_trainer(data, TrainingParams(**params), start=begun, best=best, given=trees)
    return [event for event in run.rounds() if isinstance(event, RoundFinished)]


def assert_same_event(one, other):
    for field in fields(RoundFinished):
        mine, its = getattr(one, field.name), getattr(other, field.name)
        if field.name == "trees":
            for a, b in zip(mine, its, strict=True):
                assert a.nodes.tobytes() == b.nodes.tobytes()
                assert a.figures == b.figures
        elif field.name == "dropout":
            assert (mine is None) == (its is None)
            assert mine is None or (mine.dropped.tolist(), mine.factor) == (its.dropped.tolist(), its.factor)
        elif field.name != "seconds":
            assert mine == its, field.name


@examples(60)
@given(
    task=st.sampled_from(["regression", "binary", "multiclass"]), chosen=SOME, has_offset=st.booleans(),
    first=st.integers(1, 4), count=st.integers(1, 2),
)
def test_trees_that_a_run_had_give_its_bits_again(task, chosen, has_offset, first, count):
    if task != "regression":
        chosen = {name: value for name, value in chosen.items() if name != "objective"}
    if chosen.get("objective") == "absolute":
        chosen = {name: value for name, value in chosen.items() if name not in CLASHING}
    if "sampling_method" in chosen:
        chosen.pop("subsample", None)
    data = random_dataset(task, n=160, n_valid=40, weighted=True)
    if has_offset and task != "multiclass":
        data = _with_offset(data)
    params = {"rounds": 6, "max_depth": 3, **chosen}
    started, rounds, _ = train(data, **params)
    again = grown_again(data, params, rounds, started, first, count)
    assert [event.round for event in again] == list(range(first, 7))
    for one, other in zip(rounds[first - 1 :], again, strict=True):
        assert_same_event(one, other)


def test_another_tree_changes_the_rounds_that_follow():
    data = random_dataset()
    params = {"rounds": 4, "max_depth": 3}
    started, rounds, _ = train(data, **params)
    fourth = train(data, rounds=4, max_depth=1)[1][1]
    swapped = [*rounds[:1], fourth, *rounds[2:]]
    again = grown_again(data, params, swapped, started, 2, 1)
    assert again[0].trees is fourth.trees
    assert again[0].loss != rounds[1].loss
    assert again[1].trees[0].nodes.tobytes() != rounds[2].trees[0].nodes.tobytes()


def test_trees_of_another_run_are_refused():
    data = random_dataset("multiclass")
    trees = train(data, rounds=1)[1][0].trees
    with pytest.raises(WorkbenchError, match="for each class"):
        make_trainer(data, TrainingParams(), given=(trees[::-1],))
    with pytest.raises(WorkbenchError, match="beyond the 6"):
        make_trainer(random_dataset(), TrainingParams(), given=(_asking(trees[:1], 9),))


def _asking(trees, column):
    nodes = trees[0].nodes.copy()
    nodes["feature"][0] = column
    return (replace(trees[0], nodes=nodes),)


def _with_offset(data):
    offset = np.random.default_rng(1).normal(size=len(data.target)).astype(np.float32)
    return replace(data, offset=offset, schema=replace(data.schema, offset="before"))
