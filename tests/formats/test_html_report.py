"""The report: one page, offline, whose figures are the model's and whose names are only text."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import workbench
from tests.formats.making import make_model
from tests.formats.test_code import HOSTILE
from workbench.data.samples import sample
from workbench.formats.base import writer

VOID = {"meta", "line", "polyline", "br"}


class Page(HTMLParser):
    """Collects tags, attributes and text, and checks that every tag closes."""

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.attributes, self.words = [], [], [], []
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
