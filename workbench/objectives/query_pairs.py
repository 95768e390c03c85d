"""Sums over the pairs of rows of a query, with one division a pair.

A query's rows stand by relevance, so that those worse than row i are all behind `first`:

    relevance   4 4 3 3 3 1 0 0 0
                  i ^first         pairs (i, first), (i, first + 1), …

Of a pair with e_i = e^ŷ_i and e_j, P(j before i) = e_j/(e_i + e_j). With lo, hi the lesser and the larger,
ln(1 + e^−(ŷ_i − ŷ_j)) = ln(1 + lo/hi) + max(0, ŷ_j − ŷ_i), and ln(1 + lo/hi) = 2·artanh(lo/(lo + 2hi)).
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import REAL, kernel
from workbench.objectives.base import LEAST_HESSIAN
from workbench.objectives.query_order import first_query, gain_of, longest_of, order_of, order_of_relevances
from workbench.objectives.smooth_functions import (
    HALF_LN2,
    ROOT_AND_ONE,
    ROOT_LESS_ONE,
    exp,
    sum_in_eight,
    twice_artanh,
)

WIDEST = 600.0  # of raw predictions of a query whose exponentials can be divided by each other
FARTHEST = 300.0  # raw predictions that are held apart in P, where they are wider

# Of rows by relevance, and of the pairs of one of them.
GAIN, WORTH, ROOT_WEIGHT, RAW, POWER, GRADIENT, HESSIAN, LOSS = range(8)
CHANGE, OF_ARTANH, CHANCE, OF_PAIR, OWN_POWER = range(8, 13)
N_SCRATCH = 13


@kernel
def _fill_changes(gain, worth, root, own_gain, own_worth, factor, out):
    """Fill √(w_i w_j)·|ΔNDCG_ij|."""
    for j in range(len(out)):
        out[j] = abs((own_gain - gain[j]) * (own_worth - worth[j])) * (factor * root[j])


@kernel
def _fill_quotients(power, own, of_artanh, chance):
    """Fill P and what artanh takes, two quotients by one division; ln √2 apart where lo/hi > √2 − 1."""
    for j in range(len(chance)):
        e = power[j]
        low, high = (own, e) if own < e else (e, own)
        is_large = low > ROOT_LESS_ONE * high
        numerator = low - ROOT_LESS_ONE * high if is_large else low
        denominator = low + (ROOT_AND_ONE if is_large else 2.0) * high
        both = own + e
        inverse = 1.0 / (both * denominator)
        of_artanh[j] = numerator * (inverse * both)
        chance[j] = e * (inverse * denominator)


@kernel
def _fill_losses(power, raw, of_artanh, change, own, own_raw, out):
    """Fill the weighted loss of each pair."""
    for j in range(len(out)):
        e = power[j]
        low, high = (own, e) if own < e else (e, own)
        unit = twice_artanh(of_artanh[j]) + (HALF_LN2 if low > ROOT_LESS_ONE * high else 0.0)
        behind = raw[j] - own_raw
        out[j] = change[j] * (unit + (behind if behind > 0.0 else 0.0))


@kernel
def _times(chance, change):
    """Multiply in place: √(w_i w_j)·|ΔNDCG|·P."""
    for j in range(len(change)):
        change[j] *= chance[j]


@kernel
def _times_rest(chance, slope):
    """Multiply in place: √(w_i w_j)·|ΔNDCG|·P(1 − P)."""
    for j in range(len(slope)):
        slope[j] *= 1.0 - chance[j]


@kernel
def _add(values, to):
    for j in range(len(to)):
        to[j] += values[j]


@kernel
def _fill_powers(raw, own_raw, out):
    """Fill e^(ŷ_j − ŷ_i), held to where they can be divided."""
    for j in range(len(out)):
        apart = raw[j] - own_raw
        apart = FARTHEST if apart > FARTHEST else apart
        out[j] = exp(-FARTHEST if apart < -FARTHEST else apart)


@kernel
def _add_halves(values, to):
    for j in range(len(to)):
        to[j] += 0.5 * values[j]


@kernel
def _add_pairs(i, first, n, is_wide, wants_losses, ideal, rows):
    """Add the pairs of row i with those from `first` on to all of them; return their loss."""
    own = 1.0 if is_wide else rows[POWER, i]
    raw, power, change = rows[RAW, first:n], rows[POWER, first:n], rows[CHANGE, first:n]
    of_artanh, chance, of_pair = rows[OF_ARTANH, first:n], rows[CHANCE, first:n], rows[OF_PAIR, first:n]
    if is_wide:
        power = rows[OWN_POWER, first:n]
        _fill_powers(raw, rows[RAW, i], power)
    _fill_changes(
        rows[GAIN, first:n], rows[WORTH, first:n], rows[ROOT_WEIGHT, first:n], rows[GAIN, i], rows[WORTH, i],
        rows[ROOT_WEIGHT, i] / ideal, change,
    )
    _fill_quotients(power, own, of_artanh, chance)
    _fill_losses(power, raw, of_artanh, change, own, rows[RAW, i], of_pair)
    loss = sum_in_eight(of_pair)
    if wants_losses:
        rows[LOSS, i] += 0.5 * loss
        _add_halves(of_pair, rows[LOSS, first:n])
    _times(chance, change)
    rows[GRADIENT, i] -= sum_in_eight(change)
    _add(change, rows[GRADIENT, first:n])
    _times_rest(chance, change)
    rows[HESSIAN, i] += sum_in_eight(change)
    _add(change, rows[HESSIAN, first:n])
    return loss


@kernel(apart=True, returns=REAL)
def _add_query(target, here, by_target, wants_losses, ideal, scratch):
    """Add all pairs of a query whose rows are laid out; return their loss."""
    n = len(here)
    lowest = highest = scratch[RAW, 0]
    for k in range(n):
        lowest, highest = min(lowest, scratch[RAW, k]), max(highest, scratch[RAW, k])
    is_wide = highest - lowest > WIDEST
    middle = 0.5 * (lowest + highest)
    for k in range(n):
        scratch[POWER, k] = exp(scratch[RAW, k] - middle)
    loss, first = 0.0, 0
    for i in range(n):
        own = target[here[by_target[i]]]
        while first < n and target[here[by_target[first]]] >= own:
            first += 1
        if first == n:
            break
        loss += _add_pairs(i, first, n, is_wide, wants_losses, ideal, scratch)
    return loss


@kernel(allocates=True)
def add_pairs(part, parts, queries, target, raw, weight, gradients, hessians, of_rows, losses):
    """Fill the sums over the pairs of each row, and the loss of each query, of one part of the queries.

    Parameters
    ----------
    queries : Queries
    target, weight : ndarray of float64, shape (n,)
    raw : ndarray of float32, shape (n,)
    gradients, hessians : ndarray of float64, shape (n,)
    of_rows : ndarray of float64, shape (n,) or (0,)
        Half of the losses of a row's pairs, where there is room.
    losses : ndarray of float64, shape (n_queries,)
    """
    begins = queries.begins
    first, end = first_query(part, parts, queries.work), first_query(part + 1, parts, queries.work)
    longest = longest_of(begins, first, end)
    scratch = np.empty((N_SCRATCH, longest))
    keys, order = np.empty((2, longest), np.int64), np.empty((2, longest), np.int64)
    places = np.empty(longest, np.int64)
    for q in range(first, end):
        here = queries.rows[begins[q] : begins[q + 1]]
        n = len(here)
        order_of(raw, here, keys, order)
        for place in range(n):
            places[order[0, place]] = place
        order_of_relevances(target, here, keys, order)
        ideal = 0.0
        for k in range(n):
            own, row = order[0, k], here[order[0, k]]
            scratch[GAIN, k] = gain_of(target[row])
            scratch[WORTH, k] = queries.worths[places[own]]
            scratch[ROOT_WEIGHT, k] = np.sqrt(weight[row])
            scratch[RAW, k] = raw[row]
            scratch[GRADIENT, k] = scratch[LOSS, k] = 0.0
            scratch[HESSIAN, k] = LEAST_HESSIAN
            ideal += scratch[GAIN, k] * queries.worths[k]
        losses[q] = 0.0
        if ideal > 0.0:
            losses[q] = _add_query(target, here, order[0], len(of_rows) > 0, ideal, scratch)
        for k in range(n):
            row = here[order[0, k]]
            gradients[row], hessians[row] = scratch[GRADIENT, k], scratch[HESSIAN, k]
            if len(of_rows):
                of_rows[row] = scratch[LOSS, k]
