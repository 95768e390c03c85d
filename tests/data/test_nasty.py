"""Files that break readers: each is read and trained on as the manifest says, or refused in words."""

from __future__ import annotations

import json
import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

import workbench
from tests.data.making import labels_of
from workbench.data.readers.options import ReadOptions
from workbench.data.reading import read_table
from workbench.errors import OutputError, WorkbenchError, WorkbenchWarning
from workbench.scoring.score_file import look_through

if TYPE_CHECKING:
    from workbench.data.table import Table

FOLDER = Path(__file__).parent / "nasty"
FILES = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))["files"]

# What is said for each warning that the manifest asks for.
WARNINGS = {
    "all_missing": "is missing in every row",
    "comments": "left out as comments (first line 1)",
    "constant": "has one value only",
    "decimal_comma": "a comma is read as the decimal point in 40 cells, first in row 1",
    "duplicate_names": "Columns of the same name were numbered: x, y",
    "encoding": "The file is",
    "float32_overflow": "40 cells are infinite or beyond 3.4e38, first in row 1",
    "header_short": "the first column is taken as row names",
    "high_cardinality": "'city' has 4,000 categories",
    "id_like": "'uuid' differs in every row, so it is left out",
    "infinite": "infinite or beyond 3.4e38, first in row 1",
    "leading_zeros": "leading zeros, as in 00000, go when read as numbers in 60 cells",
    "many_classes": "'y' has 10,000 categories",
    "missing_codes": "missing (code #N/A <NA> ? N/A NA NULL NaN None n/a nan null), first in row",
    "mixed_types": "mixes 70 numbers with 20 texts, such as 'abc' in row 4",
    "nul": "2 NUL bytes are left out, the first in line 15, character 2",
    "odd_numbers": "unusual signs, digits or spaces are read as plain numbers in 30 cells, first in row 1",
    "precision": "do not keep all digits in 20 cells, first in row 2",
    "ragged": "1 line with too few fields, filled up with missing values (first line 12)",
    "repeated_header": "1 line left out as repeated headers (first line 32)",
    "similar_levels": "differ only by case, as yes, Yes, YES, stay apart in 20 cells, first in row 3",
    "target_constant": "has one value only",
    "target_missing": "'y' is missing in 10 rows, first 1, left out of training",
    "thousands": "read as thousands in 40 cells, first in row 1",
    "too_few_rows": "The table has only 1 row",
    "zip_many": "holds 2 files ('a.csv', 'b.csv'). Choose one",
}

# Where another outcome than the manifest's is meant, and why it is the better one.
BETTER = {
    "two_tables.zip": ("error", "ours is better because a guess between two may be wrong: both are named"),
    "not_parquet.parquet": ("warn", "ours is better because its table is whole; its wrong name is said"),
}
UNTRAINED = {"one_cell.csv": "ours is better because nothing can be learnt from one cell"}

ROLES: dict[str, dict[str, Any]] = {
    "weights_negative.csv": {"weight": "w"}, "weights_some_zero.csv": {"weight": "w"},
    "weights_text.csv": {"weight": "w"}, "groups_interleaved.csv": {"group": "q", "objective": "lambdarank"},
    "relevance_bad.csv": {"group": "q", "objective": "lambdarank"},
}  # fmt: skip
REFUSED = {
    "one_row.csv": "'y' has a value in one sample only. Two are needed",
    "one_cell.csv": "no column to learn from",
    "weights_negative.csv": "a negative weight in row 6",
    "weights_text.csv": "The weight holds something that is no number",
    "relevance_bad.csv": "needs relevances from 0 to 31; 'rel' is -1 in row 3",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files, with those that are made: large ones, and what is no plain file."""
    made = tmp_path_factory.mktemp("nasty")
    for path in FOLDER.iterdir():
        (made / path.name).symlink_to(path)
    _write_large(made)
    (made / "fs" / "directory.csv").mkdir(parents=True)
    (made / "fs" / "dangling.csv").symlink_to(made / "nothing.csv")
    (made / "fs" / "unreadable.csv").write_text("x,y\n1,2\n")
    (made / "fs" / "unreadable.csv").chmod(0)
    if hasattr(os, "mkfifo"):
        os.mkfifo(made / "fs" / "pipe.csv")
    return made


def _write_large(made: Path) -> None:
    rows = [f"city_{i * 3919 % 4000:04d},{i % 97},{i % 2}" for i in range(8000)]
    (made / "high_cardinality.csv").write_text("city,x,y\n" + "\n".join(rows))
    rows = [f"{i},{i * 7 % 1000},class_{i % 10_000:05d}" for i in range(20_000)]
    (made / "target_10000_classes.csv").write_text("x,z,y\n" + "\n".join(rows))
    names = ",".join([*(f"f{i}" for i in range(5000)), "y"])
    values = np.arange(60 * 5001).reshape(60, 5001) % 997 / 4
    np.savetxt(made / "wide_5000.csv", values, "%g", ",", header=names, comments="")


def test_every_file_of_the_manifest_is_tried() -> None:
    assert len(FILES) == len({entry["file"] for entry in FILES}) == 77


@pytest.mark.parametrize("entry", FILES, ids=[entry["file"] for entry in FILES])
def test_it_is_read_as_the_manifest_says(entry: dict[str, Any], folder: Path) -> None:
    if entry["file"] == "/dev/full":
        pytest.skip("is written to below")
    if entry["file"] == "fs/unreadable.csv" and getattr(os, "geteuid", lambda: 0)() == 0:
        pytest.skip("root may read everything")
    if entry["file"] == "fs/pipe.csv" and not hasattr(os, "mkfifo"):
        pytest.skip("there are no named pipes")
    outcome, _ = BETTER.get(entry["file"], (entry["outcome"], ""))
    refused = _refusal(folder / entry["file"])
    if refused is not None:
        assert outcome in ("error", "load_or_error"), refused
        assert "\n" not in refused
        assert all(WARNINGS[warning] in refused for warning in entry["warnings"])
        return
    assert outcome != "error"
    read = read_table(folder / entry["file"])
    assert entry["rows"] in (None, read.n_rows)
    assert entry["cols"] in (None, len(read.columns))
    told = _told(read, entry["file"])
    assert told or outcome != "warn"
    for warning in entry["warnings"]:
        assert any(WARNINGS[warning] in text for text in told)
    _check(read, entry["check"])


def _refusal(path: Path) -> str | None:
    try:
        read_table(path)
    except WorkbenchError as error:
        return str(error)
    return None


def _told(read: Table, name: str) -> list[str]:
    """What is said when it is read, or used for what it is there for: to be trained on, or predicted."""
    told = [note.text for note in read.notes]
    if name.startswith("predict_"):
        learnt = workbench.fit(_frame(read_table(FOLDER / "crlf.csv")), target="y", rounds=1)
        return told + [one.text for one in look_through(learnt, FOLDER / name).differences]
    if name.startswith("target_missing"):
        return told + [note.text for note in workbench.fit(_frame(read), target="y", rounds=1).schema.journal]
    return told


def _check(read: Table, check: dict[str, Any]) -> None:
    assert check.get("first_name", read.names[0]) == read.names[0]
    assert check.get("last_name", read.names[-1]) == read.names[-1]
    if "first_value" in check:
        assert labels_of(read.columns[0])[0] == check["first_value"]
    for name, (row, value) in check.get("value", {}).items():
        assert read.column(name).values[row] == value
    for name, count in check.get("levels", {}).items():
        assert len(read.column(name).categories) == count
    for name in check.get("numeric", []):
        assert read.column(name).kind == "number"
    for name, count in check.get("distinct", {}).items():  # in the file; fewer in float32, as said
        column = read.column(name)
        assert len(np.unique(column.values)) + column.collapsed == count


# --- training --------------------------------------------------------------------------------------------


TRAINED = [entry for entry in FILES if entry["train"] is not None]


@pytest.mark.sampled
@pytest.mark.parametrize("entry", TRAINED, ids=[entry["file"] for entry in TRAINED])
def test_it_is_trained_on_or_refused_as_the_manifest_says(entry: dict[str, Any], folder: Path) -> None:
    name, wanted = entry["file"], entry["train"]
    if entry["outcome"] == "load_or_error" and _refusal(folder / name) is not None:
        return
    part = "a.csv" if name == "two_tables.zip" else None
    read = read_table(folder / name, options=ReadOptions(part=part))
    target = next((known for known in ("y", "x2") if known in read.names), read.names[-1])
    asked = {"target": target, "rounds": 2, **ROLES.get(name, {})}
    if name == "target_10000_classes.csv":
        assert wanted == "error_or_confirm"
        with pytest.raises(WorkbenchError, match="10,000 classes, so 100 rounds grow 1,000,000 trees"):
            workbench.fit(_frame(read), **asked | {"rounds": 100})
    elif name in REFUSED:
        assert wanted in ("error", "ok_or_error") or name in UNTRAINED
        with pytest.raises(WorkbenchError, match=REFUSED[name]) as caught:
            workbench.fit(_frame(read), **asked)
        assert "\n" not in str(caught.value)
    else:
        assert wanted in ("ok", "ok_or_error")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", WorkbenchWarning)  # constant targets, identifiers
            model = workbench.fit(_frame(read), **asked)
        assert model.rounds == 2
        assert np.isfinite(model.predict(_frame(read).drop(columns=target))).all()
        assert all(np.isfinite(tree.nodes["weight"]).all() for tree in model.trees)


def _frame(read: Table) -> pd.DataFrame:
    """The table as a frame, categories as such."""
    return pd.DataFrame({c.name: _series(c) for c in read.columns}, columns=list(read.names))


def _series(column: Any) -> Any:
    if not column.is_categorical:
        return column.values
    codes = np.where(np.isnan(column.values), -1, column.values).astype(int)
    return pd.Categorical.from_codes(codes, column.categories)


def test_rows_of_weight_0_have_no_effect(folder: Path) -> None:
    """`weights_some_zero.csv`."""
    frame = _frame(read_table(folder / "weights_some_zero.csv"))
    frame["y"] = frame["x"] % 7
    whole, heavy = (
        workbench.fit(rows, target="y", weight="w", rounds=5, min_leaf_rows=1)
        for rows in (frame, frame[frame["w"] > 0])
    )
    np.testing.assert_allclose(whole.predict(frame[["x"]]), heavy.predict(frame[["x"]]), atol=1e-5)


def test_queries_that_are_not_in_one_piece_are_put_together(folder: Path) -> None:
    """`groups_interleaved.csv`: the same as in order."""
    frame = _frame(read_table(folder / "groups_interleaved.csv"))
    ordered = frame.sort_values("q", kind="stable")
    apart, together = (
        workbench.fit(rows, target="rel", group="q", objective="lambdarank", rounds=5)
        for rows in (frame, ordered)
    )
    np.testing.assert_allclose(apart.predict(frame[["x"]]), together.predict(frame[["x"]]), atol=1e-5)


@pytest.mark.parametrize("objective", ["poisson", "gamma", "tweedie"])
def test_negative_counts_are_refused_in_words(folder: Path, objective: str) -> None:
    """`target_negative_poisson.csv`."""
    frame = _frame(read_table(folder / "target_negative_poisson.csv"))
    with pytest.raises(WorkbenchError, match=f"'{objective}' needs targets .*; 'y' is -1 in row"):
        workbench.fit(frame, target="y", objective=objective, rounds=1)


def test_columns_in_another_order_are_found_by_name(folder: Path) -> None:
    """`predict_reordered.csv`, `predict_extra_column.csv` and `predict_wrong_type.csv`."""
    model = workbench.fit(_frame(read_table(folder / "crlf.csv")), target="y", rounds=3)
    reordered = _frame(read_table(folder / "predict_reordered.csv"))
    more = _frame(read_table(folder / "predict_extra_column.csv"))
    np.testing.assert_array_equal(model.predict(reordered), model.predict(reordered[["x1", "x2", "colour"]]))
    np.testing.assert_array_equal(model.predict(more), model.predict(reordered))
    (told,) = look_through(model, folder / "predict_wrong_type.csv").differences
    assert "'x1'" in told.text
    assert told.is_warning
    assert "30" in told.text


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_a_full_disk_is_said() -> None:
    """`/dev/full`."""
    model = workbench.fit(_frame(read_table(FOLDER / "crlf.csv")), target="y", rounds=1)
    with pytest.raises(OutputError, match="no space left"):
        model.save("/dev/full")
    assert Path("/dev/full").is_char_device()


@pytest.mark.slow
def test_files_of_many_columns_and_categories_are_whole(folder: Path) -> None:
    """`wide_5000.csv` and `high_cardinality.csv`: no column and no category is lost."""
    wide = read_table(folder / "wide_5000.csv")
    assert wide.names == (*(f"f{i}" for i in range(5000)), "y")
    values = np.arange(60 * 5001).reshape(60, 5001) % 997 / 4
    np.testing.assert_array_equal(np.transpose([c.values for c in wide.columns]), values.astype(np.float32))
    city = read_table(folder / "high_cardinality.csv").column("city")
    assert labels_of(city)[:3] == ["city_0000", "city_3919", "city_3838"]
