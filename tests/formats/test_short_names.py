"""Names of any length are told in full once, and cost no more wherever they are told again."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.formats.code.dot_reader import read_dot
from tests.formats.making import make_model
from workbench.data.schema import DataSchema, Feature
from workbench.errors import WorkbenchError
from workbench.formats.base import writer
from workbench.formats.bytes.short_name import LONGEST, short_name
from workbench.formats.code.dot import tree_dot
from workbench.formats.short_names import long_names, with_short_names

SIZE = 600_000
MIDDLE = "the middle of it"


def long_name(what: str) -> str:
    marks, letters = '<a & "b"> ' * (SIZE // 20), " z" * (SIZE // 4)
    return f"{what} begins {marks}{MIDDLE}{letters} ends"


@pytest.fixture(scope="module")
def model():
    names = [long_name("column") for _ in range(3)]
    names = [name + str(place) for place, name in enumerate(names)]
    made = make_model(3, "softmax", n_features=3, rounds=30, max_splits=30, names=names)
    return replace(made, schema=replace(made.schema, target=long_name("target")))


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["html", "rules", "dot", "json", "python", "c", "xgboost"])
@pytest.mark.slow
def test_a_long_name_costs_its_length_a_few_times(name, model):
    text = writer(name).write(model).decode("utf-8")
    plain = len(writer(name).write(make_model(3, "softmax", n_features=3, rounds=30, max_splits=30)))
    assert len(text) < 16 * SIZE + 12 * plain
    if name in ("html", "rules", "dot"):
        assert text.count(MIDDLE) == 4  # three columns and the target
        assert text.count("begins") > 100


def test_short_forms_stay_apart(model):
    short = with_short_names(model.schema)
    assert len(set(short.names)) == 3
    assert max(map(len, (*short.names, short.target))) <= LONGEST
    assert [whole for _, whole in long_names(model.schema)] == [model.schema.target, *model.schema.names]
    assert short_name("x" * LONGEST) == "x" * LONGEST


def test_categories_and_classes_are_shortened_too():
    labels = tuple("c" * 5000 + str(place) for place in range(3))
    schema = DataSchema((Feature("colour", "category", labels),), "y", "multiclass", labels)
    short = with_short_names(schema)
    assert len(set(short.features[0].categories)) == len(set(short.class_labels)) == 3
    assert max(map(len, (*short.features[0].categories, *short.class_labels))) <= LONGEST
    assert {whole for _, whole in long_names(schema)} == set(labels)


@pytest.mark.slow
def test_a_graph_of_long_names_is_one_still(model):
    tree = max(model.trees, key=lambda one: one.n_nodes)
    for data in (writer("dot").write(model), tree_dot(tree, model.schema, model.schema.target)):
        read_dot(data.decode())


def test_the_readable_file_keeps_whole_names(model, tmp_path):
    record = json.loads(writer("json").write(model))
    assert tuple(one["name"] for one in record["schema"]["features"]) == model.schema.names


def test_a_query_of_endless_names_is_refused(model):
    with pytest.raises(WorkbenchError, match=r"too long for that\. Rename it\.") as refused:
        writer("sql").write(model)
    assert len(str(refused.value)) < 400
