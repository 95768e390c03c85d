"""Files that break readers: each is read as its line in the manifest says, or refused in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.data.making import labels_of
from workbench.data.readers.base import read_table
from workbench.errors import WorkbenchError

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
