"""What goes wrong on a cluster is one line; the rounds before it stay, and a run goes on from them."""

from __future__ import annotations

import os
import subprocess
import sys

import pandas as pd
import pytest

from tests.cluster.runs import SAMPLES, dataset, run_of
from workbench.cluster.connection import Connection, connect, versions
from workbench.cluster.open_run import run_of_path
from workbench.cluster.refusals import LACKING
from workbench.cluster.where import Where
from workbench.ensembles.breakpoints.goals import RunTo
from workbench.ensembles.control import RunControl
from workbench.errors import WorkbenchError
from workbench.parameters.training import TrainingParams


@pytest.mark.slow
def test_killed_workers_keep_the_rounds_and_continue_ends_the_run():
    """In a process of its own: the tracker of a broken run waits on for a while, in the scheduler's."""
    command = [sys.executable, "-c", "from tests.cluster.kills import main; main(30)"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.count("ended with all rounds") == 30


@pytest.mark.slow
def test_nothing_is_left_there_after_a_run_that_was_left(few):
    params = TrainingParams(rounds=5000, max_depth=2)
    data = dataset("heart_disease", "disease", params)
    connection = few(2)
    events = run_of(data, params, connection).rounds()
    for _ in range(4):
        next(events)
    events.close()
    assert_nothing_is_left(connection)


@pytest.mark.slow
def test_nothing_is_left_there_after_a_run_that_came_to_its_end(few):
    """Of one to which nothing was said, and of one that was told after each round how far to go."""
    params = TrainingParams(rounds=4, max_depth=2)
    data = dataset("heart_disease", "disease", params)
    connection = few(2)
    for control in (None, RunControl([RunTo(20)])):
        list(run_of(data, params, connection, control).rounds())
        assert_nothing_is_left(connection)


@pytest.mark.slow
def test_the_rows_of_a_run_that_ended_are_let_go_of_at_once(few, tmp_path):
    """Those that were sent and those that were read there, though Python collects nothing."""
    connection, client = few(2), few(2).client
    params = TrainingParams(rounds=2, max_depth=2)
    pd.read_csv(SAMPLES / "heart_disease.csv").to_parquet(tmp_path / "heart.parquet")
    before = connection.tell_scheduler(_tasks)
    list(run_of(dataset("heart_disease", "disease", params), params, connection).rounds())
    list(run_of_path(client, str(tmp_path), {"disease": "target"}, params).events())
    for _ in range(100):
        left = set(connection.tell_scheduler(_tasks)) - set(before)
        if not left:
            break
    assert not left


def _tasks(dask_scheduler):
    return [str(key) for key in dask_scheduler.tasks]


def assert_nothing_is_left(connection) -> None:
    boxes = connection.tell(_boxes, workers=connection.workers)
    assert set(boxes.values()) == {0}
    assert connection.tell_scheduler(_left) == (0, 0)


def _boxes(dask_worker):
    return len(getattr(dask_worker, "workbench_mailboxes", {}))


def _left(dask_scheduler):
    running = sum(len(worker.processing) for worker in dask_scheduler.workers.values())
    topics = [name for name in dask_scheduler._broker._topics if name.startswith("boosting-workbench")]
    return running, len(topics)


@pytest.mark.slow
def test_versions_that_differ_are_named(few, monkeypatch):
    there = versions() | {"xgboost": "2.0.0"}
    connection = few(1)
    monkeypatch.setattr(type(connection), "_versions_there", lambda self: {"tcp://other": there})
    with pytest.raises(WorkbenchError, match=r"worker tcp://other .*xgboost 2\.0\.0"):
        connection.check_versions()


def test_what_xgboost_lacks_is_refused_before_anything_is_contacted():
    class Untouched(Connection):
        def __init__(self) -> None:
            pass

    asked = [
        {"tree_method": "exact"}, {"pruning": "post"}, {"sampling_method": "goss"}, {"rate_drop": 0.1},
        {"forced_splits": "age"}, {"forbidden_columns": ("age",)}, {"class_weights": "0: 2"},
        {"feature_weights": "age: 2"}, {"softmax_hessian": "diagonal"}, {"min_leaf_rows": 5}, {"cat_l2": 1.0},
        {"method": "forest"}, {"objective": "exponential"}, {"more_metrics": ("mpr_auc",)},
    ]  # fmt: skip
    assert len(asked) >= len(LACKING)
    data = dataset("heart_disease", "disease", TrainingParams())
    for values in asked:
        with pytest.raises(WorkbenchError) as refused:
            run_of(data, TrainingParams(**values), Untouched(), RunControl())
        assert "\n" not in str(refused.value)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no niceness")
def test_workers_on_this_machine_let_the_window_go_ahead(whole_cluster):
    there = whole_cluster.tell(os.getpriority, os.PRIO_PROCESS, 0, workers=whole_cluster.workers)
    assert min(there.values()) > os.getpriority(os.PRIO_PROCESS, 0)


def test_where_is_said_in_one_word():
    assert Where("local").is_local
    assert Where("scheduler.json").is_file
    with pytest.raises(WorkbenchError, match="no cluster"):
        Where("nonsense")


@pytest.mark.usefixtures("_offload_thread")
def test_a_scheduler_that_does_not_answer_leaves_no_thread_here(monkeypatch):
    monkeypatch.setattr("workbench.cluster.connection.CONNECT_SECONDS", 0.1)
    with pytest.raises(WorkbenchError, match="does not answer"):
        connect(Where("tcp://127.0.0.1:9"))


@pytest.mark.slow
def test_a_scheduler_that_is_not_there_is_one_line(tmp_path):
    command = [
        sys.executable, "-m", "workbench", "train", str(SAMPLES / "heart_disease.csv"), "--target", "disease",
        "--export", str(tmp_path / "m.json"), "--quiet", "--cluster", "tcp://127.0.0.1:9",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert "does not answer" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_dask_prints_nothing_of_lost_connections_though_it_is_loaded_later():
    code = (
        "import logging; from workbench.cluster.connection import hush_dask; hush_dask(); "
        "from distributed import Client; assert logging.getLogger('distributed.client').level == 50"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
