"""A table scored on the workers: the rows and the differences are those of the file at home."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import workbench
from tests.cluster.runs import SAMPLES
from workbench.cluster.scoring.score_there import score_there
from workbench.errors import Cancelled, WorkbenchError
from workbench.scoring.score_file import score_file
from workbench.scoring.wanted import Wanted


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    """A model, a folder of three files with cells that it does not know, and the same rows as one file."""
    frame = pd.read_csv(SAMPLES / "crash_survival.csv").head(900)
    model = workbench.fit(frame.head(400), target="outcome", rounds=3, max_depth=3, threads=1)
    frame = frame.assign(note="x")
    frame.loc[[350, 700, 701], "sex"] = ["new", "new", "other"]
    place = tmp_path_factory.mktemp("scored")
    (place / "table").mkdir()
    for number in range(3):
        frame.iloc[number * 300 : number * 300 + 300].to_parquet(place / "table" / f"{number}.parquet")
    frame.to_parquet(place / "whole.parquet")
    return model, place


def test_rows_and_differences_are_those_at_home(scored, few, tmp_path):
    model, place = scored
    wanted, told = Wanted(kept=("note",), raw=True), []
    there = score_there(
        few(2), model, str(place / "table"), str(tmp_path / "out"), wanted,
        progress=lambda done, total: told.append((done, total)),
    )
    home = score_file(model, place / "whole.parquet", tmp_path / "home.parquet", wanted, serial=True)
    assert there.rows == home.rows == 900
    assert there.differences == home.differences
    assert any("'new', 'other'" in one.text for one in there.differences)
    assert told[-1][0] == told[-1][1] > 2
    worth = home.evaluation
    assert there.evaluation.rows == worth.rows == 900
    np.testing.assert_array_equal(there.evaluation.confusion, worth.confusion)
    assert there.evaluation.metrics
    for name, figure in there.evaluation.metrics.items():
        assert figure == pytest.approx(worth.metrics[name], rel=1e-6), name
    left = worth.metrics.keys() - there.evaluation.metrics.keys()
    assert "auc" in left
    assert all(name in there.evaluation.note for name in left)
    files = sorted((tmp_path / "out").iterdir())
    assert [file.name for file in files][:2] == ["part-00000.parquet", "part-00001.parquet"]
    assert {file.suffix for file in files} == {".parquet"}
    found = pd.concat([pd.read_parquet(file) for file in files], ignore_index=True)
    wanted_rows = pd.read_parquet(tmp_path / "home.parquet")
    assert list(found.columns) == list(wanted_rows.columns)
    np.testing.assert_array_equal(found["raw"], wanted_rows["raw"])
    assert (found["prediction"] == wanted_rows["prediction"]).all()


def test_nothing_is_left_of_an_output_that_fails(scored, few, tmp_path):
    model, place = scored
    out = tmp_path / "out"
    with pytest.raises(WorkbenchError, match="no column 'nothing'"):
        score_there(few(2), model, str(place / "table"), str(out), Wanted(kept=("nothing",)))
    assert not out.exists()
    with pytest.raises(Cancelled):
        score_there(few(2), model, str(place / "table"), str(out), cancelled=lambda: True)
    assert not any(out.glob("*"))
    with pytest.raises(WorkbenchError, match="lies in the table"):
        score_there(few(2), model, str(place / "table"), str(place / "table" / "out"))
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    with pytest.raises(WorkbenchError, match="holds something already"):
        score_there(few(2), model, str(place / "table"), str(out))
    assert (out / "mine.txt").read_text() == "mine"


def test_a_script_scores_on_a_cluster(scored, few, tmp_path):
    model, place = scored
    done = workbench.score_file(model, place / "table", tmp_path / "out", cluster=few(2).client)
    assert done.rows == 900
    assert len(list((tmp_path / "out").iterdir())) > 2
