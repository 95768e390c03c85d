"""What was steered on a cluster is grown again by the script that the journal writes for it."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from workbench.data.samples import sample_file
from workbench.errors import WorkbenchError
from workbench.study.study import Study, open_study

HERE = {"address": "local", "workers": 2, "threads": 1, "memory": "2GB"}


@pytest.mark.slow
@pytest.mark.usefixtures("_offload_thread")
def test_a_steered_run_is_that_of_its_script(tmp_path):
    study = Study(sample_file("heart_disease"), target="disease", valid_fraction=0.3, split_seed=2)
    run = study.train(rounds=12, max_depth=3, until=4, cluster=HERE)
    assert run.rounds == 4
    run.change(reg_lambda=6.0).change(gamma=0.3, max_depth=2, at=8)
    run.grow(until=9).change(learning_rate=0.5).grow(until=10).stop()
    assert [event.params.reg_lambda for event in run.run.rounds] == [1.0] * 4 + [6.0] * 6
    assert [event.params.max_depth for event in run.run.rounds] == [3] * 7 + [2] * 3
    assert [event.params.learning_rate for event in run.run.rounds][8:] == [0.1, 0.5]
    run.grow(3, cluster=HERE)
    run.model.save(tmp_path / "steered.json")
    study.save(tmp_path / "project.workbench")
    script = run.script
    assert script.count(f"cluster={HERE!r}") == 2
    file = tmp_path / "script.py"
    file.write_text(f"{script}    run1.model.save('again.json')\n")
    subprocess.run([sys.executable, str(file)], check=True, cwd=tmp_path, timeout=300, env=os.environ)
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "steered.json").read_bytes()
    again = open_study(tmp_path / "project.workbench").runs[0].script
    assert again.partition("target=")[2] == script.partition("target=")[2]


def test_a_script_asks_before_a_scheduler_of_a_project_is_contacted(monkeypatch, capsys):
    from io import StringIO

    from workbench.commands.cluster_flags import agree_to_cluster

    monkeypatch.setattr("sys.stdin", StringIO("n\n"))
    agree_to_cluster(HERE)
    with pytest.raises(WorkbenchError, match="not contacted"):
        agree_to_cluster("tcp://10.0.0.1:8786")
    assert "tcp://10.0.0.1:8786 will be contacted" in capsys.readouterr().err


def test_what_a_script_says_of_a_cluster_is_what_it_was():
    from workbench.cluster.where import Where

    for where in (Where("tcp://host:8786"), Where(workers=3, threads=1, memory="1GB"), Where("s.json")):
        assert Where.of(where.record) == where
    assert Where.of("local").settled.workers > 0
    with pytest.raises(WorkbenchError, match="no 'worker'"):
        Where.of({"address": "local", "worker": 2})


def test_a_table_that_stays_there_is_trained_on_and_retold(tmp_path, whole_cluster):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(600, 3)), columns=["a", "b", "c"])
    frame["y"] = np.where(frame.a * frame.b > 0, "yes", "no")
    (tmp_path / "rows").mkdir()
    for part in range(3):
        frame[part::3].to_parquet(tmp_path / "rows" / f"{part}.parquet")
    with pytest.raises(WorkbenchError, match="sent: give study"):
        Study(frame, cluster=whole_cluster.client)
    study = Study(tmp_path / "rows", target="y", valid_fraction=0.3, cluster=whole_cluster.client)
    run = study.train(rounds=3, max_depth=2, until=1).change(reg_lambda=6.0).grow()
    assert (run.rounds, run.run.dataset) == (3, None)
    again = {}
    exec(run.script.replace('if __name__ == "__main__":', "if True:"), again)
    for name, known in (("again", again["run1"]), ("known", run)):
        known.model.save(tmp_path / f"{name}.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "known.json").read_bytes()
    study.hold_out(by="time", column="a")
    with pytest.raises(WorkbenchError, match="hash of the row"):
        study.train(rounds=2)
