"""Every reader and every parser of models, with how its files are damaged."""

from __future__ import annotations

import base64
import bz2
import gzip
import json
import lzma
import sqlite3
import zlib
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.fuzz import seeds
from tests.fuzz.checks import check_file, check_model, check_project, one_line
from tests.fuzz.long_files import check_long
from tests.fuzz.mutation import changed_bytes, changed_document, written
from workbench.data.text.stream.compression import unpacked
from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS
from workbench.formats.bytes.ubjson import parse_ubjson
from workbench.formats.load import load_model
from workbench.formats.own.payload import DOCUMENT_KEY, FIGURES_KEY, HASH_KEY
from workbench.formats.xgboost.fingerprint import fingerprint
from workbench.formats.xgboost.ubjson import _ubjson
from workbench.session.opening.pasted import keep_pasted
from workbench.session.project.file import SUFFIX

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from random import Random

SHARE_OF_BYTES = 0.35  # of the inputs of what has a structure

VALUES = (
    ("facts", "value"), ("lines", "line"), ("runs", "record"), ("rounds", "record"), ("rounds", "trees"),
    ("blobs", "data"),
)  # fmt: skip

Damage = "Callable[[Random, bytes, Sequence[bytes]], bytes]"


@dataclass(frozen=True)
class Target:
    """One kind of file.

    Attributes
    ----------
    seeds : callable () -> sequence of bytes
    damage : callable (rng, seed, seeds) -> bytes
    check : callable (data, folder, rng)
        Reads the file and raises WorkbenchError where it is refused; any other exception is a finding.
    """

    name: str
    seeds: Callable[[], Sequence[bytes]]
    damage: Callable[[Random, bytes, Sequence[bytes]], bytes]
    check: Callable[[bytes, Path, Random], None]

    def made(self, rng: Random) -> bytes:
        """Return one damaged file."""
        known = self.seeds()
        return self.damage(rng, rng.choice(known), known)


def _json(rng: Random, seed: bytes, others: Sequence[bytes]) -> bytes:
    if rng.random() < SHARE_OF_BYTES:
        return changed_bytes(rng, seed, others)
    return written(changed_document(rng, json.loads(seed)))


def _own_xgboost(rng: Random, seed: bytes, others: Sequence[bytes]) -> bytes:
    """Change the outer document, as XGBoost's or with a true fingerprint, or our own section in it."""
    if rng.random() < SHARE_OF_BYTES:
        return changed_bytes(rng, seed, others)
    return written(_changed_learner(rng, json.loads(seed)))


def _changed_learner(rng: Random, document: Any) -> Any:
    kind = rng.randrange(3)
    attributes = document["learner"].get("attributes", {})
    if kind == 0 or DOCUMENT_KEY not in attributes:
        if rng.random() < 0.5:
            document["learner"]["attributes"] = {}
        return changed_document(rng, document)
    if kind == 1 and FIGURES_KEY in attributes and rng.random() < SHARE_OF_BYTES:
        figures = base64.b64decode(attributes[FIGURES_KEY])
        attributes[FIGURES_KEY] = base64.b64encode(changed_bytes(rng, figures, [figures])).decode()
        return document
    if kind == 1:
        inner = json.loads(zlib.decompress(base64.b64decode(attributes[DOCUMENT_KEY])))
        spoilt = zlib.compress(written(changed_document(rng, inner)))
        attributes[DOCUMENT_KEY] = base64.b64encode(spoilt).decode()
        return document
    learner = changed_document(rng, document["learner"])
    try:
        learner["attributes"][HASH_KEY] = fingerprint(learner)
    except Exception:
        return {"learner": learner}
    return {"learner": learner, "version": [3, 2, 0]}


def _ubjson_of(rng: Random, seed: bytes, others: Sequence[bytes]) -> bytes:
    if rng.random() < 0.5:
        return changed_bytes(rng, seed, others)
    try:
        return _ubjson(_changed_learner(rng, parse_ubjson(seed)))
    except Exception:
        return changed_bytes(rng, seed, others)


def _onnx(rng: Random, seed: bytes, others: Sequence[bytes]) -> bytes:
    """Change the bytes, or lists and numbers of the operators."""
    if rng.random() < SHARE_OF_BYTES:
        return changed_bytes(rng, seed, others)
    import onnx

    model = onnx.load_from_string(seed)
    for _ in range(rng.choice((1, 1, 2, 4))):
        node = rng.choice(model.graph.node)
        if node.attribute:
            _change_attribute(rng, rng.choice(node.attribute))
    return bytes(model.SerializeToString())


def _change_attribute(rng: Random, attribute: Any) -> None:
    lists = [found for found in (attribute.ints, attribute.floats, attribute.strings) if len(found)]
    if not lists:
        raw = attribute.t.raw_data
        attribute.t.raw_data = changed_bytes(rng, raw, [raw]) if raw else b""
        attribute.i = rng.choice((0, 1, -1, 2**31, 2**62, attribute.i + 1))
        return
    values = list(lists[0])
    kind = type(values[0])
    changed = changed_document(rng, values) if lists[0] is not attribute.strings else values[::-1]
    del lists[0][:]
    for value in changed if isinstance(changed, list) else []:
        with suppress(TypeError, ValueError, OverflowError):
            lists[0].append(kind(value))


def _packed(rng: Random, seed: bytes, others: Sequence[bytes]) -> bytes:
    """Change the archive, or what is in it."""
    if rng.random() < 0.5:
        return changed_bytes(rng, seed, others)
    if seed.startswith(b"PK"):
        return _zip(rng, seed, others)
    inner = changed_bytes(rng, b"".join(unpacked([seed], "seed")), [seed])
    return rng.choice((gzip.compress, bz2.compress, lzma.compress))(inner)


def _zip(rng: Random, seed: bytes, others: Sequence[bytes]) -> bytes:
    if rng.random() < 0.3:
        return changed_bytes(rng, seed, others)
    parts = seeds.unzipped(seed)
    for _ in range(rng.choice((1, 1, 2))):
        name = rng.choice(list(parts))
        parts[name] = changed_bytes(rng, parts[name], list(parts.values()))
    if rng.random() < 0.1:
        parts.pop(rng.choice(list(parts)))
    return seeds.rezipped(parts)


def _model(name: str, data: bytes, folder: Path, rng: Random) -> None:
    path = folder / "model"
    path.write_bytes(data)
    chosen = FORMATS.get(name)
    model = load_model(path) if chosen.recognises(data) else chosen.read(data)
    check_model(model, rng)


def _project(data: bytes, folder: Path, rng: Random) -> None:
    path = folder / f"p{SUFFIX}"
    path.write_bytes(data)
    check_project(path, rng)


def _row_of_project(rng: Random, seed: bytes, others: Sequence[bytes]) -> bytes:
    """Change a value of one of its tables, JSON or bytes, or the file itself."""
    if rng.random() < SHARE_OF_BYTES:
        return changed_bytes(rng, seed, others)
    table, column = rng.choice(VALUES)
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(seed)
        rows = connection.execute(f"SELECT rowid, {column} FROM {table}").fetchall()
        for row, value in rng.sample(rows, min(len(rows), rng.choice((1, 1, 3)))):
            if isinstance(value, str):
                changed: Any = written(changed_document(rng, json.loads(value))).decode("utf-8", "replace")
            else:
                changed = changed_bytes(rng, value, [value])
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (changed, row))
        if rng.random() < 0.1:
            connection.execute(f"DELETE FROM {table} WHERE rowid = ?", (rng.choice(rows)[0] if rows else 0,))
        connection.commit()
        return bytes(connection.serialize())


def _table(suffix: str, data: bytes, folder: Path, rng: Random) -> None:
    path = folder / f"table{suffix}"
    path.write_bytes(data)
    check_file(path)


def _long(data: bytes, folder: Path, rng: Random) -> None:
    path = folder / "table.csv"
    path.write_bytes(data)
    check_long(path, rng)


def _pasted(data: bytes, folder: Path, rng: Random) -> None:
    path = folder / "pasted" / "pasted.csv"
    keep_pasted(path, data.decode("utf-8", "surrogateescape" if rng.random() < 0.1 else "replace"))
    check_file(path)


def _folder(data: bytes, folder: Path, rng: Random) -> None:
    tables = folder / "tables"
    tables.mkdir(exist_ok=True)
    for path in tables.iterdir():
        path.unlink()
    for number, part in enumerate(data.split(seeds.PART)[:5]):
        (tables / f"part {number}.csv").write_bytes(part)
    check_file(tables)


def _xgboost() -> tuple[bytes, ...]:
    """Return models of ours, of XGBoost, and older ones of both."""
    old = seeds.unpacked(seeds.KEPT, "xgboost*.json"), seeds.unpacked(seeds.DOCUMENTS, "*_xgboost.json")
    return *seeds.own("xgboost"), *seeds.xgboost("json"), *old[0], *old[1]


def _parser(name: str, of: Callable[[], Sequence[bytes]], damage: Any = _json) -> Target:
    return Target(name, of, damage, partial(_model, name))


def _reader(name: str, of: Callable[[], Sequence[bytes]], damage: Any, suffix: str) -> Target:
    return Target(name, of, damage, partial(_table, suffix))


TARGETS = {
    target.name: target
    for target in (
        _parser("xgboost", _xgboost, _own_xgboost),
        _parser("xgboost-ubjson", lambda: (*seeds.own("xgboost-ubjson"), *seeds.xgboost("ubj")), _ubjson_of),
        _parser("json", lambda: (*seeds.own("json"), *seeds.unpacked(seeds.DOCUMENTS, "*_json.json"))),
        _parser("lightgbm", lambda: seeds.lightgbm("text"), changed_bytes),
        _parser("lightgbm-json", lambda: seeds.lightgbm("json")),
        _parser("catboost", seeds.catboost),
        _parser("sklearn", seeds.sklearn),
        _parser("onnx", lambda: (*seeds.onnx(), *seeds.unpacked(seeds.KEPT, "onnx*.json")), _onnx),
        _reader("text", seeds.texts, changed_bytes, ".csv"),
        _reader("packed", seeds.packed, _packed, ".csv.gz"),
        _reader("json_lines", seeds.json_lines, changed_bytes, ".jsonl"),
        _reader("libsvm", seeds.libsvm, changed_bytes, ".libsvm"),
        _reader("excel", seeds.excel, _zip, ".xlsx"),
        _reader("old_excel", seeds.old_excel, changed_bytes, ".xls"),
        _reader("opendocument", seeds.opendocument, _zip, ".ods"),
        _reader("parquet", partial(seeds.arrow, "parquet"), changed_bytes, ".parquet"),
        _reader("feather", partial(seeds.arrow, "feather"), changed_bytes, ".feather"),
        Target("project", seeds.projects, _row_of_project, _project),
        Target("long_text", seeds.texts, changed_bytes, _long),
        Target("clipboard", seeds.texts, changed_bytes, _pasted),
        Target("folder", seeds.folders, changed_bytes, _folder),
    )
}


def refused(target: Target, data: bytes, folder: Path, rng: Random) -> WorkbenchError | None:
    """Give one input to the reader; return the error where it is refused in words, else raise the finding."""
    try:
        target.check(data, folder, rng)
    except WorkbenchError as error:
        one_line(str(error))
        if type(error.__cause__) is MemoryError:  # Arrow's own is raised before anything is taken
            raise error.__cause__ from None
        return error
    return None
