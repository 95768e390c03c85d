"""What the search of a node found: a row a column, its fields by number."""

from __future__ import annotations

from workbench.kernels.kernel import kernel

# Fields of what was found for a node and column.
SCORE, BIN, MISSING_LEFT, MIDDLE = range(4)  # the last where a tree is restrained
N_FOUND = 4


@kernel
def best_column(found):
    """Return the position of the column with the highest score, the first of equals."""
    best = 0
    for item in range(1, len(found)):
        if found[item, SCORE] > found[best, SCORE]:
            best = item
    return best
