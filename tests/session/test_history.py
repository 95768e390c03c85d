"""The figures of a run's rounds."""

from types import SimpleNamespace

import numpy as np
from numpy.testing import assert_array_equal

from workbench.session.history import FIGURES, LEAST, History


def round_with(loss, valid, **extras):
    figures = dict.fromkeys(FIGURES, 0.0) | {"loss": loss}
    params = SimpleNamespace(subsample=0.5)
    return SimpleNamespace(**figures, params=params, train={"rmse": loss}, valid=valid, extras=extras)


def test_a_metric_that_comes_later_has_no_figures_before():
    history = History()
    history.append(round_with(3.0, {}))
    history.append(round_with(2.0, {"mae": 7.0}))
    history.append(round_with(1.0, {}, spread=4.0))
    assert_array_equal(history.column("train:rmse"), [3, 2, 1])
    assert_array_equal(history.column("valid:mae"), [np.nan, 7, np.nan])
    assert_array_equal(history.column("spread"), [np.nan, np.nan, 4])
    assert_array_equal(history.column("subsample"), [0.5] * 3)
    assert not len(history.column("valid:rmse"))
    assert history.names == (*FIGURES, "subsample", "train:rmse", "valid:mae", "spread")


def test_many_rounds_are_all_kept():
    history, losses = History(), np.arange(2.0 * LEAST + 1)
    for loss in losses.tolist():
        history.append(round_with(loss, {}))
    assert_array_equal(history.column("loss"), losses)
    assert len(history) == len(losses)
