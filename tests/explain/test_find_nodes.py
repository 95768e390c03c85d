from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.made_trees import shaped_tree, tree_of
from tests.views.made_forest import FEATURES, QUESTIONS
from workbench.data.schema import DataSchema, Feature
from workbench.explain.find_nodes import find_nodes
from workbench.explain.node_figures import test_of as question_of

SCHEMA = DataSchema(FEATURES, "disease", "binary", ("no", "yes"))


@pytest.fixture(scope="module")
def tree():
    rng = np.random.default_rng(1)
    table = np.column_stack([rng.integers(30, 80, 200), rng.integers(0, 3, 200),
                             rng.integers(18600, 18800, 200), rng.integers(0, 2, 200)])
    return tree_of(QUESTIONS, rng.normal(size=200), np.ones(200), table)


@pytest.mark.parametrize(("query", "questions"), [
    ("age", {"age < 54.5"}),
    ("AGE", {"age < 54.5"}),
    ("54", {"age < 54.5"}),
    ("54.5", {"age < 54.5"}),
    ("54.50", {"age < 54.5"}),
    ("54.6", set()),
    ("thal", {"thal = normal", "thal in {fixed, reversable}"}),
    ("reversable", {"thal in {fixed, reversable}"}),
    ("thal = fixed", {"thal in {fixed, reversable}"}),
    ("thal in normal", {"thal = normal"}),
    ("age < 54.5", {"age < 54.5"}),
    ("age < 5", set()),
    ("age <", {"age < 54.5"}),
    ("2021-03", {"first_visit < 2021-03-04"}),
    ("smoker", {"smoker = yes"}),
    ("nothing like it", set()),
    ("", set()),
])
def test_what_a_person_types(tree, query, questions):
    found = find_nodes(tree, SCHEMA, query)

    assert {question_of(tree, node, SCHEMA).text for node in found} == questions


def test_numbers_of_nodes(tree):
    assert find_nodes(tree, SCHEMA, "#3").tolist() == [3]
    assert find_nodes(tree, SCHEMA, "node 10").tolist() == [10]
    assert find_nodes(tree, SCHEMA, "7").tolist() == [7]
    assert find_nodes(tree, SCHEMA, "#11").tolist() == []
    assert find_nodes(tree, SCHEMA, "#99999999999999999999").tolist() == []


def one_split(threshold):
    made = shaped_tree(np.random.default_rng(0), [True, False, False])
    made.nodes["threshold"][0] = threshold
    return made


@given(st.floats(-1e8, 1e8, width=32).filter(lambda value: abs(value) > 1e-3))
def test_a_threshold_is_found_by_what_is_shown_of_it(threshold):
    schema = DataSchema((Feature("x", "number"),), "y", "regression")
    shown = question_of(one_split(threshold), 0, schema).value

    assert 0 in find_nodes(one_split(threshold), schema, shown)
    assert 0 in find_nodes(one_split(threshold), schema, f"x < {shown}")


@given(st.text(max_size=20))
def test_anything_may_be_typed(query):
    made = one_split(0.5)
    found = find_nodes(made, DataSchema((Feature("x", "number"),), "y", "regression"), query)

    assert set(found.tolist()) <= set(range(3))


@pytest.mark.parametrize("typed", ["2021-03-05", "first_visit < 2021-03-05", "2021-03-04 12:00"])
def test_a_threshold_between_whole_days_is_found_as_it_is_shown_and_in_full(typed):
    visit = Feature("first_visit", "date", whole_days=True)
    tree, schema = one_split(18690.5), DataSchema((visit,), "y", "regression")

    assert question_of(tree, 0, schema).text == "first_visit < 2021-03-05"
    assert find_nodes(tree, schema, typed).tolist() == [0]
