"""The report: one page, offline, whose figures are the model's and whose names are only text."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench
from tests.formats.code.test_code import HOSTILE
from tests.formats.making import make_model
from workbench.data.samples import sample
from workbench.formats.base import FORMATS, writer
from workbench.formats.report.chart import MOST_STEPS, ChartLine, chart, tick_texts
from workbench.round_numbers import ticks

VOID = {"meta", "line", "polyline", "br"}


class Page(HTMLParser):
    """Collects tags, attributes and text, and checks that every tag closes."""

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.attributes, self.words, self.isolated = [], [], [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)
        if self.open and self.open[-1] == "bdi":
            self.isolated.append(data)


def page_of(model):
    page = Page(writer("html").write(model).decode())
    assert page.open == []
    return page


def test_a_trained_model():
    frame = pd.read_csv(sample("heart_disease").path)
    params = workbench.TrainingParams(rounds=12)
    model = workbench.fit(frame, target="disease", params=params, valid_fraction=0.25)
    page = page_of(model)
    words = " ".join(page.words)
    assert "Boosted trees for disease" in words
    assert page.tags.count("details") == 12
    assert page.tags.count("polyline") >= 2
    assert all(name in words for name in model.schema.names)
    best = model.provenance["best_round"]
    assert f"Round {best}, the best" in page.words
    assert page.words.count("Log loss") == 2  # of training and of hold-out rows, named as in the window
    assert f"{model.history[best - 1]['valid:logloss']:.5g}" in page.words
    assert f"{model.trees[0].n_leaves} leaves, depth {model.trees[0].depth}" in words
    largest = max(tree.nodes["leaf_value"].max() for tree in model.trees)
    assert f"+{largest:.5g}" in words


def test_names_are_only_text():
    model = make_model(3, "softmax", n_features=len(HOSTILE), rounds=4, names=HOSTILE)
    page = page_of(model)
    assert "script" not in page.tags
    assert not any(name.startswith("on") or name in ("href", "src") for name, _ in page.attributes)
    words = " ".join(page.words)
    assert all(name in words for name in HOSTILE)
    assert set(HOSTILE) <= set(page.isolated)  # what writes from right to left turns nothing around it


def test_every_category_of_a_split_is_there():
    labels = [f"town {k}, north" for k in range(40)]
    codes = np.arange(400) % 40
    frame = pd.DataFrame({"town": np.array(labels)[codes], "y": (codes * 7 % 40 < 20) * 1.0})
    params = workbench.TrainingParams(rounds=1, max_depth=1)
    model = workbench.fit(frame, target="y", params=params)
    asked = model.trees[0].categories(0)
    assert len(asked) > 8
    page = page_of(model)
    assert f"All {len(asked)} labels" in page.words
    assert {model.schema.features[0].categories[code] for code in asked} <= set(page.isolated)


def test_what_the_file_of_another_program_does_not_tell_is_not_invented():
    xgboost = pytest.importorskip("xgboost")
    rows = np.random.default_rng(1).normal(size=(50, 2))
    booster = xgboost.train({"max_depth": 2}, xgboost.DMatrix(rows, rows[:, 0]), 3)
    page = page_of(FORMATS.get("xgboost").read(bytes(booster.save_raw("json"))))
    words = " ".join(page.words)
    assert "XGBoost" in words
    assert "0 rows" not in words
    assert "Target" not in page.words
    assert "polyline" not in page.tags


def test_parameters_changed_while_it_trained_are_told():
    model = make_model(1, "squared", rounds=4)
    rows = [row | {"reg_lambda": 1.0 if row["round"] < 3 else 4.0} for row in model.history]
    words = page_of(replace(model, history=tuple(rows))).words
    told = [word for word in words[words.index("Changed in round") :] if word.strip()]
    assert told[:8] == ["Changed in round", "Name", "From", "To", "3", "reg_lambda", "1.0", "4.0"]


@given(st.floats(-1e299, 1e299), st.floats(1e-6, 1e299))
def test_ticks_can_be_told_apart(low, width):
    high = low + max(width, abs(low) * 1e-3)
    marks = ticks(low, high, MOST_STEPS)
    assert 2 <= len(marks) <= 9
    assert all(low <= mark <= high for mark in marks)
    assert len(set(tick_texts(marks))) == len(marks)


@given(st.lists(st.floats(-1e3, 1e3) | st.sampled_from([5e-324, 1e-300, 1e299]), min_size=2, max_size=6))
def test_words_at_the_ends_of_curves_stand_in_the_chart_and_apart(ends):
    lines = [ChartLine(f"line {k}", "train", [0.0, end]) for k, end in enumerate(ends)]
    places = [float(found) for found in re.findall(r'class="train" style="top:([\d.-]+)%', chart("a", lines))]
    assert all(-1e-9 <= place <= 100 for place in places)
    assert all(b - a >= 8.9 for a, b in pairwise(sorted(places)))


@pytest.mark.parametrize("rounds", [0, 1, 300])
def test_of_any_size(rounds):
    page = page_of(make_model(1, "squared", rounds=rounds))
    assert page.tags.count("details") == min(rounds, 200)


def test_nothing_is_loaded_from_elsewhere():
    text = writer("html").write(make_model(2, "squared")).decode()
    assert "http://" not in text
    assert "https://" not in text
    assert "default-src 'none'" in text


def test_unknown_figures_are_dashes():
    model = make_model(1, "squared", rounds=2)
    for tree in model.trees:
        tree.nodes["gain"][~tree.is_leaf] = np.nan
    assert "nan" not in " ".join(page_of(model).words).split()
