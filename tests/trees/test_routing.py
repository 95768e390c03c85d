from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.trees.binning import MISSING_BIN
from workbench.trees.routing import BIN, COLUMN, IS_CATEGORY, LEFT, MISSING_LEFT, N_FIELDS, add_walked

ODD_BINS = [0, 1, 62, 63, 64, 65, 127, 128, 191, 192, 252, 253, 254, MISSING_BIN]
N_WORDS = 3


def made_questions(rng, splits, shape):
    """A tree on bins; behind it, as in the grower's memory, what earlier trees have left."""
    questions = rng.integers(0, 9, (2 * splits + 1 + 5, N_FIELDS)).astype(np.int32)
    questions[: 2 * splits + 1, COLUMN] = questions[: 2 * splits + 1, LEFT] = -1
    bins = ODD_BINS[:1] if shape == "chain" else ODD_BINS[:-2]  # so that many rows reach a chain's end
    level, made = [0], 1
    while made < 2 * splits + 1:
        asking = level[: (2 * splits + 1 - made) // 2]
        asking = asking[-1:] if shape == "chain" else asking
        level = []
        for node in asking:
            questions[node] = (
                8 + rng.integers(8 * (N_WORDS - 1)), rng.choice(bins), *rng.integers(2, size=2), made
            )
            level += [made, made + 1]
            made += 2
    return questions


def leaf_of(questions, record):
    node = 0
    while questions[node, COLUMN] >= 0:
        b = record[questions[node, COLUMN]]
        if b == MISSING_BIN:
            yes = questions[node, MISSING_LEFT]
        elif questions[node, IS_CATEGORY]:
            yes = b == questions[node, BIN]
        else:
            yes = b <= questions[node, BIN]
        node = questions[node, LEFT] + (0 if yes else 1)
    return node


@settings(deadline=None, max_examples=150)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(0, 20),
    splits=st.sampled_from([0, 1, 3, 30, 100]),
    shape=st.sampled_from(["full", "chain"]),
    parts=st.integers(1, 3),
)
def test_against_naive(seed, n, splits, shape, parts):
    rng = np.random.default_rng(seed)
    questions = made_questions(rng, splits, shape)
    values = rng.normal(size=len(questions)).astype(np.float32)
    records = rng.choice(ODD_BINS, (n, 8 * N_WORDS)).astype(np.uint8)
    rows = np.flatnonzero(rng.random(n) < 0.7).astype(np.uint32)
    raw = rng.normal(size=n).astype(np.float32)
    expected = raw.copy()
    for row in rows:
        expected[row] += values[leaf_of(questions, records[row])]
    for part in range(parts):
        add_walked(part, parts, rows, records.view(np.uint64), questions, values, raw)
    np.testing.assert_array_equal(raw, expected)
