"""Partial dependence and accumulated effects from a script."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import workbench
from workbench.errors import WorkbenchError


@pytest.fixture(scope="module")
def fitted():
    """A model of three columns, and its rows."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"a": rng.normal(size=120).round(1), "b": rng.normal(size=120)})
    frame["c"] = pd.Categorical(rng.choice(["p", "q", "r"], 120))
    frame.loc[::9, "a"] = np.nan
    y = (frame["a"].fillna(1) * (frame["c"] == "q") + frame["b"] > 0).astype(int)
    return workbench.fit(frame, y, rounds=6, max_depth=3), frame


def moved(frame, **values):
    return frame.assign(**values).astype({"c": frame["c"].dtype})


def test_the_mean_is_that_of_predictions_with_the_column_put_there(fitted):
    model, frame = fitted
    effect = model.partial_dependence(frame, "a", lines=True)
    assert effect.places[0][-1] is None
    assert effect.rows.sum() == len(frame)
    assert effect.lines.shape == (120, len(effect.average))
    for place in (0, 3, -1):
        value = effect.places[0][place]
        said = model.predict(moved(frame, a=np.nan if value is None else value))
        np.testing.assert_allclose(effect.lines[:, place], said, atol=1e-6)
        assert effect.average[place] == pytest.approx(said.mean(), abs=1e-6)


def test_places_rounds_weights_and_raw_are_as_they_are_given(fitted):
    model, frame = fitted
    weight = np.random.default_rng(0).random(120)
    effect = model.partial_dependence(frame, "c", ["r", None], rounds=2, raw=True, weight=weight)
    said = model.predict_raw(moved(frame, c="r"), rounds=2)
    assert effect.average[0] == pytest.approx(np.average(said, weights=weight), abs=1e-6)
    both = model.partial_dependence(frame, ["c", 1])
    assert both.places[0] == ["p", "q", "r"]
    assert both.average.shape == (3, len(both.places[1]))
    said = model.predict(moved(frame, c="q", b=both.places[1][0]))
    assert both.average[1, 0] == pytest.approx(said.mean(), abs=1e-6)


def test_accumulated_effects_have_a_mean_of_nothing(fitted):
    model, frame = fitted
    effect = model.accumulated_effects(frame, "b")
    assert effect.places[0] == sorted(effect.places[0])
    assert effect.average[0] < 0 < effect.average[-1]
    levels = model.accumulated_effects(frame, "c", raw=True)
    assert sorted(levels.places[0]) == ["p", "q", "r"]
    assert (levels.average * levels.rows).sum() == pytest.approx(0, abs=1e-9)
    one, other = levels.places[0][:2]
    own = frame[frame["c"].isin([one, other])]
    moves = [model.predict_raw(moved(own, c=level)).mean() for level in (one, other)]
    assert levels.average[1] - levels.average[0] == pytest.approx(moves[1] - moves[0], abs=1e-6)


@pytest.mark.parametrize(("columns", "places", "words"), [
    ("z", None, "no column"), (7, None, "3 columns"), (["a", "b", "c"], None, "one column or two"),
    ("c", ["x"], "no category"), (["a", "b"], [1.0], "one column"),
])  # fmt: skip
def test_what_cannot_be_is_said(fitted, columns, places, words):
    model, frame = fitted
    with pytest.raises(WorkbenchError, match=words):
        model.partial_dependence(frame, columns, places)
