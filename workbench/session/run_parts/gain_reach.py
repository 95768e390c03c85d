"""How large γ can become before it leaves no split: the end of its slider."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from workbench.session.run import Run

FIRST_NODES = 1000  # of a tree, among which its largest gain lies


def gain_reach(run: Run | None) -> float | None:
    """Return the largest gain of the first round's splits, γ not taken off; None where it has none."""
    if run is None or not run.rounds or run.is_linear:
        return None
    grown = [(tree.nodes[:FIRST_NODES], tree.gamma) for tree in run.trees(1)]
    gains = np.concatenate([nodes["gain"] + gamma for nodes, gamma in grown])
    is_split = np.concatenate([nodes["feature"] for nodes, _ in grown]) >= 0
    found = gains[is_split & np.isfinite(gains)]
    return max(float(found.max()), 0.0) if len(found) else None
