"""Rows of a run after any of its rounds, beside what the model predicts after so many."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn import metrics

from tests.reference.tables import random_dataset, train
from workbench.data.table import Column, Table
from workbench.ensembles.prediction import raw_predictions
from workbench.errors import Cancelled
from workbench.explain.predictions import figures, row_source
from workbench.explain.predictions.findings import findings
from workbench.explain.predictions.row_source import AnsweredTable, Predictor, RowSource
from workbench.explain.predictions.scored_rows import ScoredRows
from workbench.metrics.base import METRICS
from workbench.objectives.base import OBJECTIVES

OBJECTIVE = {"regression": "squared", "binary": "logistic", "multiclass": "softmax"}


def source_of(data, rows, **params):
    started, rounds, _ = train(data, **params)
    objective = OBJECTIVES.get(started.ensemble.objective).with_params(started.params)
    table = AnsweredTable(data.features, data.target, data.table_rows, data.weight)
    return RowSource(Predictor(started.ensemble, rounds, objective, data.schema), table, rows)


def predicted(source, after):
    predictor = source.predictor
    ensemble = predictor.begun.with_rounds(predictor.rounds[:after])
    return predictor.objective.transform(raw_predictions(ensemble, source.table.features))[source.rows]


@pytest.mark.parametrize("task", list(OBJECTIVE))
def test_the_rows_are_those_of_the_model_after_each_round(task):
    data = random_dataset(task, 300, 4, weighted=True)
    source = source_of(data, data.valid_rows, objective=OBJECTIVE[task], rounds=9)
    for after in (9, 1, 4, 0):
        rows = source.scored(after)
        known = np.ones(len(source.rows), bool) if data.weight is None else data.weight[source.rows] > 0
        np.testing.assert_allclose(rows.prediction, predicted(source, after)[known], atol=1e-6)
        np.testing.assert_array_equal(rows.target, data.target[rows.rows])
        if task == "binary" and 0 < rows.target.mean() < 1:
            auc = metrics.roc_auc_score(rows.target, rows.prediction, sample_weight=rows.weight)
            assert findings(rows, 1).figures["auc"] == pytest.approx(auc, abs=1e-9)


def test_a_sample_is_evenly_drawn_and_says_of_how_many(monkeypatch):
    monkeypatch.setattr(row_source, "SAMPLED_ROWS", 40)
    data = random_dataset("regression", 300, 4, weighted=True)
    source = source_of(data, np.arange(300), objective="squared", rounds=3)
    rows = source.sample.scored(3)
    assert rows.is_sample
    assert len(rows) == 40
    assert rows.of == (data.weight > 0).sum()
    np.testing.assert_allclose(rows.prediction, source.scored(3).prediction[
        np.isin(source.scored(3).rows, rows.rows)])
    assert not source.most.scored(3).is_sample


@pytest.mark.parametrize("known", [7, 0])
def test_rows_that_are_not_counted_are_not_predicted(known):
    data = random_dataset("regression", 300, 4)
    source = source_of(data, np.arange(300), objective="squared", rounds=3)
    source.table.target.setflags(write=True)
    source.table.target[known:] = np.nan
    for part in (source.sample, source.most):
        assert len(part.rows) == max(known, 1)
        rows = part.scored(3)
        assert (len(rows), rows.is_sample) == (known, False)
        np.testing.assert_allclose(rows.prediction, source.scored(3).prediction)


def test_probabilities_that_single_precision_rounds_to_1_still_differ():
    raw = np.array([24.0, 22.0, 17.5, 7.0, 0.5, -30.0], np.float32)
    objective = OBJECTIVES.get("logistic")
    shares = row_source.fine_shares(objective.transform(raw), raw)
    np.testing.assert_allclose(shares, 1 / (1 + np.exp(-raw.astype(float))), rtol=1e-6)
    assert (np.diff(shares) < 0).all()
    rows = ScoredRows("classes", np.zeros(6), shares, np.arange(6), labels=("no", "yes"))
    wanted = METRICS.get("logloss").value(np.zeros(6), raw)
    assert figures.log_loss(rows) == pytest.approx(wanted, rel=1e-5)
    others = np.full(6, 0.9995, np.float32)
    assert row_source.fine_shares(others, raw) is others, "they do not follow from these log-odds"


def test_of_more_outputs_than_memory_holds_a_sample_stands_for_all(monkeypatch):
    monkeypatch.setattr(row_source, "MOST_OUTPUTS", 150)
    data = random_dataset("multiclass", 300, 4, weighted=True)
    source = source_of(data, np.arange(300), objective="softmax", rounds=2)
    rows = source.most.scored(2)
    assert rows.is_sample
    assert len(rows) <= 150 // len(rows.labels)


def test_columns_that_no_tree_reads_can_be_looked_at_too():
    data = random_dataset("regression", 60, 3, n_valid=20)
    source = source_of(data, data.valid_rows, objective="squared", rounds=1)
    rows = source.scored(1)
    assert source.column("colour", rows) is None
    colours = Column("colour", "category", (np.arange(60) % 2).astype(np.float32), ("red", "blue"))
    table = replace(source.table, beside=Table("t", (colours,)))
    found = RowSource(source.predictor, table, source.rows).column("colour", rows)
    np.testing.assert_array_equal(found.values, data.table_rows[rows.rows] % 2)
    assert found.categories == ("red", "blue")
    name = data.schema.names[2]
    np.testing.assert_array_equal(source.column(name, rows).values, data.features[rows.rows, 2])


def test_it_stops_when_asked():
    data = random_dataset("regression", 100, 3, n_valid=20)
    source = source_of(data, np.arange(100), objective="squared", rounds=5)
    with pytest.raises(Cancelled):
        source.scored(5, lambda: True)
