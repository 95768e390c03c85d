"""Tables of bare predictions: which columns they are, and what they mean."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.data.table import Column, Table
from workbench.errors import WorkbenchError
from workbench.explain.predictions.bare_columns import (
    BareColumns,
    bare_rows,
    guess_columns,
    prediction_choices,
)
from workbench.explain.predictions.bare_source import BareSource


def number(name, values):
    return Column(name, "number", np.asarray(values, np.float32))


def category(name, values, labels):
    return Column(name, "category", np.asarray(values, np.float32), labels)


KINDS = category("species", [0, 1, 2, 1], ("a", "b", "c"))
SHARES = [number(f"probability_{label}", values) for label, values in
          (("b", [0.2, 0.7, 0.1, 0.3]), ("a", [0.7, 0.1, 0.1, 0.4]), ("c", [0.1, 0.2, 0.8, 0.3]))]


@pytest.mark.parametrize(("names", "wanted"), [
    (("truth", "prediction"), BareColumns("truth", ("prediction",))),
    (("id", "Y_True", "y_pred", "sample_weight"), BareColumns("Y_True", ("y_pred",), "sample_weight")),
    (("actual", "score"), BareColumns("actual", ("score",))),
    (("truth", "probability_0", "id"), BareColumns("truth", ("probability_0",))),
    (("age", "score"), None),
    (("truth", "age"), None),
    (("truth", "probability_0", "probability_1"), BareColumns("truth", ("probability_0", "probability_1"))),
    (("truth", "probability_0", "p", "probability_2"), BareColumns("truth", ("p",))),
])
def test_columns_are_found_by_what_they_are_called(names, wanted):
    assert guess_columns(Table("t", tuple(number(name, [0, 1]) for name in names))) == wanted


@pytest.mark.parametrize("kind", ["number", "category"])
def test_a_class_of_which_the_first_rows_have_none_is_found(kind):
    values = np.repeat([0, 1, 2], [6000, 10, 10])
    truth = number("truth", values) if kind == "number" else category("truth", values, ("0", "1", "2", "3"))
    shares = [number(f"probability_{label}", np.full(len(values), 0.3)) for label in (1, 0, 2)]
    found = ("probability_0", "probability_1", "probability_2")
    assert prediction_choices(Table("t", (truth, *shares)), "truth")[0] == found


def test_whole_numbers_are_read_as_they_stand():
    large = 2.0**24 + np.array([1, 3, 7])
    truth, predicted = (Column(name, "number", values.astype(np.float32), exact=values)
                        for name, values in (("truth", large), ("prediction", large + np.array([0, 0, 1]))))
    rows = bare_rows(Table("t", (truth, predicted)), BareColumns("truth", ("prediction",)))
    assert rows.residual().tolist() == [0, 0, -1]


def test_large_whole_numbers_are_classes_of_their_own():
    large = 2.0**24 + np.array([1, 3, 5, 1])
    truth, predicted = (Column(name, "number", values.astype(np.float32), exact=values)
                        for name, values in (("truth", large), ("prediction", large[[0, 2, 2, 3]])))
    rows = bare_rows(Table("t", (truth, predicted)), BareColumns("truth", ("prediction",)))
    assert rows.labels == ("16777217", "16777219", "16777221")
    assert rows.taken_for(0, None).tolist() == [0, 2, 2, 0]
    assert rows.target.tolist() == [0, 1, 2, 0]


def test_what_the_program_itself_writes_is_found_with_the_target():
    table = Table("scored", (KINDS, category("prediction", [0, 1, 2, 0], ("a", "b", "c")), *SHARES))
    found = guess_columns(table, "species")
    assert found.predicted == ("probability_a", "probability_b", "probability_c")
    rows = bare_rows(table, found)
    assert rows.labels == ("a", "b", "c")
    np.testing.assert_allclose(rows.prediction[1], [0.1, 0.7, 0.2], atol=1e-6)
    assert prediction_choices(table, "species")[1] == ("prediction",)
    alone = bare_rows(table, BareColumns("species", ("prediction",)))
    assert alone.taken_for(0, None).tolist() == [0, 1, 2, 0]


def test_two_numbers_with_shares_are_classes_and_others_are_numbers():
    truth, score = number("truth", [0, 1, 1, np.nan]), number("prediction", [0.2, 0.9, np.nan, 0.4])
    rows = bare_rows(Table("t", (truth, score)), BareColumns("truth", ("prediction",)))
    assert (rows.task, rows.labels, rows.boundary) == ("classes", ("0", "1"), 0.5)
    assert rows.rows.tolist() == [0, 1]
    odds = number("prediction", [-2.0, 3.0, 0.1, 1])
    rows = bare_rows(Table("t", (truth, odds)), BareColumns("truth", ("prediction",)))
    assert rows.boundary == 0.0
    of_other = number("probability_0", [0.2, 0.9, np.nan, 0.4])
    rows = bare_rows(Table("t", (truth, of_other)), BareColumns("truth", ("probability_0",)))
    np.testing.assert_allclose(rows.prediction, [0.8, 0.1], atol=1e-6)
    rows = bare_rows(Table("t", (number("y", [1, 2, 3.5]), number("p", [1, 2, 3]))), BareColumns("y", ("p",)))
    assert rows.task == "numbers"


def test_weights_of_zero_are_left_out():
    table = Table("t", (number("y", [1, 2, 4]), number("p", [1, 2, 3]), number("w", [1, 0, 2])))
    assert bare_rows(table, BareColumns("y", ("p",), "w")).rows.tolist() == [0, 2]
    for bad, words in ((-1, "a negative weight in row 2 of column 'w'"), (np.inf, "an infinite weight")):
        table = Table("t", (number("y", [1, 2, 4]), number("p", [1, 2, 3]), number("w", [np.nan, bad, 2])))
        assert guess_columns(table).weight is None
        with pytest.raises(WorkbenchError, match=words):
            bare_rows(table, BareColumns("y", ("p",), "w"))


def test_a_class_that_is_never_true_is_taken_wrongly():
    predicted = category("prediction", [0, 3, 2, 1], ("a", "b", "c", "d"))
    rows = bare_rows(Table("t", (KINDS, predicted)), BareColumns("species", ("prediction",)))
    assert rows.labels == ("a", "b", "c", "d")
    assert rows.taken_for(0, None).tolist() == [0, 3, 2, 1]
    assert rows.target.tolist() == [0, 1, 2, 1]


def test_a_few_whole_numbers_of_which_no_others_are_predicted_are_classes():
    truth, predicted = number("truth", [3, 4, 5, 4]), number("prediction", [3, 4, 4, 5])
    rows = bare_rows(Table("t", (truth, predicted)), BareColumns("truth", ("prediction",)))
    assert (rows.task, rows.labels) == ("classes", ("3", "4", "5"))
    assert rows.taken_for(0, None).tolist() == [0, 1, 1, 2]
    two = number("truth", [1, 2, 1, 2])
    rows = bare_rows(Table("t", (two, number("label", [1, 2, 2, 1]))), BareColumns("truth", ("label",)))
    assert (rows.labels, rows.taken_for(0, None).tolist()) == (("1", "2"), [0, 1, 1, 0])
    odds = bare_rows(Table("t", (two, number("label", [1, 2.5, 2, -1]))), BareColumns("truth", ("label",)))
    assert odds.boundary == 0.0, "log-odds"
    other = number("prediction", [3, 4, 4, 6])
    assert bare_rows(Table("t", (truth, other)), BareColumns("truth", ("prediction",))).task == "numbers"


def test_text_is_no_weight():
    words = category("weight", [0, 1, 1, 0], ("low", "high"))
    table = Table("t", (number("truth", [0, 1, 1, 0]), number("prediction", [0.1, 0.7, 0.2, 0.4]), words))
    assert guess_columns(table).weight is None
    with pytest.raises(WorkbenchError, match="'weight' holds text"):
        bare_rows(table, BareColumns("truth", ("prediction",), "weight"))


@pytest.mark.parametrize(("columns", "words"), [
    ((KINDS, category("s", [0, 0, 1, 1], ("u", "v")), SHARES[0]), "'s' holds text, and probabilities"),
    ((KINDS, number("s", [np.nan] * 4)), "'s' is empty"),
    ((KINDS, number("s", [0.1, 0.2, 0.3, 0.4])), "'species' 3 classes"),
    ((number("y", np.arange(1200)), category("s", np.arange(1200) % 2, ("u", "v"))), "has 1,200 different"),
    ((number("y", [1, 2, 3, 4.5]), number("s", [1, 2, 3, 4]), number("w", [1, -1, 1, 1])), "negative weight"),
])
def test_columns_that_do_not_fit_have_one_line(columns, words):
    weight = "w" if columns[-1].name == "w" else None
    predicted = tuple(column.name for column in columns[1:] if column.name != "w")
    with pytest.raises(WorkbenchError, match=words):
        bare_rows(Table("t", columns), BareColumns(columns[0].name, predicted, weight))


def test_what_does_not_go_together_is_said():
    table = Table("t", (KINDS, *SHARES[:2], number("one", [1, 1, 1, 1]), number("s", [0, 1, 0, 1])))
    with pytest.raises(WorkbenchError, match="no column of probabilities for 'c'"):
        bare_rows(table, BareColumns("species", ("probability_a", "probability_b")))
    with pytest.raises(WorkbenchError, match="has one value"):
        bare_rows(table, BareColumns("one", ("s",)))


def test_a_sample_says_of_how_many():
    n = 30_000
    table = Table("t", (number("y", np.arange(n)), number("p", np.arange(n))))
    source = BareSource(table, BareColumns("y", ("p",)))
    rows = source.sample.scored(0)
    assert (len(rows), rows.of) == (20_000, n)
    assert source.most.scored(0).of == 0
    assert source.column("p", rows).values[7] == rows.rows[7]
