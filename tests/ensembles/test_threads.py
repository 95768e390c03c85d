"""Trainers and what-ifs in several threads at once: all that a kernel shares is what it is given."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from tests.reference.tables import random_dataset
from workbench.ensembles.base import make_trainer
from workbench.ensembles.events import RoundFinished, TrainingStarted
from workbench.ensembles.prediction import leaf_indices, raw_predictions
from workbench.metrics.base import METRICS, measure
from workbench.objectives.base import OBJECTIVES, gradients
from workbench.parameters.training import TrainingParams

pytestmark = pytest.mark.usefixtures("threads_for_few_rows")

TASKS = {"regression": "squared", "binary": "logistic", "multiclass": "softmax"}
N_ROWS = 30_000


def params_of(task, method, rounds):
    return TrainingParams(
        objective=TASKS[task], tree_method=method, rounds=rounds, max_depth=5, subsample=0.7,
        colsample_bytree=0.8, threads=2, seed=3,
    )


def trained(data, params):
    """Train, and return base, tables of all trees, and every figure of every round."""
    started, trees, figures = None, [], []
    for event in make_trainer(data, params).rounds():
        if isinstance(event, TrainingStarted):
            assert event.threads == params.threads
            started = event.ensemble
        elif isinstance(event, RoundFinished):
            trees += event.trees
            figures.append((event.loss, *event.train.values(), *event.valid.values()))
    return started.with_trees(trees), figures


def bits(run):
    ensemble, figures = run
    return [tree.nodes.tobytes() for tree in ensemble.trees], np.array(figures).tobytes()


def in_threads(calls):
    """Run the calls at once; return their answers."""
    answers = [None] * len(calls)
    start = threading.Barrier(len(calls))

    def run(k):
        start.wait()
        answers[k] = calls[k]()

    threads = [threading.Thread(target=run, args=(k,), daemon=True) for k in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=300)
    assert not any(thread.is_alive() for thread in threads)
    return answers


@pytest.mark.parametrize("method", ["hist", "exact"])
def test_three_trainers_at_once_train_what_each_trains_alone(method):
    tables = {task: random_dataset(task, n=N_ROWS, d=20, weighted=True) for task in TASKS}
    runs = [(tables[task], params_of(task, method, 4)) for task in TASKS]
    alone = [bits(trained(*run)) for run in runs]
    together = in_threads([lambda run=run: bits(trained(*run)) for run in runs])
    assert together == alone


def what_ifs(ensemble, data):
    """Ask what a window asks while a model trains; return all answers as bytes."""
    objective = OBJECTIVES.get(ensemble.objective)
    raw = raw_predictions(ensemble, data.features, serial=True)
    answers = [raw, raw_predictions(ensemble, data.features, rounds=2, threads=2)]
    answers += [leaf_indices(ensemble.trees[:3], data.features), objective.transform(raw)]
    answers += gradients(objective, data.target, raw, data.weight)
    answers += [
        np.array(measure(metric, objective, data.target, raw, data.weight))
        for metric in METRICS if objective.task in metric.tasks and metric.formula is not None
    ]
    return [np.ascontiguousarray(answer).tobytes() for answer in answers]


def keep_asking_while_training(seconds):
    for task in TASKS:
        data = random_dataset(task, n=N_ROWS, d=20, weighted=True)
        small = random_dataset(task, n=3000, d=20, weighted=True)
        params = params_of(task, "hist", 3)
        model, _ = alone = trained(data, params)
        expected, known = bits(alone), what_ifs(model, small)
        stop, models, asked, end = threading.Event(), [], 0, time.monotonic() + seconds / len(TASKS)

        def train(data=data, params=params, models=models, stop=stop):
            while not stop.is_set():
                models.append(bits(trained(data, params)))

        thread = threading.Thread(target=train, daemon=True)
        thread.start()
        while time.monotonic() < end or not models or not asked:
            assert what_ifs(model, small) == known
            asked += 1
            assert thread.is_alive()
        stop.set()
        thread.join(timeout=120)
        assert not thread.is_alive()
        assert all(model == expected for model in models)


@pytest.mark.slow
def test_what_ifs_while_a_model_trains():
    keep_asking_while_training(3)


@pytest.mark.slow
def test_what_ifs_for_a_minute():
    keep_asking_while_training(60)
