"""Odd models in every format, each read or run by another program than ours, on the same rows."""

from __future__ import annotations

import ctypes
import shutil
from importlib.util import find_spec

import numpy as np
import pytest

from tests.formats.code.sheets import computed, evaluated, formulas_of
from tests.formats.code.test_code import connect, library, module_of, scored, single, values_of
from tests.formats.code.words_reader import READERS, added_up
from tests.formats.odd_models import MAKERS, NEEDS, odd_model, rows_and_raw
from workbench.ensembles.prediction import raw_predictions
from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS, writer
from workbench.formats.load import load_model
from workbench.formats.short_names import shortened

pytestmark = pytest.mark.filterwarnings("ignore::workbench.errors.WorkbenchWarning")  # of one leaf

EACH = pytest.mark.parametrize("name", MAKERS)
TOO_LARGE = ("boosted forest", "forest of 3 classes", "exact, deep", "XGBoost forest")
WORDS = pytest.mark.parametrize("format_", READERS)


@pytest.fixture
def case(name):
    for begin, package in NEEDS.items():
        if name.startswith(begin):
            pytest.importorskip(package)
    return odd_model(name), *rows_and_raw(name)


def close(found, expected, rtol=2e-6):
    """Sums of single precision in another order or precision."""
    scale = np.abs(expected).max(initial=0.0)
    np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol * scale)


def exactness(model):
    return 1e-12 if model.ensemble.adds_doubles else 2e-6


@pytest.mark.sampled
@WORDS
@EACH
def test_words(case, format_):
    model, rows, offset, expected = case
    words = READERS[format_](writer(format_).write(model).decode())
    model = shortened(model)
    assert (words.offset is None) == (offset is None)
    given = [dict(zip(model.schema.names, row, strict=True)) for row in values_of(model, rows)]
    known = [None] * len(rows) if offset is None else offset
    outputs = model.ensemble.output_names
    found = [added_up(words, outputs, row, more) for row, more in zip(given, known, strict=True)]
    np.testing.assert_array_equal(np.array(found), expected)


@EACH
def test_python(case):
    model, rows, offset, expected = case
    made = module_of(writer("python").write(model))
    known = [()] * len(rows) if offset is None else [(float(more),) for more in offset]
    pairs = zip(values_of(model, rows), known, strict=True)
    found = [made["predict_raw"](row, *more) for row, more in pairs]
    np.testing.assert_array_equal(np.reshape(found, expected.shape), expected)


@pytest.mark.sampled
@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler here")
@EACH
def test_c(case, tmp_path):
    model, rows, offset, expected = case
    code = library(tmp_path / "model.so", model)
    real = ctypes.c_double if model.ensemble.adds_doubles else ctypes.c_float
    found = np.empty_like(expected)
    for place, row in enumerate(np.ascontiguousarray(rows)):
        raw = (real * expected.shape[1])()
        more = [] if offset is None else [ctypes.c_float(offset[place])]
        code.workbench_predict_raw(row.ctypes.data_as(ctypes.POINTER(ctypes.c_float)), *more, raw)
        found[place] = raw[:]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.sampled
@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
@EACH
def test_sql(case, engine):
    model, rows, offset, expected = case
    raw, _ = scored(connect(engine), model, rows, offset)
    close(raw, expected, exactness(model))


@EACH
def test_onnx(case):
    runtime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    model, rows, offset, expected = case
    if offset is not None:
        with pytest.raises(WorkbenchError, match="no place for an offset"):
            writer("onnx").write(model)
        return
    session = runtime.InferenceSession(writer("onnx").write(model), providers=["CPUExecutionProvider"])
    close(session.run(["raw"], {"features": rows})[0], expected, exactness(model))


def asks_for_almost_nothing(model):
    """IronCalc takes numbers for equal that are less than 2⁻⁵² apart."""
    thresholds = np.abs(np.concatenate([tree.nodes["threshold"] for tree in model.trees] or [[]]))
    return ((thresholds > 0) & (thresholds < 1e-12)).any()


@pytest.mark.sampled
@EACH
def test_spreadsheet(name, case):
    model, rows, offset, expected = case
    if name in TOO_LARGE:
        with pytest.raises(WorkbenchError, match="too large for a spreadsheet formula"):
            writer("spreadsheet").write(model)
        return
    text = writer("spreadsheet").write(model).decode()
    formulas = formulas_of(text)
    known = [[]] * len(rows) if offset is None else offset[:, None].tolist()
    given = [[*row, *more] for row, more in zip(values_of(model, rows), known, strict=True)]
    found = np.array([[evaluated(formula, row) for formula in formulas] for row in given])
    if expected.shape[1] == 1 or model.ensemble.objective != "softmax":
        expected = model.transform(expected if expected.shape[1] > 1 else expected[:, 0])
    close(single(found).reshape(expected.shape), expected, 1e-5)
    if find_spec("ironcalc") and not asks_for_almost_nothing(model):
        found = computed(formulas, given)
        close(single(found).reshape(expected.shape), expected, 1e-5)


@pytest.mark.sampled
@pytest.mark.parametrize("format_", [f.name for f in FORMATS if f.can_write and f.can_read])
@EACH
def test_files_that_are_read_again(case, format_, tmp_path):
    model, rows, offset, expected = case
    if format_ == "onnx" and offset is not None:
        pytest.skip("refused")
    model.save(tmp_path / "m", format=format_)
    again = load_model(tmp_path / "m")
    found = raw_predictions(again.ensemble, rows, offset=offset).reshape(expected.shape)
    np.testing.assert_array_equal(found, expected)
