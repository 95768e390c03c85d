"""Files that break readers: each is read as its line in the manifest says, or refused in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.data.making import labels_of
from workbench.data.dataset import build_dataset
from workbench.data.readers.base import read_table
from workbench.data.roles import guess_roles, target_of
from workbench.ensembles.events import RoundFinished
from workbench.ensembles.newton_boosting import NewtonBoosting
from workbench.errors import WorkbenchError
from workbench.parameters.training import TrainingParams

FOLDER = Path(__file__).parent / "nasty"
FILES = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("entry", FILES, ids=[entry["file"] for entry in FILES])
def test_nasty_file(entry: dict[str, Any]) -> None:
    refused = _refusal(entry["file"])
    if refused is not None:
        assert entry["outcome"] in ("error", "load_or_error"), refused
        assert "\n" not in refused
        return
    read = read_table(FOLDER / entry["file"])
    assert entry["outcome"] != "error"
    assert entry["rows"] in (None, read.n_rows)
    assert entry["cols"] in (None, len(read.columns))
    assert read.notes or entry["outcome"] != "warn"
    _check(read, entry["check"])


def _refusal(name: str) -> str | None:
    try:
        read_table(FOLDER / name)
    except WorkbenchError as error:
        return str(error)
    return None


def _check(read: Any, check: dict[str, Any]) -> None:
    assert check.get("first_name", read.names[0]) == read.names[0]
    assert check.get("last_name", read.names[-1]) == read.names[-1]
    assert check.get("first_value") in (
        None,
        labels_of(read.columns[0])[0] if read.columns[0].categories else "",
    )
    for name, (row, value) in check.get("value", {}).items():
        assert read.column(name).values[row] == value
    for name, count in check.get("levels", {}).items():
        assert len(read.column(name).categories) == count
    for name in check.get("numeric", []):
        assert read.column(name).kind == "number"


def test_four_thousand_levels(tmp_path: Path) -> None:
    """`high_cardinality.csv`: it is said, and no level is lost."""
    path = tmp_path / "high_cardinality.csv"
    rows = (f"city_{i * 3919 % 4000:04d},{i % 97},{i % 2}" for i in range(8000))
    path.write_text("city,x,y\n" + "\n".join(rows), encoding="utf-8")
    read = read_table(path)
    city = read.column("city")
    assert (read.n_rows, city.kind, len(city.categories)) == (8000, "category", 4000)
    assert labels_of(city)[:3] == ["city_0000", "city_3919", "city_3838"]
    assert any("4,000 categories" in note.text for note in read.notes)


def test_ten_thousand_classes(tmp_path: Path) -> None:
    """`target_10000_classes.csv`: it is said when it is read, and a million trees are refused in words."""
    path = tmp_path / "target_10000_classes.csv"
    rows = (f"{i},{i * 7 % 1000},class_{i % 10_000:05d}" for i in range(20_000))
    path.write_text("x,z,y\n" + "\n".join(rows), encoding="utf-8")
    read = read_table(path)
    assert (read.n_rows, len(read.column("y").categories)) == (20_000, 10_000)
    assert any("10,000 categories" in note.text for note in read.notes)
    dataset = build_dataset(read, {"x": "feature", "z": "feature", "y": "target"}, task="multiclass")
    with pytest.raises(WorkbenchError, match="10,000 classes, so 100 rounds grow 1,000,000 trees"):
        list(NewtonBoosting(dataset, TrainingParams(objective="softmax", rounds=100)).rounds())


def test_five_thousand_columns(tmp_path: Path) -> None:
    """`wide_5000.csv`: each column is what it was."""
    path = tmp_path / "wide_5000.csv"
    names = [*(f"f{i}" for i in range(5000)), "y"]
    values = np.arange(60 * 5001).reshape(60, 5001) % 997 / 4
    np.savetxt(path, values, "%g", ",", header=",".join(names), comments="")
    read = read_table(path)
    assert read.names == tuple(names)
    np.testing.assert_array_equal(np.transpose([c.values for c in read.columns]), values.astype(np.float32))


REFUSED = {
    "one_row.csv": "Two are needed", "one_cell.csv": "Two are needed",
    "target_constant.csv": "'y' is 3.5 in every row",
}  # fmt: skip


@pytest.mark.parametrize("name", [entry["file"] for entry in FILES if entry["outcome"] != "error"])
def test_what_is_read_is_trained_on_or_refused_in_words(name: str) -> None:
    """With the roles that are guessed, the last column as the target where none is."""
    if _refusal(name) is not None:
        return
    read = read_table(FOLDER / name)
    roles = guess_roles(read)
    if target_of(roles) is None:
        roles |= {read.names[-1]: "target"}
    if name in REFUSED:
        with pytest.raises(WorkbenchError, match=REFUSED[name]):
            build_dataset(read, roles)
        return
    events = NewtonBoosting(build_dataset(read, roles), TrainingParams(rounds=2)).rounds()
    rounds = [event for event in events if isinstance(event, RoundFinished)]
    assert len(rounds) == 2
    assert np.isfinite([value for event in rounds for value in (event.loss, *event.train.values())]).all()
    leaves = [tree.nodes["leaf_value"] for event in rounds for tree in event.trees]
    assert np.isfinite(np.concatenate(leaves)).all()
