"""Parquet and Feather are read some rows at a time: the same table, in the memory of its columns."""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.data.making import labels_of, said
from tests.examples import examples
from workbench.data.reading import read_table, with_chunks
from workbench.data.room import ROW_BYTES
from workbench.errors import WorkbenchError

pa = pytest.importorskip("pyarrow")
feather = pytest.importorskip("pyarrow.feather")
ipc = pytest.importorskip("pyarrow.ipc")
parquet = pytest.importorskip("pyarrow.parquet")



def write_stream(table, path, *, compression=None, chunksize=None):
    packed = ipc.IpcWriteOptions(compression=None if compression == "uncompressed" else compression)
    with ipc.new_stream(path, table.schema, options=packed) as stream:
        stream.write_table(table, chunksize)


WRITE = {"parquet": parquet.write_table, "feather": feather.write_feather, "arrows": write_stream}
both = pytest.mark.parametrize("kind", WRITE)
MIB = 1 << 20
ROOM = 64 * MIB  # rows under way

MEASURED = """
import json, sys
from pathlib import Path
from workbench.data.reading import read_table
from workbench.data.reading import with_chunks

def now(name):
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) * 1024

def scored(path):
    return with_chunks(path, lambda t: sum(c.n_rows for c in t.chunks(frozenset(t.names), frozenset())))

path, warm, action = sys.argv[1:]
act = {"read": lambda path: read_table(path).n_rows, "score": scored}[action]
act(warm)
Path("/proc/self/clear_refs").write_text("5")
before = now("VmRSS")
rows = act(path)
print(json.dumps([now("VmHWM") - before, rows]))
"""


def peak(path, table, kind, action):
    """Return the bytes that reading takes at most; a small table of the same kind loads the programs."""
    warm = path.with_name(f"warm.{kind}")
    WRITE[kind](table.slice(0, 20), warm)
    done = subprocess.run([sys.executable, "-c", MEASURED, path, warm, action], capture_output=True,
                          text=True, timeout=200, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr[-800:]
    most, rows = json.loads(done.stdout)
    assert rows
    return most


MANY = 20_000_000
EQUAL = {
    "numbers": lambda n: pa.array(np.ones(n, np.float32)),
    "whole numbers": lambda n: pa.array(np.full(n, 7)),
    "truth values": lambda n: pa.array(np.ones(n, bool)),
    "times": lambda n: pa.array([datetime.time(12, 5)]).take(pa.array(np.zeros(n, np.int8))),
    "texts": lambda n: pa.array(["a text of some length"]).take(pa.array(np.zeros(n, np.int8))),
}


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells peaks of memory in /proc")
@both
@pytest.mark.parametrize("what", EQUAL)
def test_equal_cells_that_pack_to_nothing_take_the_memory_of_a_column(kind, what, tmp_path):
    piece = pa.table({"a": EQUAL[what](MANY // 20)})
    path = tmp_path / f"t.{kind}"
    if kind == "parquet":
        with parquet.ParquetWriter(path, piece.schema, compression="zstd") as writer:
            for _ in range(20):
                writer.write_table(piece)
    else:
        packed = ipc.IpcWriteOptions(compression="zstd")
        with pa.OSFile(str(path), "wb") as file, ipc.new_file(file, piece.schema, options=packed) as writer:
            for _ in range(20):
                writer.write_table(piece)
    most = peak(path, piece, kind, "read")
    assert most < ROW_BYTES * MANY + ROOM


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells peaks of memory in /proc")
@pytest.mark.parametrize("action", ["read", "score"])
@pytest.mark.parametrize("coding", ["dictionary", "shared beginnings", "categories"])
def test_a_long_text_in_every_row_is_held_once(action, coding, tmp_path):
    path, text = tmp_path / "t.parquet", "x" * MIB
    texts = pa.array([text] * 600)
    if coding == "shared beginnings":
        chosen = {"use_dictionary": False, "column_encoding": {"a": "DELTA_BYTE_ARRAY"}}
        parquet.write_table(pa.table({"a": texts}), path, **chosen)
    else:
        column = texts.dictionary_encode() if coding == "categories" else texts
        parquet.write_table(pa.table({"a": column}), path)
    assert peak(path, pa.table({"a": ["x"] * 20}), "parquet", action) < 400 * MIB


@both
@pytest.mark.slow
def test_what_is_unpacked_at_once_is_asked_for_first(kind, tmp_path, monkeypatch):
    path = tmp_path / f"t.{kind}"
    table = pa.table({"a": ["x" * MIB] * 100, "b": range(100)})
    chosen = {"use_dictionary": False} if kind == "parquet" else {}
    WRITE[kind](table, path, compression="zstd", **chosen)
    assert path.stat().st_size < MIB
    monkeypatch.setattr("workbench.memory.free_bytes", lambda: 90 * MIB)
    for read in (read_table, lambda path: with_chunks(path, lambda table: list(table.names))):
        with pytest.raises(WorkbenchError, match=r"needs 10\d MiB of memory \(its largest part"):
            read(path)
    monkeypatch.setattr("workbench.memory.free_bytes", lambda: 400 * MIB)
    assert read_table(path).n_rows == 100


@pytest.mark.parametrize("kind", ["parquet", "feather"])
@pytest.mark.slow
def test_the_largest_part_of_a_file_that_is_not_packed_is_one_column(kind, tmp_path, monkeypatch):
    path = tmp_path / f"t.{kind}"
    table = pa.table({f"c{place}": np.random.default_rng(place).random(200_000) for place in range(40)})
    chosen = {"compression": "none"} if kind == "parquet" else {"compression": "uncompressed"}
    WRITE[kind](table, path, **chosen)
    monkeypatch.setattr("workbench.memory.free_bytes", lambda: 60 * MIB)
    assert read_table(path).n_rows == 200_000


@pytest.mark.slow
@both
def test_texts_that_all_differ_are_refused_before_they_fill_the_memory(kind, tmp_path, monkeypatch):
    path = tmp_path / f"t.{kind}"
    texts = pa.array([f"{number}{'x' * 1_000_000}" for number in range(300)])
    few = {"row_group_size": 10, "use_dictionary": False} if kind == "parquet" else {"chunksize": 10}
    WRITE[kind](pa.table({"a": texts}), path, compression="zstd", **few)
    monkeypatch.setattr("workbench.memory.free_bytes", lambda: 150 * MIB)
    with pytest.raises(WorkbenchError, match=r"of memory \(texts and dates"):
        read_table(path)


@both
@pytest.mark.parametrize("form", ["texts", "categories"])
def test_a_cell_that_is_too_long_is_refused_with_its_place(kind, form, tmp_path, monkeypatch):
    monkeypatch.setattr("workbench.data.readers.arrow.columns.LONGEST_CELL", 1000)
    monkeypatch.setattr("workbench.data.text.stream.long_cells.LONGEST_CELL", 1000)
    texts = pa.array(["a", "b", None, "x" * 1001, "a"])
    path = tmp_path / f"t.{kind}"
    column = texts.dictionary_encode() if form == "categories" else texts
    WRITE[kind](pa.table({"n": range(5), "a": column}), path)
    said = "The cell in row 4, column 'a' takes" if form == "texts" else "The cell in row"
    with pytest.raises(WorkbenchError, match=said):
        read_table(path)


def moments(unit):
    return pa.array([0, None, 86_400, 90_000, 7, None, 1], pa.timestamp(unit))


BEYOND = 2**53
ROWS = {
    "numbers": pa.array([0.1, None, 3e300, float("inf"), 1e-300, 5, -2.5]),
    "single numbers": pa.array([0.1, None, 3, 4, 5, 6, 7], pa.float32()),
    "halves": pa.array(np.arange(7, dtype=np.float16)),
    "whole numbers": pa.array([1, None, 3, 2**25 + 1, 5, 2**25 + 2, 7]),
    "long numbers": pa.array([1, None, 2**25 + 1, BEYOND + 1, BEYOND + 2, -BEYOND - 1, 7]),
    "unsigned": pa.array([1, 2, None, 2**64 - 1, 2**64 - 2, 5, 6], pa.uint64()),
    "bytes": pa.array([1, None, -3, 4, 5, 6, 7], pa.int8()),
    "decimals": pa.array([1, None, 3, 4, 5, 6, 7], pa.decimal128(30, 2)),
    "truth values": pa.array([True, None, False, True, True, False, None]),
    "texts": pa.array(["b", None, "a", " c", "?", "NULL", "a"]),
    "numbers as text": pa.array(["1", None, "02", "3", "?", "NULL", "5,5"]),
    "dates as text": pa.array(["2020-01-05", None, "2020-02-05"] * 2 + [""]),
    "large texts": pa.array(["b", None, "a", "c", "b", "", "a"], pa.large_string()),
    "texts seen from afar": pa.array(["b", None, "a", "c", "b", "", "a"], pa.string_view()),
    "categories": pa.array(["b", None, "a", " b", "?", "b", "10"]).dictionary_encode(),
    "categories of numbers": pa.array([10, None, 2, 3, 2, 2, 1]).dictionary_encode(),
    "dates": pa.array([0, None, 3, 4, 5, 6, 7], pa.date32()),
    "moments": moments("us"),
    "moments somewhere": moments("ms").cast(pa.timestamp("ms", "Europe/Paris")),
    "times": pa.array([0, None, 3, 4, 5, 6, 7], pa.time32("s")),
    "durations": pa.array([0, None, 3, 4, 5, 6, 7], pa.duration("ns")),
    "nothing": pa.nulls(7),
    "lists": pa.array([[1]] * 7),
}


@both
def test_pieces_of_two_rows_make_the_same_table(kind, tmp_path, monkeypatch):
    table = pa.table(ROWS)
    WRITE[kind](table, tmp_path / f"whole.{kind}")
    whole = read_table(tmp_path / f"whole.{kind}")
    assert whole.column("long numbers").exact[3] == BEYOND
    assert whole.column("categories").categories == ("10", "a", "b")
    path = tmp_path / f"pieces.{kind}"
    if kind == "parquet":
        parquet.write_table(table, path, row_group_size=3)
    else:
        parts = pa.concat_tables([table.slice(0, 3), table.slice(3)])
        feather.write_feather(parts.unify_dictionaries(), path)
    monkeypatch.setattr("workbench.data.readers.arrow.files.CHUNK_ROWS", 2)
    pieces = read_table(path)
    assert pieces.notes == whole.notes
    for one, other in zip(pieces.columns, whole.columns, strict=True):
        assert (one.name, one.kind, one.categories, one.collapsed) == (
            other.name, other.kind, other.categories, other.collapsed,
        )  # fmt: skip
        np.testing.assert_array_equal(one.values, other.values)
        assert (one.exact is None) == (other.exact is None)
        if one.exact is not None:
            np.testing.assert_array_equal(one.exact, other.exact)


@pytest.fixture(scope="module", params=["feather", "arrows"])
def sound(request, tmp_path_factory):
    """A Feather file, or a stream, with all that one may have."""
    path = tmp_path_factory.mktemp("sound") / f"t.{request.param}"
    if request.param == "feather":
        feather.write_feather(pa.table(ROWS), path, compression="zstd")
    else:
        write_stream(pa.table(ROWS), path, compression="zstd", chunksize=3)
    return path


@examples(200)
@given(places=st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), min_size=1, max_size=4))
def test_a_damaged_file_is_read_or_refused(sound, places):
    data = bytearray(sound.read_bytes())
    for place, value in places:
        data[place % len(data)] = value
    path = sound.with_stem("damaged")
    path.write_bytes(data)
    with suppress(WorkbenchError):
        read_table(path)


def changing_dictionaries(path):
    """Write a stream of three batches with other categories in each, and return these."""
    kind = pa.dictionary(pa.int8(), pa.string())
    cells = [["a", "b", None], ["c", "a", "c"], ["b", "b", "d"]]
    schema = pa.schema({"k": kind, "x": pa.int64()})
    with ipc.new_stream(path, schema) as stream:
        for some in cells:
            columns = [pa.array(some).dictionary_encode().cast(kind), pa.array([1, 2, 3])]
            stream.write_batch(pa.record_batch(columns, schema=schema))
    return [cell for some in cells for cell in some]


@pytest.mark.parametrize("suffix", ["arrows", "arrow", "ipc", "feather", "csv"])
def test_a_stream_is_read_whatever_its_suffix_and_its_dictionaries(suffix, tmp_path):
    path = tmp_path / f"t.{suffix}"
    wanted = changing_dictionaries(path)
    read = read_table(path)
    assert labels_of(read.column("k")) == wanted
    assert "mark" not in said(read)
    chunks = with_chunks(path, lambda table: [*table.chunks(frozenset({"k"}), frozenset())])
    labels = [chunk.cells["k"].labels for chunk in chunks]
    assert [[*some.texts, None][code] for some in labels for code in some.codes] == wanted


def test_a_stream_that_is_cut_is_refused_or_said(tmp_path):
    path = tmp_path / "t.arrows"
    changing_dictionaries(path)
    whole = path.read_bytes()
    told = set()
    for end in range(16, len(whole) - 7, 8):
        path.write_bytes(whole[:end])
        try:
            read = read_table(path)
        except WorkbenchError as refusal:
            told.add(str(refusal).split(":")[0])
        else:
            assert "The stream has no mark at its end: rows may be missing." in said(read)
            told.add(read.n_rows)
    assert {3, 6, 9, "'t.arrows' is a damaged Arrow stream"} <= told


def test_a_stream_that_says_more_than_it_has_is_refused_before_there_is_room_for_it(tmp_path):
    path = tmp_path / "t.arrows"
    write_stream(pa.table({"a": range(1000)}), path)
    data = path.read_bytes()
    body = (8000).to_bytes(8, "little")
    assert body in data
    path.write_bytes(data.replace(body, (1 << 60).to_bytes(8, "little")))
    with pytest.raises(WorkbenchError, match="damaged Arrow stream: it ends too early"):
        read_table(path)
