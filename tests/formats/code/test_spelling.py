"""Names and questions in words are read back as they were, whatever characters stand in them."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.code.test_code import values_of
from tests.formats.code.words_reader import READERS, added_up, name_at, question_at
from tests.formats.making import make_model, make_rows, margins
from workbench.data.schema import Feature
from workbench.errors import WorkbenchError
from workbench.formats.base import writer
from workbench.formats.code.spelling import Question, spelt, visible

SAID = ("a and b", "a or missing)", " a", "a ", "x in {a}", "x: add 3", "age in years", "", '"a"')
SIGNS = st.sampled_from('",{}<>=\\ \n\u202e:().-1aé') | st.characters()
NAME = st.text(SIGNS, max_size=12) | st.sampled_from(SAID)
USUAL = ("age", "fuel economy", "weight (kg)", "naïve ✓ 🌲", "می\u200cخواهم", "it's", "50%", "a-b/c")
ONE_LINE = re.compile(r'[^\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]*')


@given(NAME)
def test_a_name_is_read_back(name):
    assert name_at(spelt(name), 0, re.compile("$")) == (name, len(spelt(name)))
    shown = visible(name)
    assert (json.loads(shown) if shown.startswith('"') else shown) == name
    assert ONE_LINE.fullmatch(spelt(name))
    assert ONE_LINE.fullmatch(shown)


@pytest.mark.parametrize("name", USUAL)
def test_usual_names_stay_as_they_are(name):
    assert spelt(name) == visible(name) == name


@given(NAME, st.lists(NAME, min_size=2, max_size=4, unique=True), st.sampled_from(["in", "="]))
def test_a_question_is_read_back(name, labels, relation):
    labels = labels[:1] if relation == "=" else labels
    value = spelt(labels[0]) if relation == "=" else "{" + ", ".join(map(spelt, labels)) + "}"
    asked = Question(spelt(name), relation, value)
    assert question_at(asked.text) == (name, relation, labels, len(asked.text))
    denied = {"=": "≠", "in": "not in"}[relation]
    assert question_at(asked.denied + " or missing)")[:3] == (name, denied, labels)


def by_size(threshold):
    """A model that compares codes of categories by size, as no trainer of ours makes it."""
    model = make_model(0, "squared", n_features=1, kinds=("number",))
    trees = []
    for tree in model.trees:
        nodes = tree.nodes.copy()
        nodes["threshold"][nodes["feature"] >= 0] = threshold
        trees.append(replace(tree, nodes=nodes))
    schema = replace(model.schema, features=(Feature("town", "category", ("t0", "t1", "t2")),))
    return replace(model, schema=schema, ensemble=replace(model.ensemble, trees=tuple(trees)))


WORDED = (*READERS, "sql", "spreadsheet")


@pytest.mark.parametrize("format_", READERS)
@pytest.mark.parametrize("threshold", [0.5, 1.0, 2.0, 2.5])
def test_codes_compared_by_size_are_told_as_the_categories_below(format_, threshold):
    model = by_size(threshold)
    rows = make_rows(model)
    words = READERS[format_](writer(format_).write(model).decode())
    found = [added_up(words, (), {"town": row[0]})[0] for row in values_of(model, rows)]
    np.testing.assert_array_equal(found, margins(model, rows))


@pytest.mark.parametrize("format_", WORDED)
@pytest.mark.parametrize("threshold", [-1.0, 0.0, 3.5])
def test_what_no_category_or_an_unknown_one_answers_is_refused_in_a_line(format_, threshold):
    with pytest.raises(WorkbenchError, match="'town' by their number") as refused:
        writer(format_).write(by_size(threshold))
    assert "\n" not in str(refused.value)
