from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from workbench.trees import grown_nodes
from workbench.trees.bins.binning import MISSING_BIN
from workbench.trees.bins.shared_bytes import ALONE
from workbench.trees.hist.routing import N_WORDS as WORDS_A_NODE
from workbench.trees.hist.routing import add_walked, pack_leaf, pack_split

ODD_BINS = [0, 1, 62, 63, 64, 65, 127, 128, 191, 192, 252, 253, 254, MISSING_BIN]
N_WORDS = 3
COLUMN, BIN, IS_CATEGORY, MISSING_LEFT, LEFT = range(5)


class Layout(NamedTuple):
    """What the kernels read of a `MatrixArrays`."""

    places: np.ndarray
    lines: np.ndarray
    bins_of_byte: np.ndarray


EVERY_BYTE_ALONE = Layout(
    np.arange(8 * (N_WORDS - 1)), np.full(8 * (N_WORDS - 1), ALONE), np.empty((0, 256), np.uint8)
)


def made_questions(rng, splits, shape):
    """A tree on bins, a question a node, and its depth."""
    questions = np.full((2 * splits + 1, 5), -1)
    depth = 0
    bins = ODD_BINS[:1] if shape == "chain" else ODD_BINS[:-2]  # so that many rows reach a chain's end
    level, made = [0], 1
    while made < 2 * splits + 1:
        asking = level[: (2 * splits + 1 - made) // 2]
        asking = asking[-1:] if shape == "chain" else asking
        level = []
        for node in asking:
            questions[node] = (
                rng.integers(8 * (N_WORDS - 1)), rng.choice(bins), *rng.integers(2, size=2), made
            )
            level += [made, made + 1]
            made += 2
        depth += 1
    return questions, depth


def packed_tree(rng, questions):
    """The tree as kernels walk it, over what earlier trees have left in that memory."""
    packed = rng.integers(0, 99, int(WORDS_A_NODE) * len(questions)).astype(np.uint64)
    nodes = np.full((len(questions), grown_nodes.N_FIELDS), -1)
    for node, (column, split_bin, is_category, missing_left, left) in enumerate(questions.tolist()):
        if column < 0:
            pack_leaf(packed, node)
            continue
        nodes[node, grown_nodes.COLUMN], nodes[node, grown_nodes.BIN] = column, split_bin
        nodes[node, grown_nodes.MISSING_LEFT] = missing_left
        if is_category:
            grown_nodes.ask_members(nodes, node, np.array([split_bin]), 1)
        else:
            grown_nodes.ask_below(nodes, node)
        pack_split(packed, node, nodes, node, EVERY_BYTE_ALONE, left)
    return packed


def leaf_of(questions, record):
    node = 0
    while questions[node, COLUMN] >= 0:
        b = record[8 + questions[node, COLUMN]]
        if b == MISSING_BIN:
            yes = questions[node, MISSING_LEFT]
        elif questions[node, IS_CATEGORY]:
            yes = b == questions[node, BIN]
        else:
            yes = b <= questions[node, BIN]
        node = questions[node, LEFT] + (0 if yes else 1)
    return node


@examples(150)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(0, 20),
    splits=st.sampled_from([0, 1, 3, 30, 100]),
    shape=st.sampled_from(["full", "chain"]),
    parts=st.integers(1, 3),
)
def test_against_naive(seed, n, splits, shape, parts):
    rng = np.random.default_rng(seed)
    questions, depth = made_questions(rng, splits, shape)
    packed = packed_tree(rng, questions)
    scratch = np.empty((2, 8), np.uint64)
    values = rng.normal(size=len(questions)).astype(np.float32)
    records = rng.choice(ODD_BINS, (n, 8 * N_WORDS)).astype(np.uint8)
    rows = np.flatnonzero(rng.random(n) < 0.7).astype(np.uint32)
    raw = rng.normal(size=n).astype(np.float32)
    expected = raw.copy()
    for row in rows:
        expected[row] += values[leaf_of(questions, records[row])]
    for part in range(parts):
        add_walked(
            part, parts, rows, records.reshape(-1), 8 * N_WORDS, packed, depth, values, scratch, raw
        )
    np.testing.assert_array_equal(raw, expected)
