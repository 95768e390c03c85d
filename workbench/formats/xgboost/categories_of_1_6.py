"""How XGBoost 1.6 takes categories: those beyond the 32-bit words that hold a set go where missing goes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.formats.xgboost.tree_reader import XGBoostTree

WORD = 32  # bits
MOST_ASKED = 1 << 24  # codes in all sets of a model


class Sets1_6:
    """Makes sets of a model's trees that are asked as later versions do, and answer as 1.6 does."""

    def __init__(self) -> None:
        self._asked = 0

    def of(self, parsed: XGBoostTree) -> XGBoostTree:
        """Return the tree with other sets where missing goes with the set, as all codes beyond do then.

        There the codes of these words that are not in the set are asked for, and the sides are exchanged.
        """
        changed = [node for node in parsed.sets if not parsed.default_left[node]]
        self._asked += sum(_end(parsed.sets[node]) for node in changed)
        if self._asked > MOST_ASKED:
            raise WorkbenchError(
                f"The model of XGBoost 1.6 asks for more than {MOST_ASKED:,} categories in all; it cannot be "
                "shown here. Save it with a later XGBoost."
            )
        others = {node: _others(parsed.sets[node]) for node in changed}
        others = {node: codes for node, codes in others.items() if len(codes)}
        nodes = np.array(list(others), np.int64)
        left, right, default_left = parsed.left.copy(), parsed.right.copy(), parsed.default_left.copy()
        left[nodes], right[nodes], default_left[nodes] = parsed.right[nodes], parsed.left[nodes], True
        return replace(
            parsed, left=left, right=right, default_left=default_left, sets={**parsed.sets, **others}
        )


def _end(codes: NDArray[np.int64]) -> int:
    return (int(codes[-1]) // WORD + 1) * WORD


def _others(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the codes in the words of a set that are not in it."""
    return np.setdiff1d(np.arange(_end(codes)), codes)
