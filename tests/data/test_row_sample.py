"""A sample is uniform, the same for the same seed, and holds nothing but rows of the file."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

from tests.data.making import labels_of, said
from workbench.data.readers.options import ReadOptions
from workbench.data.reading import read_table
from workbench.data.room import TooLarge
from workbench.data.row_sample import RowSample
from workbench.data.text.rows_read import RowsRead
from workbench.data.text.stream import text_stream
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from tests.data.making import Write


def drawn(sample: RowSample, blocks: list[int]) -> list[int]:
    """Row numbers that stay, checked against what a reader would hold."""
    held = np.empty(0, np.int64)
    first = 0
    for n_rows in blocks:
        held = np.append(held, first + sample.draw(n_rows))
        first += n_rows
        if (chosen := sample.keeping()) is not None:
            held = held[chosen]
    if (chosen := sample.keeping(at_end=True)) is not None:
        held = held[chosen]
    np.testing.assert_array_equal(held, sample.rows)
    return held.tolist()


@pytest.mark.slow
def test_every_row_is_as_likely():
    counts = np.zeros(60)
    for seed in range(3000):
        rows = drawn(RowSample(12, seed=seed), [7, 1, 30, 22])
        assert len(set(rows)) == 12
        counts[rows] += 1
    expected = 3000 * 12 / 60
    assert np.abs(counts - expected).max() < 5 * np.sqrt(expected * 0.8)
    assert ((counts - expected) ** 2 / (expected * 0.8)).sum() < 110  # chi² of 59 beyond one in 10,000


def test_blocks_do_not_matter_and_seeds_do():
    whole = drawn(RowSample(50), [1000])
    assert drawn(RowSample(50), [1] * 1000) == whole
    assert drawn(RowSample(50, seed=1), [1000]) != whole
    assert drawn(RowSample(5000), [600, 400]) == list(range(1000))


def test_a_share_is_drawn_row_by_row():
    rows = drawn(RowSample(None, 0.25), [5000, 15_000])
    assert abs(len(rows) - 5000) < 5 * np.sqrt(20_000 * 0.25 * 0.75)
    assert rows == drawn(RowSample(None, 0.25), [20_000])


def rows_of(table: Any) -> list[tuple[Any, ...]]:
    return list(zip(table.column("n").values.tolist(), labels_of(table.column("word")),
                    labels_of(table.column("late")), strict=True))  # fmt: skip


@pytest.mark.usefixtures("small_head", "small_blocks")
@pytest.mark.parametrize(("options", "least", "most"), [
    (ReadOptions(sample_rows=300), 300, 300), (ReadOptions(sample_share=0.1), 200, 400),
    (ReadOptions(sample_rows=99_999), 3000, 3000),
])  # fmt: skip
def test_a_sample_of_a_file(write: Write, options: ReadOptions, least: int, most: int) -> None:
    """`late` begins with numbers and turns to text, so the file is gone through twice."""
    lines = [f"{n},w{n % 400},{n if n < 2000 else f'{n}x'}" for n in range(3000)]
    path = write("n,word,late\n" + "\n".join(lines) + "\n")
    table = read_table(path, options=options)
    assert least <= table.n_rows <= most
    for n, word, late in rows_of(table):
        assert (word, late) == (f"w{int(n) % 400}", f"{int(n)}" if n < 2000 else f"{int(n)}x")
    assert set(table.column("word").categories) == {word for _, word, _ in rows_of(table)}
    assert f"A sample: {table.n_rows:,} of 3,000 rows, drawn at random (seed 0)" in said(table)
    assert rows_of(read_table(path, options=options)) == rows_of(table)


@pytest.mark.usefixtures("small_blocks")
def test_a_table_that_does_not_fit_is_refused_with_a_way_out(write: Write, monkeypatch: Any) -> None:
    monkeypatch.setattr("workbench.memory.free_bytes", lambda: 200_000)
    taken = []
    monkeypatch.setattr(RowsRead, "tell", lambda *_: taken.append(1))
    path = write("x,y\n" + "1.5,2\n" * 200_000)
    with pytest.raises(TooLarge, match=r"about [12]\d\d,\d{3} rows × 2 columns.*--sample-rows \d+") as caught:
        read_table(path)
    assert taken == [], "it is refused after the first block"
    assert "\n" not in str(caught.value)
    sample = caught.value.sample
    assert 1000 < sample < 20_000
    assert read_table(path, options=ReadOptions(sample_rows=sample)).n_rows == sample
    share = float(re.search(r"--sample-share ([\d.]+)\)", str(caught.value))[1])
    table = read_table(path, options=ReadOptions(sample_share=share))
    assert 1000 < table.n_rows < 20_000


def packed(rows: bytes, kind: str, path: Any) -> None:
    if kind == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("rows.csv", rows)
    else:
        path.write_bytes({"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}[kind](rows))


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ["gz", "bz2", "xz", "zip"])
@pytest.mark.slow
def test_a_packed_table_that_does_not_fit_is_sampled_or_mapped_too(
    tmp_path: Any, monkeypatch: Any, kind: str
) -> None:
    """How many rows it has is seen after the first block, but of bzip2, which gives much at once."""
    monkeypatch.setattr(text_stream.TextStream.__init__, "__defaults__", (1 << 14,))
    numbers = np.random.default_rng(0).normal(size=(20_000, 20)).round(3)
    rows = ",".join(f"x{place}" for place in range(20)) + "\n" + "\n".join(
        ",".join(map(str, line)) for line in numbers
    )  # fmt: skip
    path = tmp_path / f"t.csv.{kind}"
    packed(rows.encode(), kind, path)
    monkeypatch.setattr("workbench.memory.free_bytes", lambda: 900_000)
    with pytest.raises(TooLarge, match=r"--sample-rows \d+.*--map") as caught:
        read_table(path)
    assert caught.value.rows.is_least == (kind == "bz2")
    assert 15_000 < caught.value.rows.number < 30_000
    assert ("--sample-share" in str(caught.value)) == (kind != "bz2")
    assert read_table(path, options=ReadOptions(sample_rows=1000)).n_rows == 1000
    assert read_table(path, options=ReadOptions(map_folder="")).n_rows == 20_000


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("kind", ["jsonl", "jsonl.gz", "xlsx"])
def test_rows_of_other_kinds_of_file_are_sampled_as_is_advised(
    tmp_path: Any, monkeypatch: Any, kind: str
) -> None:
    frame = pd.DataFrame({f"x{place}": np.arange(6000) / 8 for place in range(20)})
    path = tmp_path / f"t.{kind}"
    if kind == "xlsx":
        frame.to_excel(path, index=False)
        monkeypatch.setattr("workbench.data.readers.workbooks.excel.ask_for", lambda *_: None)
    else:
        frame.to_json(path, orient="records", lines=True)
    monkeypatch.setattr("workbench.memory.free_bytes", lambda: 300_000)
    with pytest.raises(TooLarge, match=r"more than \d,000 rows × 20 .*--sample-rows \d+\), keep") as caught:
        read_table(path)
    monkeypatch.setattr("workbench.memory.free_bytes", lambda: None)  # few rows are first taken for text
    sample = caught.value.sample
    assert read_table(path, options=ReadOptions(sample_rows=sample)).n_rows == sample
    assert read_table(path, options=ReadOptions(map_folder="")).n_rows == 6000


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("pack", ["gzip", "zip"])
def test_a_file_that_expands_without_bound_is_refused(tmp_path: Any, monkeypatch: Any, pack: str) -> None:
    monkeypatch.setattr("workbench.memory.free_bytes", lambda: 3_000_000)
    rows = b"x,y\n" + b"1,2\n" * 12_000_000
    path = tmp_path / ("bomb.csv.gz" if pack == "gzip" else "bomb.zip")
    if pack == "gzip":
        path.write_bytes(gzip.compress(rows, 1))
    else:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr("rows.csv", rows)
    with pytest.raises(WorkbenchError, match="of memory, and"):
        read_table(path)


@pytest.mark.parametrize("options", [{"sample_rows": 0}, {"sample_share": 0.0}, {"sample_share": 1.5},
                                     {"sample_rows": 5, "sample_share": 0.5}])  # fmt: skip
def test_samples_that_cannot_be_are_refused(options: Any) -> None:
    with pytest.raises(WorkbenchError, match="sample"):
        ReadOptions(**options)


@pytest.mark.slow
def test_json_lines_in_bzip2_are_known_though_nothing_comes_out_at_once(tmp_path: Any) -> None:
    lines = "".join(f'{{"x": {value}}}\n' for value in np.random.default_rng(0).random(20_000))
    path = tmp_path / "t.jsonl.bz2"
    path.write_bytes(bz2.compress(lines.encode()))
    table = read_table(path)
    assert (table.names, table.n_rows) == (("x",), 20_000)
