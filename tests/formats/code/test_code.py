"""Models as code in other languages: each run by its own interpreter, beside the plainest walk."""

from __future__ import annotations

import ctypes
import json
import math
import re
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import workbench
from tests.formats.code.sheets import computed, evaluated
from tests.formats.code.words_reader import added_up, of_rules
from tests.formats.making import TASKS, make_model, make_rows, margins
from workbench.__main__ import main
from workbench.data.encoding import encode
from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS, writer
from workbench.formats.one_way import double_bound

HOSTILE = (
    '"; import os; os.abort(); "',
    "'); DROP TABLE data; --",
    "*/ int x; /* ??/",
    'tab\t"new\nline"',
    "\\",
    "${HOME} @TREES@ <script>",
    "=1+1",
    "naïve ✓",
)


def values_of(model, rows):
    """Rows as a person has them: labels of categories, None where missing, doubles that round to the rows."""
    listed = []
    for row in rows:
        given = []
        for feature, x in zip(model.schema.features, row, strict=True):
            if np.isnan(x):
                given.append(None)
            elif feature.is_categorical:
                known = feature.categories
                given.append(known[int(x)] if int(x) < len(known) else f"unseen {int(x)}")
            else:
                given.append(float(x))
        listed.append(given)
    return listed


def predictions(model, raw):
    return model.transform(np.asarray(raw, np.float32))


def single(values):
    """What is beyond single precision is infinite there, and exp has no other bound in double."""
    with np.errstate(over="ignore"):
        return np.asarray(values, float).astype(np.float32)


def module_of(text):
    space = {"__name__": "model"}
    exec(compile(text, "model.py", "exec"), space)
    return space


@pytest.mark.parametrize("objective", TASKS)
@pytest.mark.parametrize("seed", range(3))
def test_python(objective, seed):
    model = make_model(seed, objective, n_features=len(HOSTILE), rounds=5, names=HOSTILE, dart=True)
    rows = make_rows(model, seed)
    made = module_of(writer("python").write(model))
    raw = margins(model, rows)
    given = values_of(model, rows)
    np.testing.assert_array_equal([made["predict_raw"](row) for row in given], raw)
    named = [made["predict"](dict(zip(HOSTILE, row, strict=True))) for row in given]
    np.testing.assert_allclose(single(named), predictions(model, raw), rtol=2e-6, atol=2e-7)


def test_a_column_of_categories_that_no_tree_asks_about_takes_any_text_in_python():
    model = make_model(3, "squared", n_features=2, rounds=0, kinds=("category",))
    features = tuple(replace(feature, categories=()) for feature in model.schema.features)
    made = module_of(writer("python").write(replace(model, schema=replace(model.schema, features=features))))
    assert made["predict"](["anything", None]) == pytest.approx(float(model.ensemble.base_margin[0]))


def test_python_predicts_labels_and_says_what_is_missing():
    model = make_model(3, "softmax", n_features=3, names=("a", "b", "c"))
    made = module_of(writer("python").write(model))
    rows = make_rows(model)
    expected = model.labels_of(model.transform(margins(model, rows)))
    assert [made["predict_label"](row) for row in values_of(model, rows)] == list(expected)
    with pytest.raises(KeyError, match="no column 'b'"):
        made["predict"]({"a": 1.0, "c": 2.0})
    with pytest.raises(ValueError, match="2 values, and the model needs 3"):
        made["predict"]([1.0, 2.0])
    with pytest.raises(ValueError, match="a number, no class"):
        module_of(writer("python").write(make_model(3, "squared")))["predict_label"]([None])


def library(path, model):
    path.with_suffix(".c").write_bytes(writer("c").write(model))
    command = [
        "cc",
        "-std=c99",
        "-Wall",
        "-Werror",
        "-O1",
        "-ffp-contract=off",
        "-shared",
        "-fPIC",
        str(path.with_suffix(".c")),
        "-o",
        str(path),
        "-lm",
    ]
    subprocess.run(command, check=True, timeout=120)
    return ctypes.CDLL(str(path))


@pytest.mark.parametrize("kind", ["python", "c"])
def test_numbers_that_no_column_holds_are_missing_as_in_a_frame(kind, tmp_path):
    if kind == "c" and not shutil.which("cc"):
        pytest.skip("no C compiler here")
    model = workbench.fit(
        pd.DataFrame({"a": [1, 2, 3, 4, np.nan, np.nan], "y": [0, 0, 9, 9, 3, 3]}),
        target="y",
        rounds=3,
        min_child_weight=0,
    )
    given = [1.0, 4.0, np.inf, -np.inf, 1e300, -3.403e38, np.nan]
    expected = model.predict_raw(pd.DataFrame({"a": given}))
    assert (expected[2:] == expected[-1]).all()
    assert len(set(expected.tolist())) == 3
    if kind == "python":
        found = [module_of(writer("python").write(model))["predict_raw"]([value]) for value in given]
    else:
        predict, found = library(tmp_path / "model.so", model).workbench_predict_raw, []
        for value in given:
            row, raw = (ctypes.c_float * 1)(value), (ctypes.c_float * 1)()
            predict(row, raw)
            found.append(raw[0])
    assert found == expected.tolist()


@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler here")
@pytest.mark.parametrize("objective", ["squared", "logistic", "softmax", "poisson", "exponential"])
def test_c(objective, tmp_path):
    model = make_model(5, objective, n_features=len(HOSTILE), rounds=5, names=HOSTILE, dart=True)
    rows = make_rows(model)
    code = library(tmp_path / "model.so", model)
    outputs = model.ensemble.n_classes
    raw = np.empty((len(rows), outputs), np.float32)
    found = np.empty((len(rows), outputs))
    singles, doubles = ctypes.POINTER(ctypes.c_float), ctypes.POINTER(ctypes.c_double)
    for row, a, b in zip(np.ascontiguousarray(rows), raw, found, strict=True):
        code.workbench_predict_raw(row.ctypes.data_as(singles), a.ctypes.data_as(singles))
        code.workbench_predict(row.ctypes.data_as(singles), b.ctypes.data_as(doubles))
    expected = margins(model, rows)
    np.testing.assert_array_equal(raw if outputs > 1 else raw[:, 0], expected)
    np.testing.assert_allclose(
        single(found if outputs > 1 else found[:, 0]), predictions(model, expected), rtol=2e-6, atol=2e-7
    )
    code.workbench_code.restype = ctypes.c_float
    names = (ctypes.c_char_p * len(HOSTILE)).in_dll(code, "workbench_features")
    assert [name.decode() for name in names] == list(HOSTILE)
    for place, feature in enumerate(model.schema.features):
        codes = [code.workbench_code(place, label.encode()) for label in (*feature.categories, "other")]
        assert codes == list(range(len(feature.categories) + 1))


def scored(connection, model, rows, offset=None):
    """The model's query over a table that holds the rows, in their order."""
    names = [*model.schema.names, *([] if offset is None else [model.schema.offset])]
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    kinds = ["VARCHAR" if f.is_categorical else "DOUBLE" for f in model.schema.features]
    kinds += [] if offset is None else ["DOUBLE"]
    declared = ", ".join(f"{name} {kind}" for name, kind in zip(quoted, kinds, strict=True))
    connection.execute(f'CREATE TABLE "data" ("row number" INTEGER, {declared})')
    marks = ", ".join("?" * (len(quoted) + 1))
    known = [[]] * len(rows) if offset is None else offset[:, None].tolist()
    pairs = zip(values_of(model, rows), known, strict=True)
    given = [[place, *row, *more] for place, (row, more) in enumerate(pairs)]
    connection.executemany(f'INSERT INTO "data" VALUES ({marks})', given)
    query = writer("sql").write(model).decode()
    outputs = model.ensemble.n_classes
    found = connection.execute(query).fetchall()
    found.sort(key=lambda row: row[0])
    table = np.array([row[len(quoted) + 1 :] for row in found], float)
    return table[:, :outputs], table[:, outputs:]


def connect(engine):
    if engine == "sqlite":
        return sqlite3.connect(":memory:")
    return pytest.importorskip("duckdb").connect(":memory:")


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
@example(-3.4028234663852886e38)  # the lowest: below it all rounds to −∞
@example(1e-45)
def test_doubles_are_asked_as_their_float32_is(threshold):
    relation, bound = double_bound(np.float32(threshold))
    assert math.isfinite(bound)
    around = [math.nextafter(bound, side) for side in (-math.inf, math.inf)]
    for x in (bound, *around, threshold, -3.5e38, -1e300, 3e38):
        asked = x <= bound if relation == "<=" else x < bound
        assert asked == (single(x) < np.float32(threshold))


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
@pytest.mark.parametrize("labels", [
    ("1", "1.0", "01", "1e0", "-0", "-0.0", "٣", "٣.0"), ("7", "07.0", "7.0", "07", "+7", "7e0", "x", "y"),
])  # fmt: skip
def test_sql_tells_categories_apart_that_are_one_number(labels, engine):
    model = make_model(3, "squared", n_features=1, rounds=6, kinds=("category",))
    feature = replace(model.schema.features[0], categories=labels)
    model = replace(model, schema=replace(model.schema, features=(feature,)))
    rows = np.array([*range(len(labels) + 1), np.nan], np.float32)[:, None]
    raw, _ = scored(connect(engine), model, rows)
    expected = margins(model, rows)
    assert len(set(expected.tolist())) > 2
    np.testing.assert_allclose(raw[:, 0], expected, rtol=1e-6)


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
@pytest.mark.parametrize("objective", ["squared", "logistic", "softmax", "poisson", "exponential"])
def test_sql(objective, engine):
    model = make_model(7, objective, n_features=len(HOSTILE), rounds=8, names=HOSTILE, dart=True)
    rows = make_rows(model)
    raw, found = scored(connect(engine), model, rows)
    expected = margins(model, rows).reshape(len(rows), -1)
    np.testing.assert_allclose(raw, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())
    wanted = predictions(model, expected if expected.shape[1] > 1 else expected[:, 0])
    np.testing.assert_allclose(single(found), wanted.reshape(found.shape), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("labels", [
    ("setosa", "versicolor", "virginica"), ("it's; DROP TABLE data", "a\nSELECT 1; --", " \u202eb"),
    ("", "\0", "\ud800 🌲"), ("é 1", ":x ?", "\\! rm"),
])  # fmt: skip
def test_sql_says_in_comments_which_class_a_column_is_for(labels):
    model = make_model(objective="softmax", n_classes=3)
    model = replace(model, schema=replace(model.schema, class_labels=labels))
    model = replace(model, ensemble=replace(model.ensemble, output_names=labels))
    query = writer("sql").write(model).decode("utf-8", "surrogatepass")
    told = re.findall("^-- raw_[0-9a-f]{8}_([0-2]), prediction_([0-2]): (.*)$", query, re.MULTILINE)
    assert [place for place, _, _ in told] == [place for _, place, _ in told] == ["0", "1", "2"]
    for label, (_, _, name) in zip(labels, told, strict=True):
        assert (json.loads(name) if name.startswith('"') else name) == label
        assert not set(name.removeprefix('"').removesuffix('"')) & set(";':?&")
        assert name.isprintable()
    assert query.count(";\n") == 1
    rows = "(SELECT 1 AS x0, 2 AS x1, 3 AS x2, 4 AS x3)"
    assert len(connect("sqlite").execute(query.replace('FROM "data"', f"FROM {rows}")).fetchall()) == 1


def test_sql_says_which_of_two_classes_is_predicted():
    query = writer("sql").write(make_model(objective="logistic")).decode()
    assert "\n-- prediction: the probability of yes\nWITH " in query
    assert "-- prediction" not in writer("sql").write(make_model()).decode()


def test_sql_says_what_a_table_must_hold_and_what_is_added():
    query = writer("sql").write(make_model(objective="softmax", n_classes=3, kinds=("category",))).decode()
    assert "Numbers must be kept as numbers, not as text" in query
    assert "Blanks around texts do not count, and a text of nothing else is missing." in query
    added = re.search(r"the table stand raw_(.{8})_0 to raw_(.{8})_2, before the link, and (.*)\n", query)
    assert added[1] == added[2]
    assert added[3] == "prediction_0 to prediction_2."
    assert "Blanks" not in writer("sql").write(make_model(kinds=("number",))).decode()
    model = make_model()
    model = replace(model, schema=replace(model.schema, weight="Prediction of last year"))
    assert ", and model_prediction.\n" in writer("sql").write(model).decode()


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
@pytest.mark.parametrize("objective", ["squared", "softmax"])
def test_sql_of_a_table_that_has_columns_of_every_name_the_query_uses(objective, engine):
    """Of a table that another model's query, and the same one, has been asked about already too."""
    model = make_model(4, objective, n_features=3, names=("a", "b", "c"))
    other = make_model(5, objective, n_features=3, names=("a", "b", "c"))
    rows = make_rows(model)
    connection = connect(engine)
    kinds = ["VARCHAR" if f.is_categorical else "DOUBLE" for f in model.schema.features]
    others = ["raw", "prediction", "raw_0", "prediction_0", "model", "data", "d", "t0", "t1", "label", "code"]
    declared = [*map(" ".join, zip("abc", kinds, strict=True)), *(f'"{name}" DOUBLE' for name in others)]
    connection.execute(f'CREATE TABLE "model" (n INTEGER, {", ".join(declared)})')
    given = [[n, *row, *[777.0] * len(others)] for n, row in enumerate(values_of(model, rows))]
    connection.executemany(f'INSERT INTO "model" VALUES ({", ".join("?" * len(given[0]))})', given)
    query = writer("sql").write(model).decode()
    before = writer("sql").write(other).decode()
    table, outputs = "model", model.ensemble.n_classes
    expected = margins(model, rows).reshape(len(rows), -1)
    for place, earlier in enumerate((None, before, query)):
        if earlier is not None:
            asked = earlier.replace('"data"', f'"{table}"').rstrip().rstrip(";")
            table = f"scored{place}"
            connection.execute(f'CREATE TABLE "{table}" AS {asked}')
        found = sorted(connection.execute(query.replace('"data"', f'"{table}"')).fetchall())
        raw = np.array([row[-2 * outputs : -outputs] for row in found])
        np.testing.assert_allclose(raw, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())
        if objective == "squared":
            assert [row[-1] for row in found] == raw[:, 0].tolist()


def test_sqlite_refuses_a_table_that_lacks_a_column():
    model = make_model(7, "squared", n_features=2, names=("a", "b"))
    connection = sqlite3.connect(":memory:")
    connection.execute('CREATE TABLE "data" (a)')
    with pytest.raises(sqlite3.OperationalError, match="no such column"):
        connection.execute(writer("sql").write(model).decode())


@pytest.mark.parametrize("objective", ["softmax", "logistic"])
def test_sql_walks_each_tree_once(objective):
    model = make_model(7, objective, n_features=2, rounds=2, names=("a", "b"))
    connection = sqlite3.connect(":memory:")
    connection.execute('CREATE TABLE "data" (a, b)')
    steps = connection.execute("EXPLAIN QUERY PLAN " + writer("sql").write(model).decode()).fetchall()
    assert any("MATERIALIZE model_" in step[-1] for step in steps)


def test_sql_asks_each_question_of_a_tree_once():
    model = make_model(7, "softmax", n_features=len(HOSTILE), rounds=8, names=HOSTILE)
    asked = sum(tree.n_nodes - tree.n_leaves for tree in model.trees)
    assert writer("sql").write(model).decode().count("\nWHEN ") == asked


def test_sql_makes_no_join_of_a_question_about_categories():
    rng = np.random.default_rng(0)
    kinds = pd.Categorical(rng.choice([f"kind {n}" for n in range(40)], 900))
    table = pd.DataFrame({"kind": kinds, "size": rng.normal(size=900)})
    target = rng.normal(size=40)[kinds.codes] + table["size"]
    model = workbench.fit(table, target, rounds=3, max_cat_to_onehot=1)
    asked = [len(tree.categories(node)) for tree in model.trees for node in range(tree.n_nodes)]
    assert max(asked) > 10
    connection = connect("duckdb")
    raw, _ = scored(connection, model, model_rows := np.column_stack([kinds.codes, table["size"]]))
    np.testing.assert_allclose(raw[:, 0], margins(model, model_rows.astype(np.float32)), rtol=1e-5, atol=1e-6)
    plan = connection.execute("EXPLAIN " + writer("sql").write(model).decode()).fetchall()
    assert len(re.findall("JOIN TYPE", str(plan).upper())) == 1  # of its texts


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_sql_of_a_question_about_many_categories(engine):
    rng = np.random.default_rng(0)
    kinds = pd.Categorical(rng.choice([f"kind {n}" for n in range(900)], 3000))
    target = rng.normal(size=len(kinds.categories))[kinds.codes]
    model = workbench.fit(pd.DataFrame({"kind": kinds}), target, rounds=2, min_child_weight=0)
    asked = [len(tree.categories(node)) for tree in model.trees for node in range(tree.n_nodes)]
    assert max(asked) > 100
    rows = kinds.codes[:200, None].astype(np.float32)
    raw, _ = scored(connect(engine), model, rows)
    np.testing.assert_allclose(raw[:, 0], margins(model, rows), rtol=1e-5, atol=1e-6)


SPACED = ("oslo", "Oslo", " bergen", "bergen", "a  b", "a b", "7", "é", "it's")
BLANKS = ("", " ", "   ", "\t", "\r\n", "\v\f", "\x1c\x1d\x1e\x1f", "\x85", "\xa0", "\u2003\u200a",
          "\u2028\u2029", "\u202f\u205f\u3000")  # fmt: skip


def spaced_model(labels=SPACED, n_features=2):
    model = make_model(
        6, "squared", n_features=n_features, rounds=max(12, 2 * n_features), kinds=("category",)
    )
    features = tuple(replace(f, categories=labels) for f in model.schema.features)
    model = replace(model, schema=replace(model.schema, features=features))
    assert {place for tree in model.trees for place in tree.nodes["feature"]} == {-1, *range(n_features)}
    return model


def spaced_texts(model, blanks=BLANKS):
    """Rows of texts with blanks around them, and what is predicted of them."""
    texts = [left + text + right for text in (*SPACED, "unknown", "os lo", "") for left in blanks
             for right in blanks[:5]] + [None]  # fmt: skip
    shape = (len(texts), len(model.schema.names) - 1)
    others = np.random.default_rng(0).choice(np.array(texts, object), shape)
    rows = [[text, *more] for text, more in zip(texts, others.tolist(), strict=True)]
    expected = model.predict_raw(pd.DataFrame(rows, columns=model.schema.names, dtype=object))
    assert len(set(expected.tolist())) > 3
    return rows, expected


@pytest.mark.sampled
@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
@pytest.mark.parametrize(("labels", "n_features"), [(SPACED, 2), (("", *SPACED), 2), (SPACED, 70)])
@pytest.mark.slow
def test_sql_takes_texts_with_blanks_around_them_as_tables_are_read(engine, labels, n_features):
    """Also of more columns than databases join tables."""
    model = spaced_model(labels, n_features)
    rows, expected = spaced_texts(model)
    connection = connect(engine)
    columns = ", ".join(f'"{name}" VARCHAR' for name in model.schema.names)
    connection.execute(f'CREATE TABLE "data" (n INTEGER, {columns})')
    marks = ", ".join("?" * (n_features + 1))
    given = [[n, *row] for n, row in enumerate(rows)]
    connection.executemany(f'INSERT INTO "data" VALUES ({marks})', given)
    found = sorted(connection.execute(writer("sql").write(model).decode()).fetchall())
    np.testing.assert_allclose([row[-1] for row in found], expected, rtol=1e-5, atol=1e-3)


@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler here")
@pytest.mark.parametrize("labels", [SPACED, ("", *SPACED)])
def test_c_takes_texts_with_blanks_around_them_as_tables_are_read(labels, tmp_path):
    model = spaced_model(labels)
    rows, expected = spaced_texts(model)
    code = library(tmp_path / "model.so", model)
    code.workbench_code.restype = ctypes.c_float
    raw = (ctypes.c_float * 1)()
    for texts, value in zip(rows, expected.tolist(), strict=True):
        codes = [math.nan if text is None else code.workbench_code(place, text.encode())
                 for place, text in enumerate(texts)]  # fmt: skip
        code.workbench_predict_raw((ctypes.c_float * len(codes))(*codes), raw)
        assert raw[0] == value, texts


def test_python_takes_texts_with_blanks_around_them_as_tables_are_read():
    model = spaced_model()
    rows, expected = spaced_texts(model)
    made = module_of(writer("python").write(model))
    assert [made["predict_raw"](texts) for texts in rows] == expected.tolist()


def test_python_knows_a_label_that_else_is_missing_also_with_blanks_around_it():
    frame = pd.DataFrame({"land": ["NA", "DE", None, "NULL"] * 20, "y": [4, 1, -3, 9] * 20})
    model = workbench.fit(frame, target="y", rounds=9, min_child_weight=0)
    made = module_of(writer("python").write(model))
    texts = ["NA", " NA ", "\tNULL", "DE ", " None", "?", "", None]
    expected = model.predict_raw(pd.DataFrame({"land": pd.Series(texts, dtype=object)}))
    assert [made["predict_raw"]([text]) for text in texts] == expected.tolist()
    assert len({*expected.tolist()}) == 4


@pytest.mark.parametrize(("labels", "blanks"), [
    (SPACED, ("",)), (("oslo", "Oslo", "bergen", "a b", "7", "é", "it's"), ("", " ", "   ")),
])  # fmt: skip
def test_spreadsheets_take_texts_with_spaces_around_them_as_tables_are_read(labels, blanks):
    """Where no category has spaces that a sheet would take away."""
    model = spaced_model(labels).first_rounds(2)
    rows, expected = spaced_texts(model, blanks)
    formulas = [line for line in writer("spreadsheet").write(model).decode().splitlines() if line[:1] == "="]
    keeps = [len(blanks) == 1 or not any("a  b" in (text or "") for text in row) for row in rows]
    chosen = np.flatnonzero(keeps).tolist()
    found = computed(formulas, [rows[k] for k in chosen])[:, 0]
    np.testing.assert_allclose(found, expected[chosen], rtol=1e-5)
    np.testing.assert_allclose([evaluated(formulas[0], rows[k]) for k in chosen], found)


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_sql_of_trees_deeper_than_databases_nest(engine):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(600, 3)), columns=["a", "b", "c"])
    table = table.mask(rng.random(table.shape) < 0.1).assign(y=rng.normal(size=600))
    model = workbench.fit(table, target="y", rounds=4, max_depth=0, max_leaves=300, grow_policy="best_gain",
                          min_child_weight=0)  # fmt: skip
    text = writer("sql").write(model).decode()
    depth = deepest = 0
    for word in re.findall(r"\b(?:CASE|END)\b", text):
        depth += 1 if word == "CASE" else -1
        deepest = max(deepest, depth)
    assert deepest == 9
    assert " AND " in text
    rows = table.drop(columns="y").to_numpy(np.float32)
    raw, _ = scored(connect(engine), model, rows)
    np.testing.assert_allclose(raw[:, 0], margins(model, rows), rtol=1e-5, atol=1e-6)


def test_sql_of_many_deep_trees():
    model = make_model(8, "squared", n_features=3, rounds=300)
    rows = make_rows(model)[:50]
    raw, _ = scored(connect("sqlite"), model, rows)
    expected = margins(model, rows)
    np.testing.assert_allclose(raw[:, 0], expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize("objective", ["squared", "logistic", "softmax", "poisson", "exponential"])
def test_onnx(objective):
    runtime = pytest.importorskip("onnxruntime")
    onnx = pytest.importorskip("onnx")
    for seed in range(3):
        model = make_model(seed, objective, n_features=5, rounds=6, dart=seed % 2 == 1)
        data = writer("onnx").write(model)
        onnx.checker.check_model(data, full_check=True)
        rows = make_rows(model, seed)
        session = runtime.InferenceSession(data, providers=["CPUExecutionProvider"])
        raw, found = session.run(["raw", "prediction"], {"features": rows})
        expected = margins(model, rows).reshape(len(rows), -1)
        np.testing.assert_allclose(raw, expected, rtol=1e-5, atol=1e-6 * np.abs(expected).max())
        wanted = predictions(model, expected if expected.shape[1] > 1 else expected[:, 0])
        np.testing.assert_allclose(single(found), wanted.reshape(found.shape), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("objective", ["squared", "logistic", "poisson", "softmax"])
def test_spreadsheet(objective):
    model = make_model(9, objective, n_features=4, rounds=3, names=HOSTILE[:4], dart=True)
    rows = make_rows(model)
    text = writer("spreadsheet").write(model).decode()
    formulas = [line for line in text.splitlines() if line.startswith("=")]
    found = np.array([[evaluated(f, row) for f in formulas] for row in values_of(model, rows)])
    raw = margins(model, rows)
    expected = raw if objective == "softmax" else predictions(model, raw)[:, None]
    np.testing.assert_allclose(single(found), expected, rtol=1e-5, atol=1e-6 * np.abs(raw).max())


@pytest.fixture(scope="module")
def from_file(tmp_path_factory):
    """A model of a file, the file's rows as texts, and what the command line predicts of them."""
    folder = tmp_path_factory.mktemp("file")
    rng = np.random.default_rng(0)
    n = 300
    frame = pd.DataFrame({"on": rng.random(n) < 0.5, "zip": rng.choice(["007", "010", "7"], n)})
    frame["since"] = rng.integers(18_000, 19_000, n)
    frame["y"] = frame["on"] * 2.0 + (frame["zip"] == "010") + (frame["since"] > 18_600) * frame["on"]
    frame["y"] += rng.normal(size=n) / 9
    frame["since"] = pd.Timestamp("1970-01-01") + pd.to_timedelta(frame["since"], unit="D")
    frame = frame.astype({"on": object})
    frame.loc[::17, ["on", "zip"]] = None
    table, made = folder / "t.csv", folder / "m.json"
    frame.to_csv(table, index=False)
    train = ["train", table, "--target", "y", "--rounds", "2", "--max-depth", "3", "--kind", "zip=category",
             "--export", made, "--quiet"]  # fmt: skip
    assert main(list(map(str, train))) == 0
    assert main(["predict", str(made), str(table), "--output", str(folder / "out.csv"), "--raw"]) == 0
    raw = pd.read_csv(folder / "out.csv", dtype={"raw": np.float32})["raw"].to_numpy()
    model = workbench.load_model(made)
    assert {feature for tree in model.trees for feature in tree.nodes["feature"]} == {-1, 0, 1, 2}
    return model, pd.read_csv(table, dtype=str, keep_default_na=False), raw


def days(text):
    return (pd.Timestamp(text) - pd.Timestamp("1970-01-01")).days


TRUTH = {"True": True, "False": False, "": None}


@pytest.mark.parametrize("as_truth", [str, TRUTH.get, lambda text: text and np.bool_(TRUTH[text])])
def test_python_takes_what_the_file_holds(from_file, as_truth):
    model, table, expected = from_file
    made = module_of(writer("python").write(model))
    rows = [[as_truth(on), zip_, days(since)] for on, zip_, since, _ in table.itertuples(index=False)]
    np.testing.assert_array_equal([made["predict_raw"](row) for row in rows], expected)


@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler here")
def test_c_takes_what_the_file_holds(from_file, tmp_path):
    model, table, expected = from_file
    code, found = library(tmp_path / "model.so", model), []
    code.workbench_code.restype = ctypes.c_float
    for on, zip_, since, _ in table.itertuples(index=False):
        given = enumerate((on, zip_))
        codes = [code.workbench_code(k, text.encode()) if text else math.nan for k, text in given]
        row, raw = (ctypes.c_float * 3)(*codes, days(since)), (ctypes.c_float * 1)()
        code.workbench_predict_raw(row, raw)
        found.append(raw[0])
    assert found == expected.tolist()


@pytest.mark.parametrize("kind", ["BOOLEAN", "VARCHAR"])
@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_sql_takes_what_the_file_holds(from_file, engine, kind):
    """Truth values of sqlite are 0 and 1."""
    model, table, expected = from_file
    connection = connect(engine)
    connection.execute(f'CREATE TABLE "data" ("row" INTEGER, "on" {kind}, "zip" VARCHAR, "since" INTEGER)')
    as_truth = TRUTH.get if kind == "BOOLEAN" else lambda text: text or None
    rows = [(k, as_truth(on), zip_ or None, days(since)) for k, on, zip_, since, _ in table.itertuples()]
    connection.executemany('INSERT INTO "data" VALUES (?, ?, ?, ?)', rows)
    found = sorted(connection.execute(writer("sql").write(model).decode()).fetchall())
    np.testing.assert_allclose([row[-1] for row in found], expected, rtol=1e-6)


@pytest.mark.parametrize("as_truth", [lambda text: text or None, TRUTH.get])
def test_spreadsheets_take_what_the_file_holds(from_file, as_truth):
    model, table, expected = from_file
    formula = writer("spreadsheet").write(model).decode().splitlines()[-1]
    rows = [[as_truth(on), z or None, days(since)] for on, z, since, _ in table.itertuples(index=False)]
    np.testing.assert_allclose([evaluated(formula, row) for row in rows], expected, rtol=1e-6)


def test_onnx_and_xgboost_take_the_codes_of_the_frame(from_file, tmp_path):
    runtime, xgboost = pytest.importorskip("onnxruntime"), pytest.importorskip("xgboost")
    pytest.importorskip("onnx")
    model, table, expected = from_file
    features = encode(model.schema, table.replace("", None).assign(since=pd.to_datetime(table["since"])))
    session = runtime.InferenceSession(writer("onnx").write(model), providers=["CPUExecutionProvider"])
    found = session.run(["raw"], {"features": features})[0][:, 0]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    for format_ in ("xgboost", "xgboost-ubjson"):
        booster = xgboost.Booster(model_file=bytearray(writer(format_).write(model)))
        kinds = ["c" if feature.is_categorical else "q" for feature in model.schema.features]
        matrix = xgboost.DMatrix(features, feature_names=list(model.schema.names), feature_types=kinds,
                                 enable_categorical=True)  # fmt: skip
        np.testing.assert_array_equal(booster.predict(matrix, output_margin=True), expected)


def test_rules_take_what_the_file_holds(from_file):
    model, table, expected = from_file
    words = of_rules(writer("rules").write(model).decode())
    rows = [{"on": on.lower() or None, "zip": z or None, "since": days(since)} for on, z, since, _ in
            table.itertuples(index=False)]  # fmt: skip
    np.testing.assert_array_equal([added_up(words, [], row)[0] for row in rows], expected)


@pytest.mark.parametrize("format_", ["python", "c", "sql", "rules", "spreadsheet"])
def test_same_bytes_each_time(format_):
    model = make_model(2, "softmax", names=HOSTILE[:4])
    assert writer(format_).write(model) == writer(format_).write(model)


@pytest.mark.parametrize("format_", ["c", "sql"])
def test_a_name_that_the_language_cannot_say(format_):
    model = make_model(2, "squared", n_features=1, rounds=1, names=("a\0b",))
    with pytest.raises(WorkbenchError, match="NUL"):
        writer(format_).write(model)


def test_rules_hold_for_one_leaf_a_tree():
    model = make_model(4, "logistic", n_features=3, rounds=4, names=("a", "b", "c"), dart=True)
    text = writer("rules").write(model).decode()
    rules = [line for line in text.splitlines() if line.startswith("  ")]
    assert len(rules) == sum(tree.n_leaves for tree in model.trees)
    assert text.count("\nTree ") == len(model.trees)


def test_every_written_format_is_named_in_the_file_dialogs():
    for format_ in FORMATS:
        assert format_.label
        assert all(suffix.startswith(".") for suffix in format_.suffixes)


def test_the_command_line_writes_code(tmp_path):
    model = make_model(1, "squared", n_features=2)
    model.save(tmp_path / "m.json")
    out = tmp_path / "m.py"
    command = [
        sys.executable,
        "-m",
        "workbench",
        "convert",
        str(tmp_path / "m.json"),
        "--to",
        "python",
        "--output",
        str(out),
    ]
    subprocess.run(command, check=True, timeout=300)
    assert "predict_raw" in module_of(out.read_text())
