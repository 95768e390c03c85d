"""Parquet and Feather files with what few tables have: names twice, odd types, damage met by scoring."""

from __future__ import annotations

import os

import numpy as np
import pandas as pd
import pytest

from workbench.data.reading import read_table, with_chunks
from workbench.data.schema import Feature
from workbench.data.values.cell_rules import USUAL
from workbench.errors import WorkbenchError
from workbench.scoring.feature_cells import FeatureCells

pa = pytest.importorskip("pyarrow")
feather = pytest.importorskip("pyarrow.feather")
ipc = pytest.importorskip("pyarrow.ipc")
parquet = pytest.importorskip("pyarrow.parquet")



def write_stream(table, path):
    with ipc.new_stream(path, table.schema) as stream:
        stream.write_table(table)


WRITE = {"parquet": parquet.write_table, "feather": feather.write_feather, "arrows": write_stream}
both = pytest.mark.parametrize("kind", WRITE)


def written(table, kind, tmp_path):
    path = tmp_path / f"t.{kind}"
    WRITE[kind](table, path)
    return path


def scored(path, columns):
    """Return the values that a model trained on these columns would see."""

    def take(table):
        names = frozenset(c.name for c in columns)
        chunks = list(table.chunks(names, names))
        reads = [FeatureCells(Feature(c.name, c.kind, c.categories), USUAL) for c in columns]
        return [np.concatenate([r.values_of(chunk, r.feature.name) for chunk in chunks]) for r in reads]

    return with_chunks(path, take)


ODD = {
    "period": lambda: pa.array(pd.period_range("2020-01", periods=6, freq="M")),
    "interval": lambda: pa.array(pd.interval_range(0, 6, periods=6)),
    "text seen from afar": lambda: pa.array(["a", None, "b"] * 2, pa.string_view()),
    "decimal": lambda: pa.array([1, None, 3] * 2, pa.decimal128(30, 2)),
    "an unknown zone": lambda: pa.array(range(6), pa.timestamp("s", "No/Where")),
    "an unknown kind": lambda: pa.ExtensionArray.from_storage(
        pa.opaque(pa.int64(), "a", "b"), pa.array(range(6))
    ),
    "nothing": lambda: pa.nulls(6),
}


@both
@pytest.mark.parametrize("odd", ODD)
def test_what_is_scored_is_what_was_trained_on(odd, kind, tmp_path):
    path = written(pa.table({"k": range(6), "odd": ODD[odd]()}), kind, tmp_path)
    columns = read_table(path).columns
    for column, values in zip(columns, scored(path, columns), strict=True):
        np.testing.assert_array_equal(values, column.values)


@both
def test_columns_of_one_name_keep_their_own_values(kind, tmp_path):
    values = [[1, 2], [7, 8], [5, 6]]
    table = pa.Table.from_arrays([pa.array(column) for column in values], names=["a", "a", "a.b"])
    path = written(table, kind, tmp_path)
    columns = read_table(path).columns
    assert [c.name for c in columns] == ["a", "a (2)", "a.b"]
    assert [c.values.tolist() for c in columns] == values
    assert [found.tolist() for found in scored(path, columns)] == values


@both
def test_lists_of_a_kind_of_their_own_are_left_out(kind, tmp_path):
    lists = pa.array([[1], [2]], pa.list_(pa.int64(), 1))
    tensors = pa.ExtensionArray.from_storage(pa.fixed_shape_tensor(pa.int64(), [1]), lists)
    assert read_table(written(pa.table({"a": [1, 2], "t": tensors}), kind, tmp_path)).names == ("a",)


@both
def test_types_that_bring_code_along_run_none(kind, tmp_path):
    """Old versions of pyarrow unpickled them: what this one would do is make a file."""
    mark = tmp_path / "mark"
    code = b"cos\nsystem\n(S'touch " + os.fsencode(mark) + b"'\ntR."
    named = {b"ARROW:extension:name": b"arrow.py_extension_type", b"ARROW:extension:metadata": code}
    fields = pa.schema([pa.field("a", pa.int64(), metadata=named), pa.field("b", pa.int64())])
    path = written(pa.Table.from_arrays([pa.array([1, 2])] * 2, schema=fields), kind, tmp_path)
    columns = read_table(path).columns
    scored(path, columns)
    assert len(columns) == 2
    assert not mark.exists()


def test_places_of_text_that_lie_outside_are_refused_when_a_table_is_scored(tmp_path):
    path = tmp_path / "t.feather"
    feather.write_feather(pa.table({"t": ["a", "b"]}), path, compression="uncompressed")
    ends, wild = (np.array([0, 1, end], "<i4").tobytes() for end in (2, 1 << 28))
    path.write_bytes(path.read_bytes().replace(ends, wild))
    with pytest.raises(WorkbenchError, match="damaged"):
        with_chunks(path, lambda table: list(table.chunks(frozenset(table.names), frozenset())))


def test_decimals_of_an_exponent_that_python_does_not_know(tmp_path):
    path, kind = tmp_path / "t.feather", pa.decimal128(3, 1 << 28)
    decimals = pa.Array.from_buffers(kind, 1, [None, pa.py_buffer(bytes([1, *15 * [0]]))])
    feather.write_feather(pa.table({"d": decimals}), path)
    with pytest.raises(WorkbenchError, match="a decimal number is out of range"):
        with_chunks(path, lambda table: list(table.chunks(frozenset(table.names), frozenset())))


def test_a_feather_file_that_is_cut_while_it_is_scored(tmp_path):
    path = tmp_path / "t.feather"
    table = pa.table({"a": np.arange(200_000.0)})
    feather.write_feather(table, path, compression="uncompressed", chunksize=50_000)

    def take(found):
        chunks = found.chunks(frozenset({"a"}), frozenset())
        next(chunks)
        os.truncate(path, 500_000)
        return sum(chunk.n_rows for chunk in chunks)

    with pytest.raises(WorkbenchError, match="damaged"):
        with_chunks(path, take)


def test_a_column_of_a_kind_that_pyarrow_itself_does_not_know(tmp_path, monkeypatch):
    """Months between dates have a number in the format, and no arrays here."""
    path = written(pa.table({"a": [1, 2]}), "feather", tmp_path)

    def unknown(*_args, **_kwargs):
        raise KeyError(21)

    monkeypatch.setattr("workbench.data.readers.arrow.arrow.parts_for", unknown)
    with pytest.raises(WorkbenchError, match="damaged Feather"):
        read_table(path)
