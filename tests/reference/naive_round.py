"""One tree of one round from the raw rows, each walked down every tree, every sum added over its rows."""

from __future__ import annotations

import numpy as np

from tests.reference import naive_tree
from tests.reference.naive_dart import counts_after

FREE = (-np.inf, np.inf)


class NaiveRound:
    """What a tree of a run was grown on, from the dataset and the earlier trees alone.

    Only which rows were drawn is taken from the replay: a random number has no slow twin.
    """

    def __init__(self, replay, round, place):
        data, self.params = replay.dataset, replay.rounds[round - 1].params
        self.replay, self.data = replay, data
        self.tree = replay.rounds[round - 1].trees[place]
        self.k = self.tree.class_index
        self.raw = _raw_before(replay, round)
        weight = np.ones(len(data.target)) if data.weight is None else data.weight
        if data.schema.task == "binary":
            weight = weight * np.where(data.target == 1, self.params.scale_pos_weight, 1.0)
        self.g, self.h = np.empty(self.raw.shape), np.empty(self.raw.shape)
        for rows in (data.train_rows, data.valid_rows):
            groups = None if data.groups is None else data.groups[rows]
            g, h = derivatives(self.params, data.target[rows], self.raw[:, rows], weight[rows], groups)
            self.g[:, rows], self.h[:, rows] = g, h
        self.weight = weight
        self.drawn = np.zeros(len(data.target), bool)
        self.drawn[data.train_rows[replay.grown(round, place).sample.rows.drawn]] = True
        self.factor = _factors(self)
        self.own_g, self.own_h = self.g[self.k] * self.factor, self.h[self.k] * self.factor
        self.masks = naive_tree.rows_by_node(self.tree, data.features)
        self.held_out = np.isin(np.arange(len(data.target)), data.valid_rows)
        self.bounds = self._bounds()

    def grew(self, node):
        """Return the rows that grew a node, a mask."""
        return self.masks[node] & self.drawn

    def sums(self, node):
        """Return G and H of the rows that grew a node."""
        return self.own_g[self.grew(node)].sum(), self.own_h[self.grew(node)].sum()

    def weigh(self, g, h, bounds):
        """Return −soft(G, α)/(H+λ), at most δ in size, within bounds."""
        params = self.params
        soft = np.sign(g) * max(abs(g) - params.reg_alpha, 0.0)
        w = -soft / (h + params.reg_lambda) if h + params.reg_lambda > 0 else 0.0
        limit = params.max_delta_step or np.inf
        return min(max(min(max(w, -limit), limit), bounds[0]), bounds[1])

    def score(self, g, h, bounds):
        """Return Gw + ½(H+λ)w² + α|w| of that weight."""
        w = self.weigh(g, h, bounds)
        return g * w + (h + self.params.reg_lambda) * w * w / 2 + self.params.reg_alpha * abs(w)

    def gain(self, node):
        """Return what a split of the tree gains, γ taken off."""
        left = int(self.tree.nodes["left"][node])
        own, yes, no = (self.score(*self.sums(n), self.bounds[n]) for n in (node, left, left + 1))
        return own - yes - no - self.params.gamma

    def size(self, node):
        """Return what the node's scores are made of, to judge a difference by."""
        rows = self.grew(node)
        below = self.own_h[rows].sum() + self.params.reg_lambda
        return 1.0 + np.abs(self.own_g[rows]).sum() ** 2 / (below + 1e-9)

    def held_out_gain(self, node, yes):
        """Return the gain of a question on the hold-out rows of a node, `yes` a mask over all rows."""
        rows = self.masks[node] & self.held_out
        parts = (rows, rows & yes, rows & ~yes)
        own, left, right = (
            self.score(self.g[self.k][part].sum(), self.h[self.k][part].sum(), FREE) for part in parts
        )
        return own - left - right - self.params.gamma

    def _bounds(self):
        nodes, names = self.tree.nodes, self.data.schema.names
        signs = dict(self.params.monotone_constraints)
        bounds = [FREE] * self.tree.n_nodes
        for node in np.flatnonzero(~self.tree.is_leaf).tolist():
            left = int(nodes["left"][node])
            low, high = bounds[node]
            middle = sum(self.weigh(*self.sums(n), bounds[node]) for n in (left, left + 1)) / 2
            sign = signs.get(names[nodes["feature"][node]], 0)
            bounds[left] = {0: (low, high), 1: (low, middle), -1: (middle, high)}[sign]
            bounds[left + 1] = {0: (low, high), 1: (middle, high), -1: (low, middle)}[sign]
        return bounds


def derivatives(params, y, raw, weight, groups=None):
    """g and h of every objective by its formula, shape (K, n)."""
    x, name = raw.astype(np.float64), params.objective
    one = np.ones_like(x)
    if name == "squared":
        g, h = x - y, one
    elif name == "logistic":
        p = 1 / (1 + np.exp(-x))
        g, h = p - y, p * (1 - p)
    elif name == "exponential":
        h = np.exp((1 - 2 * y) * x)
        g = (1 - 2 * y) * h
    elif name == "softmax":
        p = np.exp(x - x.max(0))
        p /= p.sum(0)
        g = p - (np.arange(len(x))[:, None] == y)
        h = (1 if params.softmax_hessian == "diagonal" else 2) * p * (1 - p)
    elif name == "absolute":
        g, h = np.sign(x - y), one
    elif name == "huber":
        g, h = np.clip(x - y, -params.huber_slope, params.huber_slope), one
    elif name == "quantile":
        levels = np.array(params.quantile_alpha)[:, None]
        g, h = (x > y) - levels, one
    elif name == "poisson":
        g, h = np.exp(x) - y, np.exp(x)
    elif name == "gamma":
        h = y * np.exp(-x)
        g = 1 - h
    elif name == "tweedie":
        a, b = 1 - params.tweedie_variance_power, 2 - params.tweedie_variance_power
        g, h = np.exp(b * x) - y * np.exp(a * x), b * np.exp(b * x) - a * y * np.exp(a * x)
    else:
        return _pairs(y, x[0], weight, groups)
    return g * weight, h * weight


def _pairs(y, x, weight, groups):
    """LambdaMART pair by pair."""
    g, h = np.zeros((1, len(y))), np.full((1, len(y)), 1e-16)
    for query in np.unique(groups):
        rows = np.flatnonzero(groups == query)
        order = sorted(rows, key=lambda i: -x[i])  # stable: of ties the first row first
        rank = {row: place for place, row in enumerate(order)}
        ideal = sum((2 ** v - 1) / np.log2(p + 2) for p, v in enumerate(sorted(y[rows], reverse=True)))
        for i in rows:
            for j in rows:
                if not y[i] > y[j]:
                    continue
                apart = 1 / np.log2(rank[i] + 2) - 1 / np.log2(rank[j] + 2)
                change = abs((2 ** y[i] - 2 ** y[j]) * apart) / ideal * np.sqrt(weight[i] * weight[j])
                wrong = 1 / (1 + np.exp(x[i] - x[j]))
                g[0, i] -= change * wrong
                g[0, j] += change * wrong
                h[0, [i, j]] += change * wrong * (1 - wrong)
    return g, h


def _raw_before(replay, round):
    """Base and offset, then leaf after leaf of the rounds that counted, in float32."""
    data, begun = replay.dataset, replay.begun
    raw = np.repeat(begun.base_margin.astype(np.float32)[:, None], len(data.target), axis=1)
    if data.offset is not None:
        raw += data.offset
    dropouts = [event.dropout for event in replay.rounds[:round] if event.dropout is not None]
    counts = counts_after([d for d in dropouts if d.round < round], round - 1)
    left_out = next((set(d.dropped.tolist()) for d in dropouts if d.round == round), set())
    for number, event in enumerate(replay.rounds[: round - 1], start=1):
        for tree in () if number in left_out else event.trees:
            leaves = [naive_tree.leaf_of(tree, row) for row in data.features]
            raw[tree.class_index] += tree.nodes["leaf_value"][leaves] * counts[number - 1]
    return raw


def _factors(naive):
    """How often each row counts: with GOSS the drawn ones of small |g·h| stand for those left out."""
    params, rows = naive.params, naive.data.train_rows
    factor = np.ones(len(naive.drawn))
    if params.sampling_method != "goss":
        return factor
    size = np.abs(naive.g * naive.h).sum(0)[rows]
    n, n_top = len(rows), max(1, round(params.top_rate * len(rows)))
    small = rows[np.argsort(-size, kind="stable")[n_top:]]
    small = small[naive.drawn[small]]
    factor[small] = (n - n_top) / max(len(small), 1)
    return factor
