"""The list of files opened last."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from workbench.data.readers.options import ReadOptions
from workbench.session.opening.recent import LIMIT, RecentFile, RecentFiles


def opened(path, target="y") -> RecentFile:
    return RecentFile(str(path), 303, 14, target, datetime(2026, 11, 20, 9, 30, tzinfo=UTC))


def remember(path, file) -> RecentFiles:
    recent = RecentFiles(path)
    recent.add(file)
    recent.save()
    return recent


@pytest.fixture
def tables(tmp_path):
    paths = [tmp_path / f"table_{index}.csv" for index in range(LIMIT + 2)]
    for path in paths:
        path.write_text("x,y\n1,2\n")
    return paths


def test_a_model_is_remembered_with_its_rounds(tmp_path, tables):
    model = replace(opened(tables[0]), rounds=40)
    recent = tmp_path / "recent.json"
    remember(recent, model)
    assert RecentFiles(recent).entries() == [model]
    assert model.is_model
    assert not opened(tables[1]).is_model


def test_the_newest_stands_first_and_each_file_once(tmp_path, tables):
    recent = RecentFiles(tmp_path / "state" / "recent.json")
    for path in [*tables, tables[5]]:
        recent.add(opened(path))
    recent.save()
    names = [file.name for file in RecentFiles(tmp_path / "state" / "recent.json").entries()]
    assert names[:3] == ["table_5.csv", "table_9.csv", "table_8.csv"]
    assert len(names) == len(set(names)) == LIMIT


def test_what_was_seen_in_a_file_is_read_back(tmp_path, tables):
    remember(tmp_path / "recent.json", opened(tables[0], target=None))
    assert RecentFiles(tmp_path / "recent.json").entries() == [opened(tables[0], target=None)]


def test_how_a_file_was_settled_to_be_read_is_read_back(tmp_path, tables):
    kinds = (("x", "category"), ("y", "number"))
    options = ReadOptions(";", None, ",", False, missing=("-1", "x"), usual_missing=False, kinds=kinds)
    remember(tmp_path / "recent.json", replace(opened(tables[0]), options=options))
    recent = RecentFiles(tmp_path / "recent.json")
    assert recent.options_of(tables[0]) == options
    assert recent.options_of(tables[1]) is None


def test_a_file_that_vanished_is_dropped(tmp_path, tables):
    recent = RecentFiles(tmp_path / "recent.json")
    recent.add(opened(tables[0]))
    recent.add(opened(tables[1]))
    tables[1].unlink()
    assert [file.name for file in recent.entries()] == ["table_0.csv"]


@pytest.mark.parametrize(
    "text", ["", "{", "[1]", '[{"path": "x"}]', '{"a": 1}', "null", "\x00", "[" * 100_000]
)
def test_a_damaged_list_counts_as_empty(tmp_path, text):
    path = tmp_path / "recent.json"
    path.write_text(text)
    assert RecentFiles(path).entries() == []


@pytest.mark.parametrize("change", [
    {"rows": 1e400}, {"options": 5}, {"options": {"separator": 5}}, {"options": {"header": {}}},
    {"options": {"missing": [[]]}}, {"options": {"kinds": [["x", []]]}}, {"path": "x" * 5_000},
])  # fmt: skip
def test_an_entry_of_wrong_values_counts_as_none(tmp_path, tables, change):
    path = tmp_path / "recent.json"
    remember(path, opened(tables[0]))
    path.write_text(json.dumps([json.loads(path.read_text())[0] | change]))
    assert RecentFiles(path).entries() == []


def test_a_list_that_cannot_be_written_lasts_for_the_sitting(tmp_path, tables):
    (tmp_path / "file").write_text("")
    assert remember(tmp_path / "recent.json", opened(tables[0])).save()
    recent = remember(tmp_path / "file" / "recent.json", opened(tables[0]))
    assert not recent.save()
    assert [file.name for file in recent.entries()] == ["table_0.csv"]
