"""Small real files of every kind that is read: what the fuzzer damages."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import zipfile
from functools import cache
from pathlib import Path

import numpy as np

from tests.formats.making import make_model
from workbench.data.samples import SAMPLES
from workbench.formats.base import FORMATS

NASTY = Path(__file__).parents[1] / "data" / "nasty"
KEPT = Path(__file__).parents[1] / "formats" / "kept"
LARGEST = 9_000  # bytes of a seed, so that inputs stay below 10 kB
LARGEST_TEXT = 3_000
SPLITS = 4  # of a tree at most: the smaller a file, the more of it a change can reach in the same time
PART = b"\x00part\x00"  # between the files of a folder


@cache
def own(name: str) -> tuple[bytes, ...]:
    """Models of our own, written in one of our formats."""
    made = [make_model(1, "squared", 2, rounds=2, max_splits=SPLITS),
            make_model(2, "logistic", 2, rounds=1, max_splits=SPLITS),
            make_model(3, "softmax", 2, rounds=1, max_splits=SPLITS),
            make_model(4, "squared", 2, rounds=3, dart=True, max_splits=SPLITS),
            make_model(5, "poisson", 3, rounds=1, max_splits=SPLITS)]  # fmt: skip
    return tuple(FORMATS.get(name).write(model) for model in made)


@cache
def xgboost(kind: str) -> tuple[bytes, ...]:
    """Models that XGBoost has trained and saved, as "json" or "ubj"."""
    import xgboost as xgb

    rows, score = _numbers()
    rows[:, 2] = np.random.default_rng(2).integers(0, 5, len(rows))
    found = []
    for more in (
        {"objective": "reg:squarederror"},
        {"objective": "binary:logistic", "booster": "dart", "rate_drop": 0.5},
        {"objective": "multi:softprob", "num_class": 3},
        {"objective": "reg:squarederror", "num_parallel_tree": 2},
        {"objective": "reg:squarederror", "multi_strategy": "multi_output_tree"},
    ):
        several = "multi_strategy" in more
        y = np.digitize(score, [-0.5, 0.5]) if "num_class" in more else (score > 0).astype(int)
        y = np.column_stack([y, score]) if several else y
        types = ["q", "q", "q" if several else "c"]
        matrix = xgb.DMatrix(rows, y, feature_names=["a", "b", "c"], feature_types=types, nthread=1)
        booster = xgb.train({"max_depth": 2, "nthread": 1, **more}, matrix, 2)
        found.append(bytes(booster.save_raw(kind)))
    return tuple(found)


@cache
def lightgbm(kind: str) -> tuple[bytes, ...]:
    """Models that LightGBM has trained, as "text" or "json"."""
    import lightgbm as lgb
    import pandas as pd

    rows, score = _numbers()
    frame = pd.DataFrame(rows, columns=["a", "b", "c"])
    frame["c"] = pd.Categorical(np.random.default_rng(2).choice(["u", "v", "w"], len(rows)))
    found = []
    for more in (
        {"objective": "regression"},
        {"objective": "binary"},
        {"objective": "multiclass", "num_class": 3},
        {"objective": "regression", "zero_as_missing": True},
    ):
        y = np.digitize(score, [-0.5, 0.5]) if "num_class" in more else (score > 0).astype(int)
        frame["a"] = np.where(rows[:, 1] > 1, 0.0, rows[:, 0]) if "zero_as_missing" in more else rows[:, 0]
        params = {
            "num_leaves": 4,
            "verbose": -1,
            "num_threads": 1,
            "min_data_per_group": 5,
            "cat_smooth": 1,
            **more,
        }
        booster = lgb.train(params, lgb.Dataset(frame, y), 2)
        text = booster.model_to_string() if kind == "text" else json.dumps(booster.dump_model())
        found.append(text.encode())
    return tuple(found)


@cache
def sklearn() -> tuple[bytes, ...]:
    """Models that scikit-learn has fitted, as our script writes them."""
    from sklearn import ensemble, tree

    from workbench.formats.sklearn_export import document

    rows, score = _numbers()
    y = np.array(["a", "b", "c"])[np.digitize(score, [-0.5, 0.5])]
    made = [tree.DecisionTreeRegressor(max_depth=3).fit(rows, score),
            tree.DecisionTreeRegressor(max_depth=2).fit(rows, np.column_stack([score, score**2])),
            ensemble.RandomForestClassifier(3, max_depth=2).fit(rows, y),
            ensemble.HistGradientBoostingClassifier(max_iter=2, max_leaf_nodes=4).fit(rows, y)]  # fmt: skip
    return tuple(json.dumps(document(one)).encode() for one in made)


@cache
def onnx() -> tuple[bytes, ...]:
    """Models in ONNX as we write them."""
    made = [
        make_model(1, "squared", 2, rounds=2, kinds=("number",)),
        make_model(2, "logistic", 2, rounds=1),
        make_model(3, "softmax", 2, rounds=1),
        make_model(5, "poisson", 3, rounds=1),
    ]
    return tuple(FORMATS.get("onnx").write(model) for model in made)


def catboost() -> tuple[bytes, ...]:
    """Models that CatBoost has trained, kept with the tests; the large one without most of its trees."""
    found = []
    for path in sorted(KEPT.glob("catboost*.json")):
        record = json.loads(path.read_bytes())["model"]
        for trees in ("oblivious_trees", "trees"):
            if trees in record:
                record[trees] = record[trees][:2]
        found.append(json.dumps(record).encode())
    return tuple(found)


_RULE = b"+----+-----+\n"
_WRAPPED = (
    _RULE + b"| id | a   |\n" + _RULE + b"| 1  | x\\|y |\n| 2  | \"z\" |\n" * 3 + _RULE + b"6 rows in set\n",
    b'"id,a"\n' + b'"1,""x, y"""\n"2,z"\n' * 3,
    b"'id'||'a'\n" + b"1||'x'\n" * 4,
    b"a,b\n" + b'"say \\"hi, \\"",1\n' * 4 + b"x\\, y,2\n",
    b'"TOA5","x"\n"TS","a"\n"TS","V"\n"","Avg"\n' + b'"2020-W01",1.5D-3\n"2020-01-01T00:00+02",NAN\n' * 4,
    b"Name,12\nd,e\n" + b'PT1H,="001"\n1 days 02:00:00,5 kg\n' * 4,
    "город;число\nМосква;1.234\nКазань;583.867\n".encode("cp1251"),
)


@cache
def texts() -> tuple[bytes, ...]:
    """Tables as separated text: the nasty ones, and the beginnings of those that are shipped."""
    nasty = [path.read_bytes() for path in sorted(NASTY.iterdir()) if path.suffix in (".csv", ".txt")]
    shipped = [sample.path.read_bytes()[:1_200].rsplit(b"\n", 1)[0] + b"\n" for sample in SAMPLES]
    return tuple(data for data in (*nasty, *shipped, *_WRAPPED) if 0 < len(data) <= LARGEST_TEXT)


@cache
def packed() -> tuple[bytes, ...]:
    """Compressed tables."""
    small = [text for text in texts() if len(text) < 2_000][:12]
    kinds = (gzip.compress, bz2.compress, lzma.compress, zipped)
    return tuple(kind(text) for text in small for kind in kinds)


def zipped(data: bytes, name: str = "table.csv") -> bytes:
    """Return a zip archive of one file."""
    return rezipped({name: data})


def rezipped(parts: dict[str, bytes]) -> bytes:
    """Return a zip archive of files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def unzipped(data: bytes) -> dict[str, bytes]:
    """Return the files of a zip archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def json_lines() -> tuple[bytes, ...]:
    """Tables of objects."""
    rows = [{"a": i, "b": None if i % 3 else f"é{i}", "c": i / 7, "d": i % 2 == 0} for i in range(12)]
    lines = "\n".join(json.dumps(row) for row in rows).encode()
    return lines, json.dumps(rows).encode(), (NASTY / "json_lines.csv").read_bytes()[:LARGEST]


def libsvm() -> tuple[bytes, ...]:
    """Tables of labels and pairs."""
    lines = [f"{i % 2} qid:{i // 3} 1:{i / 7:.3g} 3:{-i} 17:1e-3 # row {i}" for i in range(9)]
    return "\n".join(lines).encode(), b"1 1:2 2:3\n-1 2:0.5\n+1\n", b"0.5 0:1 4:2\n1.5 1:1\n"


@cache
def excel() -> tuple[bytes, ...]:
    """Workbooks."""
    import openpyxl

    book = openpyxl.Workbook()
    for sheet in (book.active, book.create_sheet("second")):
        sheet.append(["a", "b", "c"])
        for i in range(4):
            sheet.append([i, f"é{i}", i / 3])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue(), (NASTY / "table.xlsx").read_bytes()


def old_excel() -> tuple[bytes, ...]:
    """Workbooks of old Excels."""
    return ((NASTY.parent / "old_workbook.xls").read_bytes(),)


@cache
def opendocument() -> tuple[bytes, ...]:
    """Spreadsheets of LibreOffice."""
    again = ' table:number-columns-repeated="2" office:value-type="float" office:value="1.5"'
    row = f"<table:table-row><table:table-cell{again}/></table:table-row>"
    urn = "urn:oasis:names:tc:opendocument:xmlns"
    spaces = f'xmlns:office="{urn}:office:1.0" xmlns:table="{urn}:table:1.0"'
    sheets = "".join(f'<table:table table:name="{name}">{row * 5}</table:table>' for name in "ab")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", f"<office:body {spaces}>{sheets}</office:body>")
    return (out.getvalue(),)


@cache
def arrow(kind: str) -> tuple[bytes, ...]:
    """Tables as "parquet" or "feather"."""
    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet

    texts_ = pa.array(["u", None, "w", "ü"] * 3)
    table = pa.table({
        "a": pa.array([1, 2, None, 4] * 3), "b": texts_, "c": texts_.dictionary_encode(),
        "d": pa.array([0.5, float("nan"), 1e30, -1.0] * 3),
        "e": pa.array([0, 10**9, None, 1] * 3, pa.timestamp("s")),
        "f": pa.array([[1], [], None, [2]] * 3),
    })  # fmt: skip
    found = []
    for squeeze in ("snappy", "none") if kind == "parquet" else ("lz4", "uncompressed"):
        out = io.BytesIO()
        if kind == "parquet":
            pyarrow.parquet.write_table(table, out, compression=squeeze)
        else:
            pyarrow.feather.write_feather(table, out, compression=squeeze)
        found.append(out.getvalue())
    return tuple(found)


def folders() -> tuple[bytes, ...]:
    """Several tables of the same columns, joined."""
    pairs = (
        (b"a,b\n1,x\n2,y\n", b"a,b\n3,z\n4,x\n"),
        (b"a;b\n1,5;x\n2,5;y\n", b"b;a\nx;3,5\n", b"a;b\n0,1;\n"),
    )
    return tuple(PART.join(pair) for pair in pairs)


def _numbers() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(60, 3)).astype(np.float32)
    return rows, rows[:, 0] + rng.normal(size=60) / 4
