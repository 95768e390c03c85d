"""A run with DART in a session: every round's model, also of a run that was opened from a file."""

from __future__ import annotations

import numpy as np
import pytest

import workbench
from tests.reference.tables import random_dataset, train
from workbench.commands.inspect import overview, tree_view
from workbench.ensembles.prediction import raw_predictions
from workbench.explain.replay import Replay
from workbench.formats.snapshot import snapshot
from workbench.parameters.training import TrainingParams
from workbench.session.opening.imported import run_of
from workbench.session.run import Run
from workbench.session.run_parts.parameter_change import ParameterChange


@pytest.fixture(scope="module")
def trained():
    data = random_dataset("multiclass", n=300)
    started, rounds, ended = train(data, rounds=8, rate_drop=0.4, learning_rate=0.4, max_depth=3)
    run = Run(1, started.params)
    run.dataset, run.schema = data, data.schema
    for event in (started, *rounds, ended):
        run.apply(event)
    return run


def test_every_round_of_a_run_is_the_model_of_then(trained, tmp_path):
    features = trained.dataset.features
    kept = trained.kept()
    whole = snapshot(kept.schema, kept.started, kept.rounds, kept.ended)
    whole.save(tmp_path / "m.json")
    opened = run_of(workbench.load_model(tmp_path / "m.json"))
    replay = Replay(trained.dataset, kept.started.ensemble, trained.params, trained.rounds)
    for rounds in range(1, 9):
        expected = raw_predictions(whole.first_rounds(rounds).ensemble, features)
        model = snapshot(kept.schema, kept.started, kept.rounds, keep=rounds).ensemble
        for ensemble in (trained.ensemble(rounds), opened.ensemble(rounds), model):
            assert np.array_equal(raw_predictions(ensemble, features), expected)
        assert np.array_equal(replay.after(rounds).T, expected)
    assert opened.ended.cuts == trained.ended.cuts
    assert len(opened.ended.cuts) == features.shape[1]
    assert [r.dropout is None for r in opened.rounds] == [r.dropout is None for r in trained.rounds]


def test_what_a_tree_counts_is_told(trained, tmp_path):
    kept = trained.kept()
    model = snapshot(kept.schema, kept.started, kept.rounds, kept.ended)
    weights = model.ensemble.tree_weights
    place = int(np.flatnonzero(weights != 1)[0])
    assert overview(model)["trees"][place]["counts"] == float(weights[place])
    assert f"counts {weights[place]:.6g} times" in tree_view(model, place + 1)[0]
    assert "counts" not in tree_view(model, len(weights))[0]
    dropped = [row.get("dropped", 0) for row in model.history]
    assert dropped == [0 if r.dropout is None else len(r.dropout.dropped) for r in trained.rounds]


def test_a_switch_that_changed_is_told_in_words():
    assert ParameterChange(3, "one_drop", False, True).text == "DART: at least one no → yes"
    assert TrainingParams(one_drop=True).to_dict()["one_drop"] is True
