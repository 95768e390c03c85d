"""The window from a script: what is written for it, and that it goes again."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import workbench
from workbench.errors import WorkbenchError


class Process:
    def __init__(self, command):
        self.command, self.ended = command, threading.Event()

    def wait(self):
        self.ended.wait(10)


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    a, kind = rng.normal(size=60), pd.Categorical(rng.choice(["x", "y"], 60))
    return pd.DataFrame({"a": a, "kind": kind, "y": 2 * a})


def test_model_and_table_are_written_for_the_window_and_go_with_it(frame, monkeypatch):
    monkeypatch.setattr("workbench.show.subprocess.Popen", Process)
    model = workbench.fit(frame, target="y", rounds=2)
    process = workbench.open(model, frame)
    file, table = map(Path, process.command[-2:])
    assert workbench.load_model(file).predict(frame).tolist() == model.predict(frame).tolist()
    assert pd.read_parquet(table).equals(frame)
    threads = [thread for thread in threading.enumerate() if thread.name.startswith("Thread")]
    process.ended.set()
    for thread in threads:
        thread.join(10)
    assert not file.parent.exists()


def test_a_model_finds_its_rows_in_a_table_with_more_columns_in_another_order(frame, monkeypatch):
    from workbench.data.reading import read_table
    from workbench.session.opening.attaching import attach

    monkeypatch.setattr("workbench.show.subprocess.Popen", Process)
    model = workbench.fit(frame[["kind", "a", "y"]], target="y", rounds=2, valid_fraction=0.2)
    process = workbench.open(model, frame.assign(z=1.0)[["z", "a", "y", "kind"]])
    file, table = map(Path, process.command[-2:])
    opened = attach(workbench.load_model(file), read_table(table), lambda: False)
    assert len(opened.run.dataset.valid_rows) == 12
    process.ended.set()


def test_a_study_brings_its_table_and_runs(frame, monkeypatch):
    monkeypatch.setattr("workbench.show.subprocess.Popen", Process)
    study = workbench.Study(frame, target="y")
    study.train(rounds=3)
    process = workbench.open(study)
    again = workbench.open_study(process.command[-1])
    assert [run.rounds for run in again.runs] == [3]
    process.ended.set()


def test_what_is_no_model_is_refused(frame):
    with pytest.raises(WorkbenchError, match="list is neither a model nor a study nor a path"):
        workbench.open([1])
