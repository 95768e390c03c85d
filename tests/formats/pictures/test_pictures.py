"""What a notebook shows of a model."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import workbench
from workbench.errors import WorkbenchError

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(1)
    columns = rng.normal(size=(200, 3))
    kind = rng.choice(["red & blue", "<green>"], 200)
    return pd.DataFrame(columns, columns=["a<b", "b", "c"]).assign(
        kind=kind, y=columns[:, 0] + 2 * (kind == "<green>"))


@pytest.fixture(scope="module")
def model(frame):
    return workbench.fit(frame, target="y", rounds=20, max_depth=3, valid_fraction=0.25)


def texts(picture):
    root = ElementTree.fromstring(picture._repr_svg_())
    return ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]


def test_a_tree_tells_every_question_and_leaf(model):
    tree = model.trees[0]
    said = texts(model.plot_tree(0))
    assert said.count("yes") == said.count("no") == tree.n_leaves - 1
    assert sum(bool(re.match(r"gain ", text)) for text in said) == tree.n_leaves - 1
    assert any("kind" in text for text in said)
    shallow = texts(model.plot_tree(0, depth=1))
    assert shallow.count("yes") == 1
    assert any(text.endswith(" below") for text in shallow)
    with pytest.raises(WorkbenchError, match="20 trees; there is no tree 20"):
        model.plot_tree(20)


def test_the_curve_ends_at_the_figures_of_the_history(model):
    said = texts(model.plot_history("rmse"))
    last = model.history[-1]
    ends = [float(text.split()[1]) for text in said if text.startswith("training ")]
    assert ends == pytest.approx([last["train:rmse"]], rel=1e-3)
    assert f"best {model.best_round}" in said
    with pytest.raises(WorkbenchError, match="no metric 'rmsle'"):
        model.plot_history("rmsle")


def test_importance_and_contributions_name_columns_as_they_are_called(model, frame):
    said = texts(model.plot_importance())
    assert {"a<b", "kind"} <= set(said)
    X = frame.drop(columns="y")
    row = texts(model.plot_contributions(X.iloc[:1]))
    raw = float(model.predict_raw(X.iloc[:1])[0])
    assert any(text.startswith("raw prediction ") and
               float(text.split()[-1].replace("−", "-")) == pytest.approx(raw, rel=1e-3) for text in row)
    many = model.plot_contributions(X)
    assert {"a<b", "kind", "mean size"} <= set(texts(many))
    assert len(list(ElementTree.fromstring(many.svg).iter(f"{SVG}circle"))) > 200


def test_signs_that_no_picture_may_hold_are_shown(frame):
    odd = workbench.fit(frame.rename(columns={"kind": "bell\a\ufffe", "a<b": "\0"}), target="y", rounds=2)
    said = texts(odd.plot_importance())
    assert {"bell\u2407\ufffd", "\u2400"} <= set(said)
    ElementTree.fromstring(odd._repr_html_())


def test_a_picture_of_contributions_is_of_one_figure_a_column(model, frame):
    for apart in ("interactions", "each_round", "each_tree"):
        with pytest.raises(WorkbenchError, match=f"leave {apart} out"):
            model.plot_contributions(frame.drop(columns="y"), **{apart: True})


def test_a_notebook_shows_models_and_runs_as_a_card(model, frame):
    study = workbench.Study(frame, target="y")
    run = study.train(rounds=3)
    for shown in (model, run):
        html = shown._repr_html_()
        assert html.count("<svg") == 2
        ElementTree.fromstring(html)
    assert "&lt;" in model._repr_html_()
    bare = workbench.fit(frame, target="y", rounds=2, method="linear")
    ElementTree.fromstring(bare._repr_html_())


def test_a_picture_can_be_kept(model, tmp_path):
    model.plot_tree().save(tmp_path / "tree.svg")
    assert (tmp_path / "tree.svg").read_text("utf-8").startswith("<svg")
