"""The best split of a node in one column: between two of its codes, or among its categories."""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.kernels.random_numbers import unit
from workbench.kernels.sorting import ROW_MASK, VALUE_SHIFT
from workbench.trees.by_node.impurity import NO_SPLIT, split_score
from workbench.trees.by_node.memory import AT, BEGIN, BEHIND, COUNTED, DRAWN, END, SCORE, SIZE, TO_LEFT
from workbench.trees.by_node.ordering import sort_keys
from workbench.trees.by_node.pair_scan import scan_pair_counts, scan_pair_keys


@kernel
def fetch_codes(codes, rows, begin, n, n_codes, node_codes, bounds):
    """Fetch a node's codes in a column, and their bounds; return how many are missing.

    Parameters
    ----------
    bounds : ndarray of int64, shape (2,)
        Filled with the lowest and the highest code of values.
    """
    low, high, n_missing = np.uint32(n_codes), np.uint32(0), np.int64(0)
    missing = np.uint32(n_codes)
    for i in range(n):
        code = codes[rows[begin + i]]
        node_codes[i] = code
        if code == missing:
            n_missing += 1
        else:
            low = code if code < low else low
            high = code if code > high else high
    bounds[0], bounds[1] = np.int64(low), np.int64(high)
    return n_missing


@kernel
def clear(values, n):
    """Set the first n to 0."""
    for i in range(n):
        values[i] = 0.0


@kernel
def add_row(memory, place, n_classes, sums, first):
    """Add a row to the sums that begin at `first`."""
    if n_classes > 0:
        sums[first + memory.labels[place]] += memory.weights[place]
    else:
        sums[first] += memory.weights[place]
        sums[first + 1] += memory.products[place]


@kernel
def sum_missing(memory, begin, n, n_codes, n_classes):
    """Add up the rows that miss a value."""
    for i in range(n):
        if memory.node_codes[i] == np.uint32(n_codes):
            add_row(memory, begin + i, n_classes, memory.missing, 0)


@kernel
def count_codes(memory, begin, n, low, span, n_codes, n_classes, channels):
    """Fill the histogram: for each of `span` codes from `low` on its sums, and the number of rows."""
    width = channels + 1
    histogram = memory.histogram
    clear(histogram, span * width)
    missing = np.uint32(n_codes)
    for i in range(n):
        code = memory.node_codes[i]
        if code != missing:
            first = (np.int64(code) - low) * width
            add_row(memory, begin + i, n_classes, histogram, first)
            histogram[first + channels] += 1.0


@kernel
def try_split(memory, params, total, size, n_left, n_missing, at, behind, n_rows):
    """Compare a split with the best of the column, with missing values on either side where there are any.

    Parameters
    ----------
    size : float
        Where categories are parted, how many go left; else 0.
    """
    found, left, missing = memory.found[1], memory.left, memory.missing
    if n_left >= params.min_leaf_rows and n_rows - n_left >= params.min_leaf_rows:
        score = split_score(params.criterion, params.n_classes, left, memory.nothing, total)
        if score > found[SCORE]:
            found[SCORE], found[AT], found[BEHIND], found[SIZE] = score, at, behind, size
            found[TO_LEFT] = 0.0 if n_missing > 0 else -1.0
    n_both = n_left + n_missing
    if n_missing > 0 and n_both >= params.min_leaf_rows and n_rows - n_both >= params.min_leaf_rows:
        score = split_score(params.criterion, params.n_classes, left, missing, total)
        if score > found[SCORE]:
            found[SCORE], found[AT], found[BEHIND], found[SIZE] = score, at, behind, size
            found[TO_LEFT] = 1.0


@kernel(apart=True)
def scan_counts(memory, params, total, n, n_missing, low, span, channels):
    """Seek the best cut between codes that were counted."""
    width = channels + 1
    histogram, left = memory.histogram, memory.left
    clear(left, channels)
    n_left, last = np.int64(0), np.int64(-1)
    for place in range(span):
        first = place * width
        here = np.int64(histogram[first + channels])
        if here == 0:
            continue
        if n_left > 0:
            try_split(memory, params, total, 0.0, n_left, n_missing, last, low + place, n)
        for k in range(channels):
            left[k] += histogram[first + k]
        n_left += here
        last = low + place


@kernel
def sorted_keys(memory, n, low, span, n_codes):
    """Sort the rows of a node that have a value by their codes; return in which line of keys they are."""
    n_keys = np.int64(0)
    missing = np.uint32(n_codes)
    for i in range(n):
        code = memory.node_codes[i]
        if code != missing:
            key = np.uint64(code - np.uint32(low)) << np.uint64(VALUE_SHIFT)
            memory.keys[0, n_keys] = key | np.uint64(i)
            n_keys += 1
    return sort_keys(memory.keys, n_keys, span, memory.order)


@kernel(apart=True)
def scan_keys(memory, params, total, begin, n, n_missing, low, keys, n_keys, n_classes, channels):
    """Seek the best cut between the codes of a few rows, which are sorted."""
    left = memory.left
    clear(left, channels)
    last = np.int64(-1)
    for i in range(n_keys):
        code = low + np.int64(keys[i] >> np.uint64(VALUE_SHIFT))
        if i > 0 and code != last:
            try_split(memory, params, total, 0.0, i, n_missing, last, code, n)
        add_row(memory, begin + np.int64(keys[i] & np.uint64(ROW_MASK)), n_classes, left, 0)
        last = code


@kernel
def order_categories(memory, low, span, n_classes, channels):
    """List the codes that occur by their mean, where two sums tell it; return how many."""
    width, n = channels + 1, np.int64(0)
    histogram, order, ratios = memory.histogram, memory.order, memory.ratios
    for place in range(span):
        first = place * width
        if histogram[first + channels] == 0.0:
            continue
        ratio = histogram[first + 1] / histogram[first] if n_classes == 0 else 0.0
        slot = n
        while slot > 0 and ratios[slot - 1] > ratio:
            ratios[slot], order[slot] = ratios[slot - 1], order[slot - 1]
            slot -= 1
        ratios[slot], order[slot] = ratio, low + place
        n += 1
    return n


@kernel(apart=True)
def scan_categories(memory, params, total, n, n_missing, low, span, n_classes, channels):
    """Seek the best set of categories: of two classes and of numbers in their order, else one of them."""
    width = channels + 1
    histogram, left, order = memory.histogram, memory.left, memory.order
    n_kinds = order_categories(memory, low, span, n_classes, channels)
    clear(left, channels)
    n_left = np.int64(0)
    for place in range(n_kinds):
        if n_classes > 0:
            clear(left, channels)
            n_left = np.int64(0)
        first = (order[place] - low) * width
        for k in range(channels):
            left[k] += histogram[first + k]
        n_left += np.int64(histogram[first + channels])
        try_split(memory, params, total, place + 1.0, n_left, n_missing, order[place], 0, n)
    if n_classes > 0 and n_missing > 0:
        for k in range(channels):
            left[k] = total[k] - memory.missing[k]
        try_split(memory, params, total, n_kinds + 1.0, n - n_missing, n_missing, 0, 0, n)
    size = np.int64(memory.found[1, SIZE])
    if n_classes > 0 and 0 < size <= n_kinds:
        memory.best_order[0] = order[size - 1]
        memory.found[1, SIZE] = 1.0
    else:
        size = size if size < n_kinds else n_kinds
        memory.found[1, SIZE] = size
        for place in range(size):
            memory.best_order[place] = order[place]


@kernel
def cut_at(columns, first, low, high, threshold):
    """Return the last code, from `low` on and below `high`, whose values lie below a threshold."""
    cut, after = low, high
    while after - cut > 1:
        middle = (cut + after) // 2
        if columns.lower[first + middle] < threshold:
            cut = middle
        else:
            after = middle
    return cut


@kernel
def settled(columns, first, cut, threshold):
    """Return a threshold that parts a code from the next: of bins, the cut between them."""
    edge, next_edge = columns.upper[first + cut], columns.lower[first + cut + 1]
    threshold = edge if threshold <= edge else threshold
    return next_edge if threshold > next_edge else threshold


@kernel(apart=True)
def draw_cut(memory, columns, params, total, first, begin, n, n_missing, state, n_classes):
    """Try one cut between the lowest and the highest value of a node, drawn at random."""
    low, high = memory.bounds[0], memory.bounds[1]
    lowest, highest = np.float64(columns.lower[first + low]), np.float64(columns.upper[first + high])
    drawn = np.float32(lowest + unit(state) * (highest - lowest))
    cut = cut_at(columns, first, low, high, drawn)
    if cut > low and columns.upper[first + cut] - drawn > drawn - columns.lower[first + cut]:
        cut -= 1  # of a bin the nearer edge
    memory.found[1, DRAWN] = drawn
    clear(memory.left, len(total))
    n_left = np.int64(0)
    for i in range(n):
        if np.int64(memory.node_codes[i]) <= cut:
            add_row(memory, begin + i, n_classes, memory.left, 0)
            n_left += 1
    try_split(memory, params, total, 0.0, n_left, n_missing, cut, cut + 1, n)


@kernel
def search_column(memory, columns, params, node, column, total, state):
    """Seek the best split of a node in a column; it is `memory.found[1]`. Return whether there are two codes.

    Parameters
    ----------
    total : ndarray of float64, shape (C,)
        Sums of the node.
    state : int
        A random number, for cuts that are drawn.
    """
    begin, n = memory.nodes[node, BEGIN], memory.nodes[node, END] - memory.nodes[node, BEGIN]
    first = columns.begins[column]
    n_codes = columns.begins[column + 1] - first
    channels, n_classes = len(total), params.n_classes
    memory.found[1, SCORE], memory.found[1, SIZE], memory.found[1, DRAWN] = NO_SPLIT, 0.0, np.nan
    n_missing = fetch_codes(
        columns.codes[column], memory.rows, begin, n, n_codes, memory.node_codes, memory.bounds
    )
    low, span = memory.bounds[0], memory.bounds[1] - memory.bounds[0] + 1
    if n_missing == n or (span == 1 and n_missing == 0):
        return False
    if n_missing > 0:
        clear(memory.missing, channels)
        sum_missing(memory, begin, n, n_codes, n_classes)
    if columns.is_category[column]:
        count_codes(memory, begin, n, low, span, n_codes, n_classes, channels)
        scan_categories(memory, params, total, n, n_missing, low, span, n_classes, channels)
        return True
    if params.draws_cuts and span > 1:
        draw_cut(memory, columns, params, total, first, begin, n, n_missing, state, n_classes)
    elif span * channels <= COUNTED * n:
        count_codes(memory, begin, n, low, span, n_codes, n_classes, channels)
        if n_classes == 0:
            scan_pair_counts(memory, params, total, n, n_missing, low, span)
        else:
            scan_counts(memory, params, total, n, n_missing, low, span, channels)
    elif span > 1:
        keys, n_keys = memory.keys[sorted_keys(memory, n, low, span, n_codes)], n - n_missing
        if n_classes == 0:
            scan_pair_keys(memory, params, total, begin, n, n_missing, low, keys, n_keys)
        else:
            scan_keys(
                memory, params, total, begin, n, n_missing, low, keys, n_keys, n_classes, channels
            )
    if n_missing > 0:
        for k in range(channels):
            memory.left[k] = total[k] - memory.missing[k]
        try_split(memory, params, total, 0.0, n - n_missing, n_missing, memory.bounds[1], n_codes, n)
    return True
