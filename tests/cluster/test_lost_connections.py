"""A scheduler that is gone, a network that is cut, memory that is full, a worker that stands still."""

from __future__ import annotations

import os
import signal
from time import perf_counter

import numpy as np
import pandas as pd
import pytest

from tests.cluster.far_cluster import FarCluster, Network
from tests.cluster.runs import dataset, made_dataset, rounds_of, run_of
from workbench.cluster import training_thread
from workbench.cluster.connection import connect
from workbench.cluster.faults import KEPT
from workbench.cluster.open_run import run_of_path
from workbench.cluster.where import Where
from workbench.errors import WorkbenchError
from workbench.parameters.training import TrainingParams

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("_offload_thread")]
ENDLESS = 100_000


def broken_off(data, params, connection, breaks):
    """Return events until `breaks()`, called after the third round, is felt; what is said; seconds."""
    seen, began, said = [], 0.0, ""
    try:
        for event in run_of(data, params.change(rounds=ENDLESS), connection).rounds():
            seen.append(event)
            if len(rounds_of(seen)) == 3 and not began:
                breaks()
                began = perf_counter()
    except WorkbenchError as error:
        said = str(error)
    assert said
    assert "\n" not in said
    return seen, said, perf_counter() - began


def goes_on(seen, data, params, connection) -> None:
    """Continue for two more rounds."""
    done = rounds_of(seen)
    start = seen[0].ensemble.with_rounds(done)
    more = rounds_of(run_of(data, params.change(rounds=len(done) + 2), connection, start=start).rounds())
    assert [event.round for event in more] == [len(done) + 1, len(done) + 2]


@pytest.fixture
def heart():
    params = TrainingParams(max_depth=2)
    return dataset("heart_disease", "disease", params), params


def test_a_scheduler_that_is_gone_and_comes_back(heart):
    with FarCluster() as far:
        with connect(Where(far.address)) as connection:
            seen, said, seconds = broken_off(*heart, connection, far.kill)
        assert said.startswith("The scheduler is gone")
        assert said.endswith("Continue goes on from them.")
        assert seconds < 30
        far.start()
        with connect(Where(far.address)) as connection:
            goes_on(seen, *heart, connection)


def test_a_cluster_on_this_machine_whose_process_ends(heart):
    """As XGBoost's tracker may end it; this program goes on."""
    where = Where(workers=2, threads=1, memory="1GB")
    with connect(where) as connection:
        pid = connection.tell_scheduler(_pid)
        assert pid != os.getpid()
        seen, said, seconds = broken_off(*heart, connection, lambda: os.kill(pid, signal.SIGABRT))
        assert said == "The scheduler is gone, or the network to it is cut. " + KEPT
        assert seconds < 30
        assert connection.is_lost
        assert not connection.comes_back
    with connect(where) as connection:
        goes_on(seen, *heart, connection)


def _pid(dask_scheduler):
    return os.getpid()


def test_a_network_that_is_cut_and_mended(heart):
    with FarCluster() as far, Network(far.port) as network:

        def cut():
            network.is_cut = True

        with connect(Where(network.address)) as connection:
            seen, said, seconds = broken_off(*heart, connection, cut)
            assert said.startswith("The scheduler is gone, or the network to it is cut.")
            assert seconds < 60
            network.mend()
        with connect(Where(network.address)) as connection:
            goes_on(seen, *heart, connection)


def test_a_network_that_is_cut_for_a_moment(heart):
    """The connection is made anew by itself; the run is over, and the same connection goes on."""
    with FarCluster() as far, Network(far.port) as network, connect(Where(network.address)) as connection:
        seen, said, seconds = broken_off(*heart, connection, network.mend)
        assert "network" in said
        assert seconds < 30
        goes_on(seen, *heart, connection)


def test_a_worker_out_of_memory(heart):
    with FarCluster(memory="800MB") as far, connect(Where(far.address)) as connection:
        worker = connection.workers[0]

        def fill():
            connection.tell(_fill, 800_000_000, workers=[worker], seconds=60)

        seen, said, seconds = broken_off(*heart, connection, fill)
        assert f"The worker {worker} ran out of memory" in said
        assert seconds < 30
        goes_on(seen, *heart, connection)


def _fill(size, dask_worker):
    dask_worker.held = np.ones(size // 8)


def test_a_partition_too_large_for_the_memory(tmp_path, monkeypatch):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setenv("TMPDIR", str(temporary))
    rows = pd.DataFrame({f"x{place}": np.zeros(500_000) for place in range(120)}).assign(y=1.0)
    (tmp_path / "table").mkdir()
    rows.to_parquet(tmp_path / "table" / "large.parquet")
    with pytest.raises(WorkbenchError, match="ran out of memory") as said:
        list(
            run_of_path(
                Where(workers=1, threads=1, memory="600MB"), str(tmp_path / "table"), {"y": "target"},
                TrainingParams(rounds=1, objective="squared"),
            ).events()
        )  # fmt: skip
    assert "\n" not in str(said.value)
    assert list(temporary.glob("boosting-workbench-*")) == []


def test_a_worker_that_stands_still_is_left_by_the_others(monkeypatch):
    monkeypatch.setattr(training_thread, "PEER_SECONDS", 5)
    params = TrainingParams(max_depth=3)
    data = made_dataset(5_000, params)
    with FarCluster() as far, connect(Where(far.address)) as connection:
        pids = connection.tell(os.getpid, workers=connection.workers)
        still = pids[connection.workers[1]]
        seen, said, seconds = broken_off(data, params, connection, lambda: os.kill(still, signal.SIGSTOP))
        os.kill(still, signal.SIGCONT)
        assert "lost" in said
        assert seconds < 60
        goes_on(seen, data, params, connection)
