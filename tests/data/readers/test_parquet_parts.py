"""What a Parquet file says about its parts: as pyarrow tells it, or refused where it lies."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.data.readers.arrow import files as arrow_files
from workbench.data.readers.arrow import parquet_parts
from workbench.data.readers.arrow.parquet_parts import END, groups_of
from workbench.data.readers.arrow.thrift import MOST_DEPTH, ThriftReader
from workbench.data.reading import read_table
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from pathlib import Path

ROWS = 100_000
TABLE = pa.table({"a": np.zeros(ROWS), "b": ["x" * 50, "y"] * (ROWS // 2), "c": np.arange(ROWS)})
OPTIONAL_B, REQUIRED_B = b"\x25\x02\x18\x01b", b"\x25\x00\x18\x01b"


def written(path: Path, table: pa.Table = TABLE, **chosen: Any) -> Path:
    pq.write_table(table, path, **chosen)
    return path


def packed_number(number: int, length: int = 0) -> bytes:
    """A whole number as Thrift has it, in so many bytes at least."""
    number, parts = number << 1, []
    while number or len(parts) < max(length, 1):
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*parts[:-1], parts[-1] & 0x7F])


@pytest.mark.sampled
@pytest.mark.parametrize("packing", ["none", "snappy", "gzip", "zstd", "brotli", "lz4"])
@pytest.mark.parametrize("chosen", [{}, {"use_dictionary": False}, {"data_page_version": "2.0"}])
def test_parts_are_those_that_pyarrow_tells(tmp_path: Path, packing: str, chosen: dict[str, Any]) -> None:
    path = written(
        tmp_path / "t", compression=packing, row_group_size=30_000, data_page_size=5_000, **chosen
    )
    about, groups = pq.ParquetFile(path).metadata, list(groups_of(path))
    assert [group.rows for group in groups] == [about.row_group(n).num_rows for n in range(4)]
    for number, group in enumerate(groups):
        parts = [about.row_group(number).column(place) for place in range(3)]
        assert [part.unpacked for part in group.parts] == [part.total_uncompressed_size for part in parts]
        if packing not in ("none", "snappy"):
            assert all(0 < part.largest_page < part.unpacked for part in group.parts)
    assert read_table(path).n_rows == ROWS


@pytest.mark.parametrize("packing", ["gzip", "zstd"])
def test_pages_that_unpack_to_more_than_their_column_says_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packing: str
) -> None:
    monkeypatch.setattr(parquet_parts, "LEAST_UNPACKED", 1 << 16)
    path = written(tmp_path / "t", TABLE.select(["a"]), compression=packing, use_dictionary=False)
    said = pq.ParquetFile(path).metadata.row_group(0).column(0).total_uncompressed_size
    data, known = path.read_bytes(), packed_number(said)
    footer = len(data) - END.size - END.unpack(data[-END.size :])[0]
    path.write_bytes(data[:footer] + data[footer:].replace(known, packed_number(1000, len(known))))
    with pytest.raises(WorkbenchError, match=r"pages unpack to 8.*,... bytes, and are said to have 1,000"):
        read_table(path)


def test_memory_is_asked_for_a_page_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "t", TABLE.select(["a"]), compression="zstd", use_dictionary=False)
    monkeypatch.setattr("workbench.memory.free_bytes", lambda: 100_000)
    with pytest.raises(WorkbenchError, match=r"of memory \(its largest part as it is unpacked\)"):
        read_table(path)


def test_a_text_beyond_all_length_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrow_files, "LONGEST_CELL", 1 << 20)
    texts = pa.table({"a": [1.0, 2.0, 3.0, 4.0], "b": ["x", "y", "x" * (3 << 20), "x" * (3 << 20)]})
    path = written(tmp_path / "t", texts, compression="zstd", row_group_size=2, use_dictionary=False)
    monkeypatch.setattr(pq.ParquetFile, "iter_batches", None)
    with pytest.raises(WorkbenchError, match=r"The cell in row 3 or below, column 'b' takes more than"):
        read_table(path)


def test_a_file_that_contradicts_itself_does_not_end_the_program(tmp_path: Path) -> None:
    """A column that may be missing is said to be always there: pyarrow's own account of it aborts."""
    path = written(tmp_path / "t.parquet")
    data = path.read_bytes()
    assert data.count(OPTIONAL_B) == 1
    path.write_bytes(data.replace(OPTIONAL_B, REQUIRED_B))
    done = subprocess.run([sys.executable, "-m", "workbench", "describe", path], capture_output=True,
                          text=True, timeout=60, check=False)  # fmt: skip
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr[-500:]
    assert "is a damaged Parquet file" in done.stderr


@given(st.binary(max_size=60))
def test_any_bytes_are_a_record_or_refused(data: bytes) -> None:
    reader = ThriftReader(data)
    try:
        reader.record()
    except ValueError:
        return
    assert 0 < reader.place <= len(data)


@pytest.mark.parametrize("data", [b"\x1c" * 5000, b"\x19" * 5000, b"\x1b\x01\xcc" + b"\x1c" * 5000])
def test_values_in_values_without_end_are_refused(data: bytes) -> None:
    assert MOST_DEPTH < 100
    with pytest.raises(ValueError, match="without end"):
        ThriftReader(data).record()
