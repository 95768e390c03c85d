from __future__ import annotations

import weakref

import numpy as np
import pytest

import workbench
from tests.reference import naive_tree
from tests.reference.tables import N_CLASSES, dataset, fitted, random_dataset, train
from workbench.data.given.arrays import dataset_from_arrays
from workbench.ensembles.base import TRAINERS
from workbench.ensembles.control import RunControl
from workbench.ensembles.events import EndReason, RoundFinished
from workbench.ensembles.newton_boosting import NewtonBoosting
from workbench.ensembles.prediction import raw_predictions
from workbench.errors import WorkbenchError
from workbench.metrics.base import METRICS, measure
from workbench.objectives.base import OBJECTIVES, gradients, loss_sum

TASKS = ("regression", "binary", "multiclass")
OBJECTIVE_OF = {"regression": "squared", "binary": "logistic", "multiclass": "softmax"}


def test_the_trainer_is_registered():
    assert TRAINERS.get("newton") is NewtonBoosting


@pytest.mark.parametrize("task", TASKS)
def test_weights_of_one_change_nothing(task):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(3000, 4)).astype(np.float32)
    y = x[:, 0] + rng.normal(size=3000)
    if task != "regression":
        y = np.digitize(y, [0.0] if task == "binary" else [-0.5, 0.5]).astype(float)
    objective = OBJECTIVES.get(OBJECTIVE_OF[task])
    metrics = tuple(m.name for m in METRICS if task in m.tasks and m.formula is not None and m.reads != "loss"
                    and not m.name.endswith("deviance"))
    chosen = {"objective": objective.name, "rounds": 3, "more_metrics": metrics, "valid_fraction": 0.45}
    without, ones = (workbench.fit(x, y, weight=weight, **chosen) for weight in (None, np.ones(3000)))
    for one, other in zip(without.trees, ones.trees, strict=True):
        assert one.nodes.tobytes() == other.nodes.tobytes()
    for one, other in zip(without.history, ones.history, strict=True):
        one.pop("seconds"), other.pop("seconds")
        assert one == other


@pytest.mark.parametrize("steered", [False, True])
def test_rows_are_let_go_once_they_are_in_bins_unless_dart_may_be_switched_on(steered):
    rng = np.random.default_rng(0)
    data = dataset_from_arrays(rng.normal(size=(500, 3)), rng.normal(size=500))
    params = workbench.TrainingParams(objective="squared", rounds=2)
    rows = weakref.ref(data.features)
    events = NewtonBoosting(data, params, RunControl() if steered else None).rounds()
    del data
    while not isinstance(next(events), RoundFinished):
        pass
    assert (rows() is not None) == steered


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("weighted", [False, True])
def test_events_add_up(task, weighted):
    data = random_dataset(task, weighted=weighted)
    params = {"rounds": 6, "subsample": 0.8, "colsample_bytree": 0.7, "gamma": 0.05, "learning_rate": 0.3}
    started, rounds, ended = train(data, **params)
    objective = OBJECTIVES.get(OBJECTIVE_OF[task])
    k = max(1, N_CLASSES[task] if task == "multiclass" else 1)
    assert started.ensemble.objective == objective.name
    assert started.ensemble.n_classes == k
    assert started.metrics == objective.metrics
    assert (started.n_train, started.n_valid) == (400, 100)
    assert [r.round for r in rounds] == [1, 2, 3, 4, 5, 6]
    assert ended.reason is EndReason.FINISHED
    assert (ended.round, ended.best_round) == (6, rounds[-1].best_round)

    ensemble, before, omega = started.ensemble, started.initial_loss, 0.0
    rows, held = data.train_rows, data.valid_rows
    w = data.weight if weighted else np.ones(500)
    for event in rounds:
        assert [t.class_index for t in event.trees] == list(range(k))
        ensemble = ensemble.with_trees((*ensemble.trees, *event.trees))
        raw = raw_predictions(ensemble, data.features)
        loss = loss_sum(objective, data.target[rows], raw[rows], w[rows])
        assert event.loss == pytest.approx(loss, rel=1e-12)
        omega += sum(t.omega for t in event.trees)
        assert event.omega == pytest.approx(omega)
        assert event.omega == pytest.approx(event.omega_leaves + event.omega_weights)
        assert event.gain == pytest.approx(sum(t.total_gain for t in event.trees))
        assert event.leaves == sum(t.n_leaves for t in event.trees)
        assert event.depth == max(t.depth for t in event.trees)
        assert event.structure_score == pytest.approx(sum(t.structure_score for t in event.trees))
        for name in objective.metrics:
            metric = METRICS.get(name)
            for part, values in ((rows, event.train), (held, event.valid)):
                expected = measure(metric, objective, data.target[part], raw[part], w[part])
                assert values[name] == pytest.approx(expected, rel=1e-9)
        assert event.seconds > 0
        before = event.loss
    assert before < started.initial_loss


@pytest.mark.parametrize("task", TASKS)
def test_promised_and_delivered(task):
    data = random_dataset(task)
    started, rounds, _ = train(data, rounds=3, learning_rate=0.05)
    before = started.initial_loss
    for event in rounds:
        assert event.delivered == pytest.approx(event.loss - before)
        # XGBoost's doubled hessian of softmax promises less than it delivers.
        assert event.promised == pytest.approx(event.delivered, rel=0.15)
        before = event.loss
    if task == "regression":
        assert rounds[0].promised == pytest.approx(rounds[0].delivered, rel=1e-6)


def test_delivered_counts_the_drawn_rows_only():
    data = random_dataset()
    _, rounds, _ = train(data, rounds=1, subsample=0.5, learning_rate=1.0, reg_lambda=0.0)
    assert rounds[0].trees[0].nodes["count"][0] == 200
    assert rounds[0].delivered == pytest.approx(rounds[0].promised, rel=1e-6)


@pytest.mark.parametrize("task", TASKS)
def test_node_sums_are_those_of_the_model_so_far(task):
    data = random_dataset(task)
    started, rounds, _ = train(data, rounds=3)
    objective = OBJECTIVES.get(OBJECTIVE_OF[task])
    ensemble = started.ensemble
    rows = data.train_rows
    for event in rounds:
        raw = raw_predictions(ensemble, data.features[rows])
        g, h = gradients(objective, data.target[rows], raw)
        for tree in event.trees:
            own_g, own_h = (a if a.ndim == 1 else a[:, tree.class_index] for a in (g, h))
            for node, mask in enumerate(naive_tree.rows_by_node(tree, data.features[rows])):
                assert tree.nodes["count"][node] == mask.sum()
                assert tree.nodes["sum_gradient"][node] == pytest.approx(own_g[mask].sum(), abs=1e-9)
                assert tree.nodes["sum_hessian"][node] == pytest.approx(own_h[mask].sum(), rel=1e-9)
        ensemble = ensemble.with_trees((*ensemble.trees, *event.trees))


def test_the_same_seed_gives_the_same_trees():
    data = random_dataset("binary")
    params = {"rounds": 5, "subsample": 0.5, "colsample_bytree": 0.5}
    one, two, other = (fitted(data, seed=seed, **params) for seed in (1, 1, 2))
    assert [t.nodes.tobytes() for t in one.trees] == [t.nodes.tobytes() for t in two.trees]
    assert [t.nodes.tobytes() for t in one.trees] != [t.nodes.tobytes() for t in other.trees]


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.usefixtures("threads_for_few_rows")
def test_threads_change_nothing(task):
    data = random_dataset(task, n=24_000, d=40, n_valid=11_000)
    params = {"rounds": 4, "subsample": 0.7, "colsample_bytree": 0.7, "max_depth": 8}
    runs = [train(data, threads=threads, **params) for threads in (1, 2, 3)]
    for _, rounds, _ in runs[1:]:
        for event, expected in zip(rounds, runs[0][1], strict=True):
            assert [t.nodes.tobytes() for t in event.trees] == [t.nodes.tobytes() for t in expected.trees]
            assert (event.loss, event.delivered, event.valid) == (
                expected.loss, expected.delivered, expected.valid
            )


def test_weights_repeat_rows():
    rng = np.random.default_rng(0)
    features, times = rng.integers(0, 9, (300, 4)), rng.integers(1, 4, 300)
    target = features[:, 0] + features[:, 1] * features[:, 2] + rng.normal(size=300)
    again = np.repeat(np.arange(300), times)
    params = {"rounds": 5, "max_depth": 4}
    weighted = fitted(dataset(features, target, weight=times), **params)
    repeated = fitted(dataset(features[again], target[again]), **params)
    assert weighted.base_margin == pytest.approx(repeated.base_margin)
    for a, b in zip(weighted.trees, repeated.trees, strict=True):
        np.testing.assert_array_equal(a.nodes["threshold"], b.nodes["threshold"])
        np.testing.assert_allclose(a.nodes["weight"], b.nodes["weight"], rtol=1e-4)
        np.testing.assert_allclose(a.nodes["gain"], b.nodes["gain"], rtol=1e-4)


def test_early_stopping():
    rng = np.random.default_rng(0)
    data = dataset(rng.normal(size=(200, 5)), rng.normal(size=200), n_valid=100)
    _, rounds, ended = train(data, rounds=500, early_stopping_rounds=7, learning_rate=0.5)
    best = min(rounds, key=lambda r: r.valid["rmse"]).round
    assert ended.reason is EndReason.EARLY
    assert ended.best_round == best
    assert ended.round == best + 7


def test_early_stopping_needs_validation_rows():
    _, rounds, ended = train(random_dataset(n_valid=0), rounds=20, early_stopping_rounds=1, gamma=1e6)
    assert ended.reason is EndReason.FINISHED
    assert rounds[-1].valid == {}
    assert rounds[-1].best_round >= 1


def test_watching_another_metric():
    data = random_dataset("binary")
    started, rounds, ended = train(data, rounds=15, metric="auc")
    assert started.metrics == ("auc", "logloss", "error")
    assert started.watched == "auc"
    assert ended.best_round == 1 + np.argmax([r.valid["auc"] for r in rounds])


def test_auc_of_many_training_rows_is_left_out():
    data = random_dataset("binary", n=61_000, n_valid=1000)
    _, rounds, _ = train(data, rounds=1)
    assert "auc" not in rounds[0].train
    assert "auc" in rounds[0].valid


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"objective": "logistic"}, "binary"),
        ({"metric": "auc"}, "cannot be taken"),
        ({"metric": "nonsense"}, "no metric"),
        ({"objective": "nonsense"}, "no objective"),
    ],
)
def test_what_does_not_fit_is_refused(params, words):
    with pytest.raises(WorkbenchError, match=words):
        train(random_dataset(), rounds=1, **params)


def test_predictions_that_explode_are_told():
    data = dataset([[0], [1]], [-3e38, 3e38])
    with pytest.raises(WorkbenchError, match="round 1"):
        train(data, rounds=1, base_score=3e38, learning_rate=1.0, reg_lambda=0.0, max_depth=1)


@pytest.mark.parametrize(
    "data",
    [
        dataset([[1.0], [2.0]], [0.0, 1.0]),
        dataset([[1.0], [2.0]], [5.0, 5.0]),
        dataset([[np.nan], [np.nan]], [0.0, 1.0]),
        dataset([[1.0, np.nan], [2.0, np.nan]], [0.0, 1.0], "binary"),
        dataset([[1.0], [2.0], [3.0]], [0.0, 1.0, 2.0], "multiclass"),
        dataset([[1.0], [2.0], [3.0]], [0.0, 1.0, 2.0], weight=[0, 0, 1]),
        dataset([[1.0], [2.0], [3.0]], [0.0, 1.0, 2.0], weight=[0, 0, 0]),
        dataset([[1.0], [2.0], [3.0]], [0.0, 1.0, 1.0], "binary", n_valid=1),
    ],
)
@pytest.mark.parametrize("reg_lambda", [0.0, 1.0])
def test_small_tables(data, reg_lambda):
    _, rounds, ended = train(data, rounds=3, min_child_weight=0.0, reg_lambda=reg_lambda, max_depth=30)
    assert ended.round == 3
    for tree in (t for r in rounds for t in r.trees):
        assert np.isfinite(tree.nodes["weight"]).all()


def test_a_few_rows_are_learned_by_heart():
    data = dataset([[1.0], [2.0], [3.0], [4.0]], [3.0, -1.0, 4.0, 0.5])
    ensemble = fitted(data, rounds=1, learning_rate=1.0, reg_lambda=0.0, min_child_weight=0.0)
    np.testing.assert_allclose(raw_predictions(ensemble, data.features), data.target, rtol=1e-6)
