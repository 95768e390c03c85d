"""Tables that stay on the cluster: Parquet and CSV by partitions, encoded as at home."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import workbench
from tests.cluster.runs import SAMPLES
from workbench.cluster.open_run import run_of_path
from workbench.cluster.opening.digest import digest_column, summary_of, together
from workbench.cluster.opening.open_there import open_there
from workbench.cluster.table_there import balanced, table_there
from workbench.data.dataset import build_dataset
from workbench.data.reading import read_table
from workbench.data.roles import named_roles
from workbench.data.row_hash import held_by_hash, row_hashes
from workbench.data.statistics import column_summary
from workbench.data.table import Column
from workbench.errors import WorkbenchError, WorkbenchWarning
from workbench.parameters.training import TrainingParams


@pytest.fixture
def parquet(tmp_path):
    frame = pd.read_csv(SAMPLES / "crash_survival.csv").head(4000)
    folder = tmp_path / "crash"
    folder.mkdir()
    for number, begin in enumerate(range(0, 4000, 1500)):
        part = frame.iloc[begin : begin + 1500]
        part.to_parquet(folder / f"part-{number}.parquet", row_group_size=400)
    whole = tmp_path / "whole.parquet"
    frame.to_parquet(whole)
    return folder, whole


def at_home(path, target, fraction):
    """Encode a file at home, and hold rows out by their hash."""
    table = read_table(path)
    data = build_dataset(table, named_roles(table, {target: "target"}), None, valid_fraction=0.0)
    return data, held_by_hash(data.features, data.target, fraction, 3)


def test_a_folder_is_encoded_as_the_file_at_home(parquet, few):
    folder, whole = parquet
    connection = few(2)
    there = table_there(connection, str(folder), {"outcome": "target"}, None, valid_fraction=0.3, seed=3)
    data, held = at_home(whole, "outcome", 0.3)
    assert there.schema.features == data.schema.features
    assert there.schema.class_labels == data.schema.class_labels
    assert there.schema.rows == 4000
    placed = there.place(connection, TrainingParams(), "logistic", lambda: False)
    assert (placed.of_train.rows, placed.of_valid.rows) == ((~held).sum(), held.sum())
    assert set(placed.train) == set(placed.valid) == set(connection.workers)
    for parts, chosen in ((placed.train, ~held), (placed.valid, held)):
        found = connection.client.gather([part for some in parts.values() for part in some])
        rows = np.concatenate([np.column_stack([part["data"], part["label"]]) for part in found])
        wanted = np.column_stack([data.features, data.target])[chosen].astype(np.float32)
        assert_same_rows(rows, wanted)


def assert_same_rows(rows, wanted):
    """In any order."""
    order, other = (np.lexsort(np.nan_to_num(part, nan=-1e9).T) for part in (rows, wanted))
    np.testing.assert_array_equal(rows[order], wanted[other])


def test_a_path_is_trained_on_by_one_call(parquet, few, monkeypatch):
    folder, _ = parquet
    monkeypatch.chdir(folder.parent)  # which is not that of the workers
    model = workbench.fit(
        folder.name, target="outcome", valid_fraction=0.25, cluster=few(2).client, rounds=3, max_depth=3,
    )  # fmt: skip
    assert model.rounds == 3
    assert model.schema.weight is None  # nothing is guessed in a script, as of a frame
    assert "sampling_weight" in model.schema.names
    assert model.provenance["n_train"] + model.provenance["n_valid"] == 4000
    assert model.predict(pd.read_parquet(folder / "part-1.parquet")).shape == (1500,)


@pytest.mark.slow
def test_a_path_is_gone_on_with_aloud(parquet, few, capsys):
    folder, _ = parquet
    said = {"target": "outcome", "cluster": few(2).client, "max_depth": 2, "valid_fraction": 0.25}
    start = workbench.fit(folder, rounds=2, **said)
    assert capsys.readouterr().out == ""
    name = start.schema.features[0].name
    with pytest.warns(WorkbenchWarning, match="monotone_constraints holds from round 3 on alone") as warned:
        model = workbench.fit(
            folder, rounds=3, init_model=start, monotone_constraints={name: 1}, verbose=2, **said
        )
    assert [Path(one.filename) for one in warned] == [Path(__file__)]
    assert model.rounds == 5
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition("]")[0] for line in lines] == ["[4"]
    assert "train logloss" in lines[0]
    assert "valid logloss" in lines[0]


def test_what_cannot_be_said_of_a_path_is_refused_before_anything_is_contacted():
    class Untouched:
        def __getattr__(self, name: str):
            raise AssertionError(name)

    rows = pd.DataFrame({"x": [1.0]})
    for name, value in {
        "y": [1.0], "sample_weight": [1.0], "valid": rows, "eval_set": [rows], "valid_groups": "x",
        "valid_time": "x", "valid_column": "x", "categories": ["x"], "group": "x", "base_margin": "x",
    }.items():  # fmt: skip
        with pytest.raises(WorkbenchError, match=f"^{name} and a table on a cluster clash"):
            workbench.fit("folder", target="t", cluster=Untouched(), **{name: value})
    with pytest.raises(WorkbenchError, match="of your own"):
        workbench.fit("folder", target="t", cluster=Untouched(), objective=lambda y, raw: (raw - y, raw * 0))


@pytest.mark.slow
def test_a_folder_of_csv(tmp_path, few):
    frame = pd.read_csv(SAMPLES / "penguins.csv")
    for number, part in enumerate(np.array_split(np.arange(len(frame)), 3)):
        frame.iloc[part].to_csv(tmp_path / f"{number}.csv", index=False)
    there = table_there(few(2), str(tmp_path), {"species": "target"}, None)
    data, _ = at_home(SAMPLES / "penguins.csv", "species", 0.0)
    assert there.schema.features == data.schema.features
    assert there.schema.class_labels == data.schema.class_labels


@pytest.mark.slow
def test_misfits_are_named_by_partition_and_column(tmp_path, few):
    pd.DataFrame({"x": np.arange(60.0), "y": np.arange(60.0)}).to_csv(tmp_path / "0.csv", index=False)
    pd.DataFrame({"x": ["a", "b", "c"] * 20, "y": np.arange(60.0)}).to_csv(tmp_path / "1.csv", index=False)
    with pytest.raises(WorkbenchError, match=r"1\.csv.*x"):
        list(run_of_path(few(2).client, str(tmp_path), {"y": "target"}, TrainingParams(rounds=1)).events())


@pytest.mark.slow
def test_cells_that_do_not_fit_are_told_by_partition_and_column(tmp_path, few):
    pd.DataFrame({"x": np.arange(60.0), "y": np.arange(60.0)}).to_csv(tmp_path / "0.csv", index=False)
    x = np.arange(60.0).astype(str).tolist()
    pd.DataFrame({"x": ["broken", *x[1:]], "y": np.arange(60.0)}).to_csv(tmp_path / "1.csv", index=False)
    run = run_of_path(few(2).client, str(tmp_path), {"y": "target"}, TrainingParams(rounds=1))
    (note,) = next(iter(run.events())).notes
    assert note == "1.csv: Column 'x': 1 cell is no number, in row 1, and set missing: 'broken'."
    assert note in [said.text for said in open_there(few(2), str(tmp_path)).shown.notes]


def test_what_no_table_is_trained_with_there_is_refused_before_anything_is_contacted():
    with pytest.raises(WorkbenchError, match="pruning and cluster clash"):
        run_of_path("tcp://127.0.0.1:1", "x", {"y": "target"}, TrainingParams(pruning="post"))


@pytest.mark.slow
def test_a_partition_that_cannot_be_read(parquet, few):
    folder, _ = parquet
    (folder / "part-9.parquet").write_bytes(b"PAR1 nothing")
    with pytest.raises(WorkbenchError, match="part-9"):
        table_there(few(2), str(folder), {"outcome": "target"}, None)


def test_a_row_is_held_out_wherever_it_stands():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(20_000, 5)).astype(np.float32)
    features[rng.random(features.shape) < 0.1] = np.nan
    target = rng.normal(size=20_000)
    held = held_by_hash(features, target, 0.2, seed=7)
    assert abs(held.mean() - 0.2) < 0.01
    order = rng.permutation(20_000)
    np.testing.assert_array_equal(held_by_hash(features[order], target[order], 0.2, seed=7), held[order])
    assert (held_by_hash(features, target, 0.2, seed=8) != held).mean() > 0.2
    assert not (held & ~held_by_hash(features, target, 0.4, seed=7)).any()
    assert row_hashes(np.array([[0.0]], np.float32), np.zeros(1)) == row_hashes(
        np.array([[-0.0]], np.float32), np.zeros(1)
    )


def test_partitions_are_shared_evenly():
    from workbench.cluster.partitions import Partition

    parts = [Partition("x", 0, size, size) for size in (9, 5, 4, 1, 1)]
    assert sorted(balanced(parts, ["a", "b"])) == ["a", "a", "b", "b", "b"]
    loads = dict.fromkeys("ab", 0)
    for part, worker in zip(parts, balanced(parts, ["a", "b"]), strict=True):
        loads[worker] += part.size
    assert loads == {"a": 10, "b": 10}


def test_what_is_shown_of_a_table_that_stays_there(parquet, few):
    folder, whole = parquet
    told = []
    opened = open_there(few(2), str(folder), progress=lambda done, total: told.append((done, total)))
    table = read_table(whole)
    assert opened.rows == 4000
    assert told[-1][0] == told[-1][1] > 1
    assert opened.shown.n_rows < 4000
    assert [(c.name, c.kind, c.categories) for c in opened.shown.columns] == [
        (c.name, c.kind, c.categories) for c in table.columns
    ]
    for column in table.columns:
        one, other = opened.summaries[column.name], column_summary(column)
        for field in ("kind", "n_rows", "missing", "distinct", "labels", "other", "minimum", "maximum"):
            assert getattr(one, field) == getattr(other, field), (column.name, field)
        np.testing.assert_array_equal(one.counts, other.counts)
        for field in ("mean", "std", "median"):
            if getattr(other, field) is not None:
                assert getattr(one, field) == pytest.approx(getattr(other, field), rel=1e-6, abs=1e-9)


def test_distinct_values_and_spread_of_very_many_rows():
    rng = np.random.default_rng(5)
    values = rng.normal(size=60_000).astype(np.float32)
    parts = [digest_column(Column("x", "number", some)) for some in np.array_split(values, 5)]
    one, other = summary_of("x", together(parts)), column_summary(Column("x", "number", values))
    assert one.distinct == pytest.approx(other.distinct, rel=0.1)
    assert one.median == pytest.approx(other.median, abs=0.01)
    assert np.abs(one.counts - other.counts).max() < 0.005 * len(values)
    assert one.std == pytest.approx(other.std, rel=1e-6)
