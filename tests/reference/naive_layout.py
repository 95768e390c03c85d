"""The tidy drawing from its definition: subtrees pushed apart until no two boxes of a level are near."""

from __future__ import annotations

import numpy as np


def naive_places(left, is_split, gap_of):
    """Return x by node, the root at 0; `gap_of(splits)` is the least distance of two neighbours."""
    x = np.zeros(len(left))

    def place(node):
        """Return {node: place beside this one} of everything below, by level."""
        if left[node] < 0:
            return [{node: 0.0}]
        parts = [place(left[node]), place(left[node] + 1)]
        apart = max(
            a - b + gap_of(int(is_split[i]) + int(is_split[j]))
            for one, other in zip(*parts, strict=False)
            for i, a in one.items()
            for j, b in other.items()
        )
        levels = [{} for _ in range(max(map(len, parts)))]
        for part, shift in zip(parts, (-apart / 2, apart / 2), strict=True):
            for level, below in zip(levels, part, strict=False):
                level.update({i: value + shift for i, value in below.items()})
        return [{node: 0.0}, *levels]

    for level in place(0):
        for node, value in level.items():
            x[node] = value
    return x
