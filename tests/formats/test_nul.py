"""NUL in the name of a column, a category, a class, the target or the file: told as it is, or refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.formats.code.test_code import module_of, values_of
from tests.formats.code.words_reader import READERS, added_up
from tests.formats.making import make_model, make_rows, margins
from tests.formats.report.test_html import page_of
from workbench.__main__ import main
from workbench.errors import WorkbenchError
from workbench.formats.base import writer
from workbench.formats.load import load_model


def columns(schema):
    names = ("a", "a\0", "a\0b", "\0")
    return replace(schema, features=tuple(map(lambda f, n: replace(f, name=n), schema.features, names)))


def categories(schema):
    labels = ("c", "c\0", "\0", "\0c", "c\0d", "c\0\0", "c\\0", "c\\u0000")
    return replace(schema, features=tuple(
        replace(f, categories=(*labels, "more")[: len(f.categories)]) for f in schema.features
    ))  # fmt: skip


PLACES = {
    "columns": columns, "categories": categories,
    "classes": lambda schema: replace(schema, class_labels=("k\0", "k", "\0k")),
    "target": lambda schema: replace(schema, target="t\0x"),
    "source": lambda schema: replace(schema, source="t\0x.csv"),
}  # fmt: skip
REFUSED = {
    "c": ("columns", "categories", "classes", "target"), "sql": ("columns", "categories"),
    "spreadsheet": ("categories",),
}  # fmt: skip
EACH = pytest.mark.parametrize("place", PLACES)


def model_with_nul(place):
    model = make_model(3, "softmax", 4, rounds=4, kinds=("category", "number"))
    ensemble = replace(model.ensemble, output_names=())
    return replace(model, schema=PLACES[place](model.schema), ensemble=ensemble)


@pytest.mark.parametrize("format_", REFUSED)
@EACH
def test_languages_that_cannot_say_it(place, format_, tmp_path, capsys):
    model = model_with_nul(place)
    model.save(tmp_path / "m.json")
    code = main(["convert", str(tmp_path / "m.json"), "--to", format_, "--output", str(tmp_path / "out")])
    refused = place in REFUSED[format_]
    assert (code == 2) == refused == (not (tmp_path / "out").exists())
    said = capsys.readouterr().err
    assert (said.count("NUL character, which") == said.count("\n") == 1) == refused
    assert ("Convert to 'python', 'onnx' or 'json'" in said) == refused
    assert "\0" not in said


@EACH
def test_python(place):
    model = model_with_nul(place)
    rows = make_rows(model)
    made = module_of(writer("python").write(model))
    found = [made["predict_raw"](row) for row in values_of(model, rows)]
    np.testing.assert_array_equal(found, margins(model, rows))


@pytest.mark.parametrize("format_", READERS)
@EACH
def test_words(place, format_):
    model = model_with_nul(place)
    data = writer(format_).write(model)
    assert b"\0" not in data
    words = READERS[format_](data.decode())
    rows = make_rows(model)
    given = [dict(zip(model.schema.names, row, strict=True)) for row in values_of(model, rows)]
    found = [added_up(words, model.ensemble.output_names, row) for row in given]
    np.testing.assert_array_equal(found, margins(model, rows))


def test_a_page_shows_a_sign_in_its_place():
    assert {"a", "a␀", "a␀b", "␀"} <= set(page_of(model_with_nul("columns")).isolated)


@pytest.mark.parametrize("format_", ["json", "xgboost", "xgboost-ubjson", "onnx"])
@EACH
def test_files_that_are_read_again(place, format_, tmp_path):
    if format_ == "onnx":
        pytest.importorskip("onnx")
    model = model_with_nul(place)
    rows = make_rows(model)
    model.save(tmp_path / "m", format=format_)
    again = load_model(tmp_path / "m")
    assert format_ == "onnx" or again.schema == model.schema
    assert again.schema.features == model.schema.features
    np.testing.assert_array_equal(margins(again, rows), margins(model, rows))


@pytest.mark.parametrize("format_", ["xgboost", "xgboost-ubjson"])
@EACH
def test_xgboost(place, format_):
    xgboost = pytest.importorskip("xgboost")
    model = model_with_nul(place)
    rows = make_rows(model)
    booster = xgboost.Booster({"nthread": 1})
    booster.load_model(bytearray(writer(format_).write(model)))
    names, types = booster.feature_names, booster.feature_types
    matrix = xgboost.DMatrix(rows, feature_names=names, feature_types=types, nthread=1)
    np.testing.assert_array_equal(booster.predict(matrix, output_margin=True), margins(model, rows))
    again = writer(format_).read(bytes(booster.save_raw("json" if format_ == "xgboost" else "ubj")))
    assert again.schema == model.schema


@EACH
def test_onnx(place):
    runtime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    model = model_with_nul(place)
    rows = make_rows(model)
    session = runtime.InferenceSession(writer("onnx").write(model), providers=["CPUExecutionProvider"])
    expected = margins(model, rows)
    found = session.run(["raw"], {"features": rows})[0]
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6 * np.abs(expected).max())


def test_the_name_that_is_refused_is_told():
    words = r"The name 'a\\x00' holds a NUL character, which C cannot say"
    with pytest.raises(WorkbenchError, match=words):
        writer("c").write(model_with_nul("columns"))
