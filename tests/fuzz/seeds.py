"""Small real files of every kind that is read: what the fuzzer damages."""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import json
import lzma
import zipfile
import zlib
from datetime import date, time
from decimal import Decimal
from functools import cache
from pathlib import Path

import numpy as np

from tests.formats.making import make_model
from workbench.data.samples import SAMPLES
from workbench.formats.base import FORMATS

NASTY = Path(__file__).parents[1] / "data" / "nasty"
KEPT = Path(__file__).parents[1] / "formats" / "kept"
DOCUMENTS = KEPT.parent / "own" / "documents"
LARGEST = 9_000  # bytes of a seed, so that inputs stay below 10 kB
SHIPPED = 400  # of the beginning of a shipped table
LARGEST_TEXT = 3_000
SPLITS = 4  # of a tree at most: the smaller a file, the more of it a change can reach in the same time
PART = b"\x00part\x00"  # between the files of a folder


@cache
def unpacked(folder: Path, pattern: str) -> tuple[bytes, ...]:
    """Models of older versions, or of other programs, kept with the tests; not the large ones."""
    records = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob(pattern))]
    models = (zlib.decompress(base64.b64decode(record["packed"])) for record in records)
    return tuple(model for model in models if len(model) <= LARGEST)


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

    from workbench.formats.sklearn.export import document

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
    b"unit,geo\\time\t2019\t2020\n" + b"EUR,DE\t1.5 b\t:\nEUR,FR\t2 e\t3.25\n" * 3,
    b"\\begin{tabular}{lr}\n\\toprule\na & b \\\\ \\hline\n"
    + b"\\textbf{x\\_1} & $1{,}5$ \\\\\ny|z & 2 \\\\\n" * 2
    + b"\\end{tabular}\n",
    b"     +--------+\n     | a    b |\n     |--------|\n  1. | 1   x  |\n  2. | 2   y  |\n  3. | 3   z  |\n"
    + b"     +--------+\n",
    b"a\t\tb\nx\ty\tx\ty\n" + b"1\t2\t3\t4\n5\t6\t7\t8\n" * 3,
    b"id,code,day,t,size,n\n" + b"007,1e3,20200131,1:02:03,5 kg,1.2k\n012,2e3,20201231,23:59,7 kg,3M\n" * 4,
    b"a;b;c;d\n" + "(1.234,5);12,5%;€ 3,-;1\u00a0234\n1,5-;7 %;€ 4,50;−2\n".encode() * 4,
    b"date,price,share,note\n" + b'"Jan 5, 2020","$1,234.50",12%,yes\n"Feb 29, 2020",($2.00),7%,no\n' * 4,
    b"when;q;zone\n" + b"2020-Q1;1/2;2020-01-01T00:00:00Z\n2020-Q3;31.12.1999 7:00 PM;12/31/99\n" * 3,
    b"a,b,c\n1,2,3\n4,5\n6,7,8,\na,b,c\n,,\n9,10,11\nTotal,29,22\n(3 rows)\n",
    "a  b    c\n1  x    2.5\n2  yy   3.5\n3  zzz  4.5\n4  w    5.5\n".encode("utf-16"),
)


@cache
def texts() -> tuple[bytes, ...]:
    """Tables as separated text: the nasty ones, and the beginnings of those that are shipped."""
    nasty = [path.read_bytes() for path in sorted(NASTY.iterdir()) if path.suffix in (".csv", ".txt")]
    shipped = [sample.path.read_bytes()[:SHIPPED].rsplit(b"\n", 1)[0] + b"\n" for sample in SAMPLES]
    shipped = [data for data in shipped if data.count(b"\n") > 2]
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
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    whole = (
        rows, columns, {"columns": list(columns), "data": [list(row.values()) for row in rows]},
        {name: dict(enumerate(values)) for name, values in columns.items()}, dict(enumerate(rows)),
        {"n": 2, "rows": [{"a": {"x": 1, "y": [1, 2]}, "b": "2020-01-31"}, {"a": {"x": None}, "b": "NA"}]},
    )  # fmt: skip
    nasty = (NASTY / "json_lines.csv").read_bytes()[:LARGEST]
    return lines, *(json.dumps(one).encode() for one in whole), nasty


def libsvm() -> tuple[bytes, ...]:
    """Tables of labels and pairs."""
    ranked = [f"{i % 2} qid:{i // 3} 1:{i / 7:.3g} 3:{-i} 17:1e-3 # row {i}" for i in range(9)]
    sparse = ["+1" if i == 4 else f"{(-1) ** i} 1:{i} {i + 2}:0.5" for i in range(9)]
    from_zero = [f"{i / 2} 0:1 4:{i}e-2" for i in range(9)]
    return tuple("\n".join(lines).encode() for lines in (ranked, sparse, from_zero))


@cache
def excel() -> tuple[bytes, ...]:
    """Workbooks."""
    import openpyxl

    book = openpyxl.Workbook()
    for sheet in (book.active, book.create_sheet("second")):
        sheet.append(["a", "b", "c"])
        for i in range(4):
            sheet.append([i, f"é{i}", i / 3])
    odd = openpyxl.Workbook()
    odd.active.append(["a title"])
    odd.active.append(["day", "is", "sum", "hour", "mixed"])
    for i in range(1, 5):
        mixed = (i, "x", None, "#N/A")[i % 4]
        odd.active.append([date(2020, i, 28), i % 2 == 0, f"=A{i}*2", time(i, 30), mixed])
    odd.active.merge_cells("A3:A5")
    odd.active["E4"].number_format = "0%"
    made = []
    for one in (book, odd):
        out = io.BytesIO()
        one.save(out)
        parts = unzipped(out.getvalue())
        made.append(rezipped({name: data for name, data in parts.items() if name not in _NEVER_READ}))
    return *made, (NASTY / "table.xlsx").read_bytes()


_NEVER_READ = ("docProps/app.xml", "docProps/core.xml", "xl/theme/theme1.xml")


def old_excel() -> tuple[bytes, ...]:
    """Workbooks of old Excels."""
    return ((NASTY.parent / "readers" / "old_workbook.xls").read_bytes(),)


@cache
def opendocument() -> tuple[bytes, ...]:
    """Spreadsheets of LibreOffice."""
    again = ' table:number-columns-repeated="2" office:value-type="float" office:value="1.5"'
    row = f"<table:table-row><table:table-cell{again}/></table:table-row>"
    urn = "urn:oasis:names:tc:opendocument:xmlns"
    spaces = f'xmlns:office="{urn}:office:1.0" xmlns:table="{urn}:table:1.0" xmlns:text="{urn}:text:1.0"'
    kinds = ("date-value", "2020-01-31T00:00:00"), ("boolean-value", "true"), ("time-value", "PT1H")
    cells = "".join(
        f'<table:table-cell office:value-type="{kind.partition("-")[0]}" office:{kind}="{value}"/>'
        for kind, value in kinds
    )
    words = "<table:table-cell><text:p>a<text:s/>b<text:span>é</text:span></text:p></table:table-cell>"
    merged = f'<table:table-cell table:number-rows-spanned="2"{again}/><table:covered-table-cell/>'
    other = "".join(f"<table:table-row>{one}</table:table-row>" for one in (words * 3, cells, merged, cells))
    named = {"a": row * 5, "b": other}.items()
    sheets = "".join(f'<table:table table:name="{name}">{rows}</table:table>' for name, rows in named)
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
    usual = pa.table({
        "a": pa.array([1, 2, None, 4] * 3), "b": texts_, "c": texts_.dictionary_encode(),
        "d": pa.array([0.5, float("nan"), 1e30, -1.0] * 3),
        "e": pa.array([0, 10**9, None, 1] * 3, pa.timestamp("s")),
        "f": pa.array([[1], [], None, [2]] * 3),
    })  # fmt: skip
    odd = pa.table({
        "a": pa.array([True, None, False, True]),
        "b": pa.array([Decimal("1.50"), None, Decimal(2), Decimal(3)]),
        "c": pa.array([date(2020, 1, 31), None, date(1, 1, 1), date(9999, 1, 1)]),
        "d": pa.array([time(1, 2), None, time(0), time(3)]), "e": pa.array([b"x", None, b"\xff", b""]),
        "f": pa.array([{"x": 1}, None, {"x": 2}, {"x": 3}]),
        "g": pa.array([2**53 + 1, None, 0, 2**63], pa.uint64()),
        "h": pa.array(["1,5", "2,5", None, "3"]), "i": pa.nulls(4),
    })  # fmt: skip
    of_parquet = ("snappy", "none"), ("gzip", "zstd")
    packings = of_parquet if kind == "parquet" else (("lz4", "uncompressed"), ("zstd",))
    found = []
    for table, packing in zip((usual, odd), packings, strict=True):
        for squeeze in packing:
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


@cache
def projects() -> tuple[bytes, ...]:
    """Projects with runs that were steered, branched and taken back, one without its table."""
    from tempfile import TemporaryDirectory

    from tests.session.project.stories import told_story

    study = told_story()
    with TemporaryDirectory() as folder:
        found = []
        for table in (True, False):
            study.save(Path(folder) / "p.workbench", table=table)
            found.append((Path(folder) / "p.workbench").read_bytes())
    return tuple(found)
