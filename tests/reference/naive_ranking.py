"""Rankings by the letter: the pairs of a query in matrices, and the metrics of one query."""

from __future__ import annotations

import numpy as np

from workbench.objectives.base import LEAST_HESSIAN
from workbench.objectives.queries import MOST_RELEVANCE, discounts


def query_slices(groups):
    order = np.argsort(groups, kind="stable")
    if len(order):
        yield from np.split(order, np.flatnonzero(np.diff(groups[order])) + 1)


def ranks(raw):
    places = np.empty(len(raw), np.int64)
    places[np.argsort(-raw, kind="stable")] = np.arange(len(raw))
    return places


def lambdas(target, raw, weight, groups):
    """Return gradients, hessians and losses of the rows, and the loss."""
    gradients, hessians = np.zeros(len(target)), np.full(len(target), LEAST_HESSIAN)
    losses, total = np.zeros(len(target)), 0.0
    for rows in query_slices(groups):
        g, h, own, loss = _of_query(target[rows], raw[rows].astype(np.float64), weight[rows])
        gradients[rows] += g
        hessians[rows] += h
        losses[rows] = own
        total += loss
    return gradients, hessians, losses, total


def _of_query(target, raw, weight):
    gain, discount = np.exp2(target) - 1.0, discounts(ranks(raw))
    ideal = float((np.sort(gain)[::-1] * discounts(np.arange(len(gain)))).sum())
    n = len(target)
    if not ideal:
        return np.zeros(n), np.zeros(n), np.zeros(n), 0.0
    better, worse = np.nonzero(target[:, None] > target[None, :])
    change = np.abs((gain[better] - gain[worse]) * (discount[better] - discount[worse])) / ideal
    change *= np.sqrt(weight[better] * weight[worse])
    ahead = raw[better] - raw[worse]
    wrong = 1.0 / (1.0 + np.exp(np.clip(ahead, -500.0, 500.0)))
    slope, bend = change * wrong, change * wrong * (1.0 - wrong)
    pair = change * np.logaddexp(0.0, -ahead)
    g = np.bincount(worse, slope, n) - np.bincount(better, slope, n)
    h = np.bincount(worse, bend, n) + np.bincount(better, bend, n)
    return g, h, 0.5 * (np.bincount(worse, pair, n) + np.bincount(better, pair, n)), float(pair.sum())


def _means_of_ties(raw, values):
    """Return the places' rows, first of their ties, size of these, and the means of values over them."""
    order = np.argsort(-raw, kind="stable")
    _, begin, which, size = np.unique(-raw[order], return_index=True, return_inverse=True, return_counts=True)
    begin, size = begin[which], size[which]
    before = np.concatenate([[0.0], np.cumsum(values[order])])
    return begin, size, before[begin], (before[begin + size] - before[begin]) / size


def ndcg(relevance, raw, k):
    if ((relevance < 0) | (relevance > MOST_RELEVANCE)).any():
        return float("nan")
    gain = np.exp2(relevance) - 1.0
    worth = discounts(np.arange(min(k, len(gain))))
    ideal = float((np.sort(gain)[::-1][:k] * worth).sum())
    return float((_means_of_ties(raw, gain)[3][:k] * worth).sum()) / ideal if ideal > 0 else 1.0


def average_precision(relevance, raw, k):
    hits = (relevance > 0).astype(np.float64)
    wanted = min(int(hits.sum()), k)
    if not wanted:
        return 1.0
    begin, size, earlier, share = _means_of_ties(raw, hits)
    place = np.arange(len(hits))
    others = np.maximum(share * size - 1.0, 0.0) / np.maximum(size - 1, 1)
    precision = (earlier + 1.0 + (place - begin) * others) / (place + 1.0)
    return float((share * precision)[:k].sum() / wanted)


def mean_over_queries(of_query, k, target, raw, groups):
    return float(np.mean([of_query(target[rows], raw[rows], k) for rows in query_slices(groups)]))
