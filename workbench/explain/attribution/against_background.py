"""Shapley values against given rows: a column that is not known has the value that it has in one of these.

For a row and one of the background, a leaf counts where each column of its path is passed by the row's value
or by the other's. With a columns that the row alone passes and b that the other alone does, a leaf of value v
is worth v·(a − 1)!·b!/(a + b)! to each of the a, and −v·a!·(b − 1)!/(a + b)! to each of the b (Lundberg et
al. 2020, "interventional"). Which columns of a path a row passes is a word of bits, and rows with the same
word are worth the same, so that each word is worked out once a leaf.
"""

from __future__ import annotations

import numpy as np

from workbench.ensembles.flat_trees import COLUMN
from workbench.explain.attribution.leaf_paths import pass_edge, path_columns
from workbench.explain.attribution.walks import answer_questions, read_rows
from workbench.kernels.kernel import kernel
from workbench.threads.parallel import part_begin

MOST_COLUMNS = 62  # of a path, one a bit
WORDS_KEPT = 10  # bits of the words that are worked out once


def chances(most: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return s!·u!/(s + u + 1)! for s, u up to `most`."""
    found = np.empty((most + 1, most + 1))
    for u in range(most + 1):
        found[0, u] = 1.0 / (u + 1)
        for s in range(1, most + 1):
            found[s, u] = found[s - 1, u] * s / (s + u + 1)
    return found


@kernel
def words_of(walks, n, m, nodes, passes, words):
    """Write for each row which of m columns of a path it passes, the first in the lowest bit."""
    for r in range(n):
        words[r] = 0
    for e in range(m):
        one, bit = passes[walks.depths[nodes[e]]], np.int64(1) << e
        for r in range(n):
            words[r] |= bit * one[r]


@kernel
def add_word(word, others, counts, n_others, m, value, chance, worth):
    """Add to each of m columns what a row of this word is worth against others, so many of each.

    Parameters
    ----------
    others, counts : ndarray of int64 and float64
        Distinct words of the background, and their shares.
    worth : ndarray of float64, shape (m,)
    """
    every = (np.int64(1) << m) - 1
    for g in range(n_others):
        other = others[g]
        if (word | other) != every or word == other:
            continue
        a = b = 0
        for e in range(m):
            a += (word & ~other) >> e & 1
            b += (other & ~word) >> e & 1
        plus = value * counts[g] * chance[a - 1, b] if a > 0 else 0.0
        minus = value * counts[g] * chance[a, b - 1] if b > 0 else 0.0
        for e in range(m):
            if (word & ~other) >> e & 1:
                worth[e] += plus
            elif (other & ~word) >> e & 1:
                worth[e] -= minus


@kernel
def distinct_words(words, n, n_kept, seen, others, counts):
    """Write the distinct ones of n words, with their shares, and return how many; all where they are long."""
    if n_kept == 0:
        for g in range(n):
            others[g], counts[g] = words[g], 1.0 / n
        return n
    found = 0
    for word in range(n_kept):
        seen[word] = -1
    for g in range(n):
        if seen[words[g]] < 0:
            seen[words[g]] = found
            others[found], counts[found] = words[g], 0.0
            found += 1
        counts[seen[words[g]]] += 1.0 / n
    return found


@kernel(allocates=True)
def add_against(part, parts, rows, background, trees, walks, chance, shares):
    """Add the Shapley values of one part of the rows; memory grows with its rows.

    Parameters
    ----------
    rows, background : RowsInMemory
    trees, walks
        As in `add_shap`.
    chance : ndarray of float64
        See `chances`.
    shares : ndarray of float64, shape (n, n_slots, d)
    """
    n_rows, _, d = shares.shape
    first = part_begin(part, parts, n_rows)
    n, n_others = part_begin(part + 1, parts, n_rows) - first, len(background.numbers) // d
    deepest = walks.deepest
    block, their_block = np.empty((d, n), np.float32), np.empty((d, n_others), np.float32)
    read_rows(rows, first, n, block)
    read_rows(background, 0, n_others, their_block)
    answers = np.empty((walks.largest, n), np.uint8)
    their_answers = np.empty((walks.largest, n_others), np.uint8)
    passes, theirs = np.ones((deepest + 1, n), np.uint8), np.ones((deepest + 1, n_others), np.uint8)
    at_depth = np.empty(deepest + 1, np.int64)
    columns, nodes = np.empty(deepest + 1, np.int64), np.empty(deepest + 1, np.int64)
    words, their_words = np.empty(n, np.int64), np.empty(n_others, np.int64)
    others, counts = np.empty(n_others, np.int64), np.empty(n_others)
    seen, known = np.empty(1 << WORDS_KEPT, np.int64), np.empty(1 << WORDS_KEPT, np.bool_)
    worth = np.empty((1 << WORDS_KEPT, deepest + 1))
    for t in range(len(walks.order)):
        root, slot = trees.roots[t], walks.slots[t]
        answer_questions(trees, t, block, n, answers)
        answer_questions(trees, t, their_block, n_others, their_answers)
        for s in range(walks.begins[t], walks.begins[t + 1]):
            node = walks.steps[s] >> 1
            if walks.steps[s] & 1:
                continue
            pass_edge(trees, walks, root, node, n, answers, passes)
            pass_edge(trees, walks, root, node, n_others, their_answers, theirs)
            if trees.questions[node, COLUMN] >= 0:
                continue
            m = path_columns(trees, walks, node, at_depth, columns, nodes)
            words_of(walks, n, m, nodes, passes, words)
            words_of(walks, n_others, m, nodes, theirs, their_words)
            n_kept = 1 << m if m <= WORDS_KEPT else 0
            n_distinct = distinct_words(their_words, n_others, n_kept, seen, others, counts)
            for word in range(n_kept):
                known[word] = False
            for r in range(n):
                at = words[r] if n_kept > 0 else 0
                if n_kept == 0 or not known[at]:
                    for e in range(m):
                        worth[at, e] = 0.0
                    add_word(words[r], others, counts, n_distinct, m, trees.values[node], chance, worth[at])
                    known[at] = True
                for e in range(m):
                    shares[first + r, slot, columns[e]] += worth[at, e]
