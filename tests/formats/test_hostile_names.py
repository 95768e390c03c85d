"""Names of columns, categories and classes that would be code or markup if they were more than text.

Each format is run by its own interpreter, and predicts what the model does.
"""

from __future__ import annotations

import ast
import builtins
import csv
import ctypes
import io
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.formats.code.dot_reader import read_dot
from tests.formats.code.sheets import evaluated
from tests.formats.code.test_code import (
    connect,
    library,
    module_of,
    predictions,
    scored,
    single,
    values_of,
)
from tests.formats.making import TASKS, make_model, make_rows, margins
from tests.formats.report.test_html import page_of
from workbench.data.reading import read_table
from workbench.data.values import numerals
from workbench.errors import WorkbenchError
from workbench.formats.base import writer
from workbench.formats.bytes.csv_text import tab_separated
from workbench.formats.load import load_model
from workbench.scoring.score_file import score_file

OWNED = "workbench_was_owned"
HOSTILE = (
    f'"""; import builtins; builtins.{OWNED} = 1; """', f"'''; __import__('builtins').{OWNED} = 1 #",
    "'); DROP TABLE data; --", '"; DROP TABLE "data"; --', "*/ abort(); /*", "// ??/",
    "??' ??) ??=define main", "ends with \\", "\\", "\\u0022 \\x41 \\101 \\N{BULLET}",
    "</script><script>alert(1)</script>", "<!-- -->", "]]>", "<img src=x onerror=alert(1)>",
    "&lt;b&gt; &#34; &amp;", "${HOME} $(id) `id`", "{{ 7 * 7 }} {% raw %}", "{0} {x!r}", "%s %n %d",
    "<?php exit ?>", "=1+1", "+cmd|' /C calc'!A0", "@SUM(A1)", "-2", "a\nb", "a\r\nb", "a\rb", "tab\tb",
    "\u2028line\u2029", "\x85", "\u202egnissecorp", "naïve ✓ 🌲", "@TREES@ @BASE@", "  spaces  ", "'", '"',
    "`", ";", "#include <x>", "\\begin{x} $^_%&", "n" * 10_000, "\x1b[2J\x07", "NULL", "nan", "1e5",
    "True", "None", "-- x", "",
)  # fmt: skip
ENGINES = ("sqlite", "duckdb")
TEXT = st.text(
    st.sampled_from("\"'\\;*/-#<>&%${}[]()?=@`|\n\r\t\u2028 a1é")
    | st.characters(codec="utf-8", exclude_characters="\0"),
    min_size=1, max_size=15,
).filter(lambda text: not numerals.is_number(text))  # fmt: skip


def hostile(texts, objective="softmax", seed=1, n_features=6, **made):
    """A model whose every name is one of the texts."""
    names = list(dict.fromkeys(texts))
    taken = [text for text in names if text and not numerals.is_number(text)]

    def some(count, first, taken=taken):  # an empty cell is missing, and a number has many spellings
        found = [taken[(first + k) % len(taken)] for k in range(min(count, len(taken)))]
        return tuple(found) + tuple(f"more {k}" for k in range(count - len(found)))

    model = make_model(seed, objective, n_features, rounds=4, names=some(n_features, 0, names), **made)
    schema = model.schema
    features = tuple(
        replace(f, categories=some(len(f.categories), 3 * place + 1)) if f.kind == "category" else f
        for place, f in enumerate(schema.features)
    )
    labels = some(len(schema.class_labels), 5)
    schema = replace(schema, features=features, target=taken[-1], class_labels=labels, source=taken[0])
    ensemble = replace(model.ensemble, output_names=labels if model.ensemble.n_classes > 1 else ())
    notes = {"notes": taken[:5], "program": taken[0], "version": taken[-1], "watched": taken[0]}
    return replace(model, schema=schema, ensemble=ensemble, provenance={**model.provenance, **notes})


MODELS = [hostile(HOSTILE[k:] + HOSTILE[:k], objective, k) for k, objective in
          zip(range(0, len(HOSTILE), 4), [*TASKS, *TASKS], strict=False)]  # fmt: skip
EACH = pytest.mark.parametrize("model", MODELS, ids=range(len(MODELS)))


@EACH
def test_python(model):
    text = writer("python").write(model)
    tree = ast.parse(text)
    assert not any(isinstance(node, ast.Name) and OWNED in node.id for node in ast.walk(tree))
    made = module_of(text)
    rows = make_rows(model)
    raw = [made["predict_raw"](row) for row in values_of(model, rows)]
    np.testing.assert_array_equal(raw, margins(model, rows))
    assert not hasattr(builtins, OWNED)


@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler here")
@EACH
def test_c(model, tmp_path):
    rows = make_rows(model)
    code = library(tmp_path / "model.so", model)
    raw = np.empty((len(rows), model.ensemble.n_classes), np.float32)
    floats = ctypes.POINTER(ctypes.c_float)
    for row, out in zip(np.ascontiguousarray(rows), raw, strict=True):
        code.workbench_predict_raw(row.ctypes.data_as(floats), out.ctypes.data_as(floats))
    expected = margins(model, rows)
    np.testing.assert_array_equal(raw if raw.shape[1] > 1 else raw[:, 0], expected)
    names = (ctypes.c_char_p * len(model.schema.names)).in_dll(code, "workbench_features")
    assert [name.decode() for name in names] == list(model.schema.names)


@pytest.mark.parametrize("engine", ENGINES)
@EACH
def test_sql(model, engine):
    if engine == "duckdb" and "" in model.schema.names:
        pytest.skip("no table of duckdb has a column without a name")
    rows = make_rows(model)
    connection = connect(engine)
    raw, found = scored(connection, model, rows)
    expected = margins(model, rows).reshape(len(rows), -1)
    np.testing.assert_allclose(raw, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())
    wanted = predictions(model, expected if expected.shape[1] > 1 else expected[:, 0])
    np.testing.assert_allclose(single(found), wanted.reshape(found.shape), rtol=1e-4, atol=1e-6)
    assert connection.execute('SELECT count(*) FROM "data"').fetchone() == (len(rows),)


@pytest.mark.parametrize("offset", [None, "TEMP"])
def test_sql_refuses_columns_that_differ_only_in_capital_letters(offset):
    names = ("temp", "other", "third" if offset else "Temp")
    model = make_model(n_features=3, names=names)
    model = replace(model, schema=replace(model.schema, offset=offset))
    words = f"'temp' and '{offset or 'Temp'}' differ .*Rename one"
    with pytest.raises(WorkbenchError, match=words) as refused:
        writer("sql").write(model)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("engine", ENGINES)
def test_sql_of_columns_that_databases_tell_apart(engine):
    """Letters beyond ASCII have no case in names."""
    model = make_model(n_features=4, names=("é", "É", "maße", "masse"))
    rows = make_rows(model)
    raw, _ = scored(connect(engine), model, rows)
    expected = margins(model, rows).reshape(len(rows), -1)
    np.testing.assert_allclose(raw, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())


@EACH
def test_html(model):
    page = page_of(model)
    assert not {"script", "img", "iframe", "object", "a"} & set(page.tags)
    assert not any(name.startswith("on") or name in ("href", "src") for name, _ in page.attributes)
    assert "49" not in " ".join(page.words).split()


@EACH
def test_dot(model):
    graph = read_dot(writer("dot").write(model).decode())
    trees = model.ensemble.folded().trees
    assert [len(cluster.nodes) for cluster in graph.clusters] == [tree.n_nodes for tree in trees]


@EACH
def test_rules_stay_on_their_lines(model):
    text = writer("rules").write(model).decode()
    rules = [line for line in text.split("\n") if line.startswith("  ")]
    assert len(rules) == sum(tree.n_leaves for tree in model.trees)
    assert re.fullmatch(r"[^\r\u2028\u2029\x85]*", text)


@EACH
def test_onnx(model):
    runtime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    rows = make_rows(model)
    session = runtime.InferenceSession(writer("onnx").write(model), providers=["CPUExecutionProvider"])
    expected = margins(model, rows).reshape(len(rows), -1)
    raw = session.run(["raw"], {"features": rows})[0]
    np.testing.assert_allclose(raw, expected, rtol=1e-5, atol=1e-6 * np.abs(expected).max())


@pytest.mark.sampled
@pytest.mark.parametrize("name", [text for text in HOSTILE if len(text) < 200])
def test_spreadsheet(name):
    model = hostile((name, "other"), "squared", 9, n_features=3)
    rows = make_rows(model)
    text = writer("spreadsheet").write(model).decode()
    formula = "=" + text.partition("\n\n=")[2].removesuffix("\n")
    found = [evaluated(formula, row) for row in values_of(model, rows)]
    raw = margins(model, rows)
    np.testing.assert_allclose(single(found), raw, rtol=1e-5, atol=1e-6 * np.abs(raw).max())


@pytest.mark.parametrize("name", ["xgboost", "json", "xgboost-ubjson"])
@EACH
def test_our_own_files(model, name, tmp_path):
    path = tmp_path / "m"
    model.save(path, format=name)
    again = load_model(path)
    assert again.schema == model.schema
    rows = make_rows(model)
    np.testing.assert_array_equal(again.predict_raw(rows), model.predict_raw(rows))


@examples(40)
@given(texts=st.lists(TEXT, min_size=8, max_size=12, unique_by=str.casefold), seed=st.integers(0, 99))
def test_any_names(texts, seed):
    model = hostile(texts, "softmax", seed)
    rows = make_rows(model)[:20]
    expected = margins(model, rows)
    made = module_of(writer("python").write(model))
    np.testing.assert_array_equal([made["predict_raw"](row) for row in values_of(model, rows)], expected)
    raw, _ = scored(connect("sqlite"), model, rows)
    np.testing.assert_allclose(raw, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())
    page_of(model)
    read_dot(writer("dot").write(model).decode())


def test_predictions_keep_their_cells(tmp_path):
    """Classes are named in the head of the table of predictions."""
    texts = [text for text in HOSTILE if text.strip() == text and text]
    model = hostile(texts, "softmax", 2, n_features=2, kinds=("number",))
    given = model.schema.names
    table = tmp_path / "t.csv"
    with table.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([given, *([i, i / 3] for i in range(30))])
    score_file(model, table, tmp_path / "out.csv", serial=True)
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))
    assert {len(line) for line in lines} == {len(lines[0])}
    assert len(lines) == 31
    assert read_table(tmp_path / "out.csv").n_rows == 30


ALLOWED = {
    ("exec", "workbench/objectives/python_file.py"), ("compile", "workbench/objectives/python_file.py"),
    ("Popen", "workbench/show.py"),  # the window itself, from a script, with no shell between
    ("Popen", "workbench/cluster/local/local_cluster.py"),  # a program of ours, which reads no file
    # The process that compiles kernels beside this one, and what the two say to each other.
    ("Popen", "workbench/kernels/promises.py"), ("pickle", "workbench/kernels/promises.py"),
    ("pickle", "workbench/kernels/second_process.py"),
}  # fmt: skip
REFUSED = {"eval", "exec", "compile", "__import__"}
MODULES = {"pickle", "dill", "cloudpickle", "joblib", "shelve", "marshal", "yaml", "jinja2", "mako", "skops"}
SHELLS = {"system", "popen", "Popen", "getoutput", "startDetached", "execv", "execvp", "spawnv"}


def test_nothing_runs_what_a_file_says():
    """No pickle, eval, shell or template engine in the whole program, but for a person's own objective."""
    root = Path(__file__).parents[2]
    suspect = re.compile("|".join(REFUSED | SHELLS | MODULES | {"shell", "allow_pickle"}))
    found = set()
    for path in sorted((root / "workbench").rglob("*.py")):
        place, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if suspect.search(text) else ():
            if isinstance(node, ast.Call):
                called = node.func
                if isinstance(called, ast.Name) and called.id in REFUSED:
                    found.add((called.id, place))
                name = called.attr if isinstance(called, ast.Attribute) else ""
                if name in SHELLS:
                    found.add((name, place))
                given = {word.arg: getattr(word.value, "value", True) for word in node.keywords}
                found |= {(key, place) for key in ("shell", "allow_pickle") if given.get(key)}
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            found |= {(name, place) for name in names if name.partition(".")[0] in MODULES}
    assert sorted(found - ALLOWED) == []


def test_names_with_tabs_and_line_ends_stay_in_their_cell_on_the_clipboard():
    cells = [["a\tb", "x\ny", '"quoted" at first'], ['said "so"', "", "=1+1"]]
    text = tab_separated(cells)
    assert list(csv.reader(io.StringIO(text, newline=""), "excel-tab")) == cells
    assert tab_separated([[""]]) == ""
    assert tab_separated([["=1+1", "-3", -3, "@x"]], neutralise=True) == "'=1+1\t-3\t-3\t'@x"
