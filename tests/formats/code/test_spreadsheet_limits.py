"""What Excel takes of a formula: written up to each limit, and refused in a line beyond it."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest

from tests.formats.code.sheets import computed, evaluated, formulas_of
from tests.formats.code.test_code import values_of
from tests.formats.making import make_model, make_rows, margins
from tests.formats.test_limits import chain
from workbench.data.schema import Feature
from workbench.errors import WorkbenchError
from workbench.formats.base import writer
from workbench.trees.tree import NODE_DTYPE, Tree

FUNCTION = re.compile(r"[A-Z]+\(")
TEXT = re.compile(r'"(?:[^"]|"")*"')


def formula_of(model):
    [formula] = formulas_of(writer("spreadsheet").write(model).decode())
    return formula


def refused(model):
    with pytest.raises(WorkbenchError, match="too large for a spreadsheet formula") as found:
        writer("spreadsheet").write(model)
    assert "\n" not in str(found.value)
    return str(found.value)


def numbers(objective="squared", kinds=("number",), **made):
    return make_model(0, objective, 1, rounds=1, kinds=kinds, base=0, **made)


def of_leaves(model, count, value):
    """The model with so many trees of one leaf."""
    nodes = np.zeros(1, NODE_DTYPE)
    nodes["feature"] = nodes["left"] = nodes["right"] = nodes["category"] = nodes["parent"] = -1
    nodes["leaf_value"] = value
    tree = Tree(nodes, np.zeros(2, np.int32), np.zeros(0, np.int32))
    return replace(model, ensemble=replace(model.ensemble, trees=(tree,) * count))


def asking(labels, codes=None, default_left=False):
    """A model of one question about these categories."""
    model = numbers(kinds=("category",))
    nodes = np.zeros(3, NODE_DTYPE)
    nodes["feature"], nodes["left"], nodes["right"] = [0, -1, -1], [1, -1, -1], [2, -1, -1]
    nodes["parent"], nodes["depth"], nodes["threshold"] = [-1, 0, 0], [0, 1, 1], np.nan
    nodes["leaf_value"], nodes["default_left"] = [0, 1, 2], default_left
    asked = np.arange(len(labels)) if codes is None else np.array(codes)
    begin = np.array([0, len(asked), len(asked), len(asked)], np.int32)
    tree = Tree(nodes, begin, asked.astype(np.int32))
    schema = replace(model.schema, features=(Feature("kind", "category", tuple(labels)),))
    return replace(model, schema=schema, ensemble=replace(model.ensemble, trees=(tree,)))


def test_8192_characters():
    fits = of_leaves(numbers(), 819, 0.5)  # "=0", and "+0.5" of each
    longer = of_leaves(numbers(), 2048, 0.5)
    assert len(formula_of(fits)) == 2 + 4 * 819
    assert "it would take 8,194 characters, a formula may have 8,192" in refused(longer)
    exact = of_leaves(numbers(), 910, 0.015625)  # "+0.015625"
    assert len(formula_of(exact)) == 8192


def test_16384_bytes_as_excel_keeps_them():
    """A number of two characters takes nine bytes, or three where it is whole."""
    assert "bytes, a formula may have 16,384" in refused(of_leaves(numbers(), 2000, 0.5))
    assert "bytes" not in formula_of(of_leaves(numbers(), 1600, 0.5))


@pytest.mark.parametrize(("objective", "most"), [("squared", 63), ("poisson", 61), ("logistic", 61)])
def test_64_levels(objective, most):
    """Below an IF for each level stands an AND; EXP and MIN of the link stand around all of them."""
    model = numbers(objective)
    for levels in (most, most + 1, 70, 4000):
        deep = chain(levels, model)
        nodes = deep.trees[0].nodes
        nodes["default_left"] = False
        nodes["leaf_value"] = np.where(nodes["feature"] < 0, np.arange(len(nodes)) % 7 * 0.25, 0)
        if levels > most:
            assert "levels deep in each other, a formula may have 64" in refused(deep)
            continue
        formula = formula_of(deep)
        assert deepest(formula) == 64
        rows = [[float(x)] for x in (-1, 0, 30.5, 61, 100)]
        expected = deep.predict(np.array(rows, np.float32))
        for found in ([evaluated(formula, row) for row in rows], _by_ironcalc(formula, rows)):
            np.testing.assert_allclose(found, expected, rtol=1e-6)


def _by_ironcalc(formula, rows):
    pytest.importorskip("ironcalc")
    return computed([formula], rows)[:, 0]


def deepest(formula):
    """Functions in functions, counted by their brackets."""
    opened, most = [], 0
    for sign in re.findall(r"[A-Z]*\(|\)", TEXT.sub("", formula)):
        opened = opened[:-1] if sign == ")" else [*opened, sign != "("]
        most = max(most, sum(opened))
    return most


@pytest.mark.parametrize("default_left", [False, True])
@pytest.mark.parametrize("count", [254, 255, 256, 300])
def test_255_values_of_a_function(count, default_left):
    labels = [f"{k}x" for k in range(count)]
    model = asking(labels, range(count), default_left)
    formula = formula_of(model)
    assert max(map(len, given_values(formula))) <= 255
    given = [[label] for label in (*labels[::50], labels[-1], "other", None)]
    answers = [1.0] * (len(given) - 2) + [2.0, 1.0 if default_left else 2.0]
    for found in ([evaluated(formula, row) for row in given], _by_ironcalc(formula, given)):
        np.testing.assert_array_equal(found, answers)


def given_values(formula):
    """The values of every OR and AND."""
    plain, found, opened = TEXT.sub("t", formula), [], []
    for sign in re.findall(r"[A-Z]+\(|\(|\)|,|[^(),]+", plain):
        if sign.endswith("("):
            opened.append([""])
        elif sign == ")":
            found.append(opened.pop())
        elif sign == "," and opened:
            opened[-1].append("")
    return found


LONG = ("a" * 255, "a" * 256, '"' * 300, "🌲" * 300, 'é"' * 200, "x\n" * 100, "tab\tend\r")


@pytest.mark.parametrize("label", LONG)
def test_255_characters_of_a_text(label):
    formula = formula_of(asking([label, "other"], [0]))
    pieces = TEXT.findall(formula)
    assert max(len(piece[1:-1].encode("utf-16-le")) // 2 for piece in pieces) <= 255
    assert not re.search("[\x00-\x1f]", formula)
    given = [[label], [label[:-1]], [label + "a"], ["other"], [None]]
    for found in ([evaluated(formula, row) for row in given], _by_ironcalc(formula, given)):
        np.testing.assert_array_equal(found, [1, 2, 2, 2, 2])


@pytest.mark.parametrize("label", ["a\r\nb", "a\rb"])
def test_ends_of_lines_are_known_as_sheets_keep_them(label):
    """LibreOffice makes a line feed of each."""
    given = [[label], ["a\nb"], ["a b"], [None]]
    formula = formula_of(asking([label, "other"], [0]))
    assert [evaluated(formula, row) for row in given] == [1, 1, 2, 2]
    formula = formula_of(asking([label, "a\nb", "other"], [0, 1]))
    assert [evaluated(formula, row) for row in given] == [1, 1, 2, 2]


@pytest.mark.parametrize(("labels", "codes"), [
    (["a\r\nb", "a\nb"], [0]), (["a\r\nb", "a\nb"], [1]), (["a\rb", "c", "a\r\nb"], [1, 2]),
])  # fmt: skip
def test_categories_that_are_one_to_a_sheet_and_two_to_the_model(labels, codes):
    with pytest.raises(WorkbenchError, match="takes every end of a line for the same") as refused:
        writer("spreadsheet").write(asking(labels, codes))
    assert "\n" not in str(refused.value)


def test_text_that_no_cell_holds():
    with pytest.raises(WorkbenchError, match="NUL character, which no cell can hold"):
        writer("spreadsheet").write(asking(["a\0b", "c"], [0]))


def test_16384_columns():
    for columns in (16_384, 16_385):
        features = tuple(Feature(f"c{k}", "number", ()) for k in range(columns))
        model = numbers()
        model = replace(model, schema=replace(model.schema, features=features))
        if columns > 16_384:
            assert "16,385 columns, a sheet has 16,384" in refused(model)
        else:
            assert "\nXFD2: 'c16383'" in writer("spreadsheet").write(model).decode()


@pytest.mark.parametrize("objective", ["logistic", "poisson"])
def test_sums_beyond_the_largest_power(objective):
    """EXP of more than 709.78 is an error in spreadsheets."""
    for value in (-5000.0, -800.0, 800.0, 5000.0):
        model = of_leaves(numbers(objective), 1, value)
        for found in (evaluated(formula_of(model), [0.0]), _by_ironcalc(formula_of(model), [[0.0]])[0]):
            with np.errstate(over="ignore"):
                assert np.float32(found) == model.predict(np.zeros((1, 1), np.float32))[0]


def test_what_is_refused_is_so_at_once():
    assert "characters" in refused(make_model(1, "squared", rounds=300))
    rows = make_rows(numbers())
    found = [evaluated(formula_of(numbers()), row) for row in values_of(numbers(), rows)]
    np.testing.assert_allclose(found, margins(numbers(), rows), rtol=1e-6)


@pytest.mark.parametrize("raw", [-800.0, -1.0, 0.0, 3.0, 708.0, 1e6])
def test_softplus_of_any_size(raw):
    """Of negative ones as many digits are left as 1 + e^x has."""
    model = make_model(objective="cross_entropy_lambda", n_features=1, rounds=0, base=raw)
    (formula,) = formulas_of(writer("spreadsheet").write(model).decode())
    expected = float(model.transform(model.ensemble.base_margin)[0])
    assert evaluated(formula, [1.0]) == pytest.approx(expected, rel=1e-6, abs=1e-15)
    if find_spec("ironcalc"):
        assert computed([formula], [[1.0]])[0, 0] == pytest.approx(expected, rel=1e-6, abs=1e-15)
