from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from workbench.kernels import processor
from workbench.trees.bins.binning import fill_records
from workbench.trees.hist import histogram
from workbench.trees.hist.histogram import HISTOGRAM_STRIDE, count_part, fetched_shape
from workbench.trees.hist.histogram_memory import Histograms
from workbench.trees.node_lists import ListedNodes


def compiled_for(cache_bytes):
    """The kernels as they are on a processor with an innermost cache of so many bytes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processor, "innermost_cache_bytes", lambda: cache_bytes)
        spec = importlib.util.spec_from_file_location(f"histogram_{cache_bytes}", histogram.__file__)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


def naive(by_column, packed, rows):
    histogram = np.zeros((len(by_column), HISTOGRAM_STRIDE), np.int64)
    for f, column in enumerate(by_column):
        np.add.at(histogram[f], column[rows], packed[rows])
    return histogram.ravel()


@pytest.mark.parametrize("d", [1, 5, 8, 12, 19, 24, 30, 55, 78, 256, 258, 269, 283])
@pytest.mark.parametrize("parts", [1, 2, 3, 5])
def test_against_naive(d, parts):
    rng = np.random.default_rng(d)
    n = 1900
    by_column = rng.integers(0, 256, (d, n)).astype(np.uint8)
    packed = rng.integers(-(2**40), 2**40, n)
    records = np.empty((n, 1 + -(-d // 8)), np.uint64)
    fill_records(by_column, 0, n, records)
    records[:, 0] = packed.view(np.uint64)
    rows = rng.permutation(n).astype(np.uint32)
    begins = np.array([100, 0, 300, 303], np.int64)
    sizes = [150, 7, 1, 1500]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    counted, slots = np.array([7, 2, 0, 5]), np.array([1, -1, 0, -1, -1, 2, -1, 3])
    pool = np.full((4, d * HISTOGRAM_STRIDE), 99, np.int64)
    heads, head_of_part = np.empty((parts, pool.shape[1]), np.int64), np.empty(parts, np.int64)
    fetched = np.empty(fetched_shape(d), np.uint64)
    histograms, listed = (
        Histograms(pool, slots, heads, head_of_part),
        ListedNodes(counted, begins, offsets, 4),
    )
    for part in range(parts):
        count_part(part, parts, records, d, None, rows, listed, fetched, histograms)
    for part in range(1, parts):
        if head_of_part[part] >= 0:
            pool[slots[head_of_part[part]]] += heads[part]
    for begin, size, node in zip(begins, sizes, counted, strict=True):
        expected = naive(by_column, packed, rows[begin : begin + size])
        np.testing.assert_array_equal(pool[slots[node]], expected)


@pytest.mark.parametrize(("cache_bytes", "counts_two_words"), [(32_768, False), (49_152, True)])
def test_one_word_or_two_at_once_are_the_same_sums(cache_bytes, counts_two_words):
    kernels = compiled_for(cache_bytes)
    assert kernels.COUNTS_TWO_WORDS is counts_two_words
    rng = np.random.default_rng(cache_bytes)
    for d in [3, 8, 16, 17, 24, 31, 40, 57, 300]:
        n = 1300
        by_column = rng.integers(0, 256, (d, n)).astype(np.uint8)
        packed = rng.integers(-(2**40), 2**40, n)
        records = np.empty((n, 1 + -(-d // 8)), np.uint64)
        fill_records(by_column, 0, n, records)
        records[:, 0] = packed.view(np.uint64)
        rows = np.sort(rng.permutation(n)[:1100]).astype(np.uint32)
        counted = np.zeros(d * HISTOGRAM_STRIDE, np.int64)
        kernels.count_rows(records, rows, d, np.empty(kernels.fetched_shape(d), np.uint64), counted)
        np.testing.assert_array_equal(counted, naive(by_column, packed, rows))


def test_what_the_system_tells_of_the_cache_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(processor, "INNERMOST", tmp_path)
    assert processor.innermost_cache_bytes() == processor.SMALL_CACHE
    (tmp_path / "type").write_text("Data\n")
    (tmp_path / "size").write_text("48K\n")
    assert processor.innermost_cache_bytes() == 49_152
    (tmp_path / "type").write_text("Unified\n")
    assert processor.innermost_cache_bytes() == processor.SMALL_CACHE
    (tmp_path / "type").write_text("Data\n")
    (tmp_path / "size").write_text("much\n")
    assert processor.innermost_cache_bytes() == processor.SMALL_CACHE
