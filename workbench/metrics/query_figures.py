"""NDCG and mean precision of every query."""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.objectives.queries import MOST_RELEVANCE
from workbench.objectives.query_order import first_query, gain_of, longest_of, order_of, order_of_relevances


@kernel
def tie_end(keys, begin, n):
    """Return the end of the places whose rows are predicted as the one at `begin`."""
    end = begin + 1
    while end < n and keys[end] == keys[begin]:
        end += 1
    return end


@kernel
def _ideal(target, here, order, worths, k):
    """Return the DCG of rows in the order of their relevance; NaN where one is no relevance, from 0 to 31."""
    ideal = 0.0
    for place in range(len(here)):
        y = target[here[order[place]]]
        if not 0.0 <= y <= MOST_RELEVANCE:
            return np.nan
        if place < k:
            ideal += gain_of(y) * worths[place]
    return ideal


@kernel
def _delivered(target, here, order, keys, worths, k):
    """Return the DCG of rows in the order of their predictions; equal ones share the mean of their gains."""
    n, dcg, begin = len(here), 0.0, 0
    while begin < min(n, k):
        end = tie_end(keys, begin, n)
        gain = worth = 0.0
        for place in range(begin, end):
            gain += gain_of(target[here[order[place]]])
            worth += worths[place] if place < k else 0.0
        dcg += gain / (end - begin) * worth
        begin = end
    return dcg


@kernel(allocates=True)
def fill_ndcg(part, parts, queries, target, raw, k, figures):
    """Fill DCG / ideal DCG of each query of a part with gains 2**y − 1; 1 where nothing is relevant.

    NaN where a target is no relevance, from 0 to 31.
    Rows that are predicted the same share the mean of their gains: the expected value over their orders
    (McSherry and Najork, Computing information retrieval performance measures efficiently in the presence
    of tied scores, 2008).
    """
    begins, worths = queries.begins, queries.worths
    first, last = first_query(part, parts, queries.work), first_query(part + 1, parts, queries.work)
    longest = longest_of(begins, first, last)
    keys, order = np.empty((2, longest), np.int64), np.empty((2, longest), np.int64)
    for q in range(first, last):
        here = queries.rows[begins[q] : begins[q + 1]]
        order_of_relevances(target, here, keys, order)
        ideal = _ideal(target, here, order[0], worths, k)
        figures[q] = 1.0 if ideal == 0.0 else np.nan
        if ideal > 0.0:
            order_of(raw, here, keys, order)
            figures[q] = _delivered(target, here, order[0], keys[0], worths, k) / ideal


@kernel
def _precisions(target, here, order, keys, k):
    """Return the sum of the precisions at the places of relevant rows, as far as k."""
    n, total, hits, begin = len(here), 0.0, 0.0, 0
    while begin < min(n, k):
        end = tie_end(keys, begin, n)
        relevant = 0.0
        for place in range(begin, end):
            relevant += 1.0 if target[here[order[place]]] > 0.0 else 0.0
        size = end - begin
        others = max(relevant - 1.0, 0.0) / max(size - 1, 1)
        for place in range(begin, min(end, k)):
            total += relevant / size * (hits + 1.0 + (place - begin) * others) / (place + 1.0)
        hits += relevant
        begin = end
    return total


@kernel(allocates=True)
def fill_precision(part, parts, queries, target, raw, k, figures):
    """Fill the mean precision at the places of relevant rows (y > 0); 1 where nothing is relevant.

    The expected value over the orders of rows that are predicted the same (McSherry and Najork, as above):
    of t such rows with r relevant ones, after s rows with R, the j-th adds
    r/t · [R + 1 + (j − 1)(r − 1)/(t − 1)] / (s + j).
    """
    begins = queries.begins
    first, last = first_query(part, parts, queries.work), first_query(part + 1, parts, queries.work)
    longest = longest_of(begins, first, last)
    keys, order = np.empty((2, longest), np.int64), np.empty((2, longest), np.int64)
    for q in range(first, last):
        here = queries.rows[begins[q] : begins[q + 1]]
        wanted = 0
        for row in here:
            wanted += 1 if target[row] > 0.0 else 0
        figures[q] = 1.0
        if wanted > 0:
            order_of(raw, here, keys, order)
            figures[q] = _precisions(target, here, order[0], keys[0], k) / min(wanted, k)
