"""Rounds in which no tree had a split any more, and which parameter refused them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.parameters.training import BY_NAME

if TYPE_CHECKING:
    from workbench.session.run import Run

SOONEST = 5  # such rounds in a row before anything is said


class Refusal(NamedTuple):
    """Since which round every tree is one leaf, and what refuses the splits: a parameter, "" for none."""

    since: int
    parameter: str
    value: float

    @property
    def words(self) -> str:
        """One sentence: "γ 0.19 refuses every split since round 60: the trees are single leaves."."""
        what = "No gain is left for a split"
        if self.parameter:
            declared = BY_NAME[self.parameter]
            what = f"{declared.symbol or declared.label} {declared.told(self.value)} refuses every split"
        return f"{what} since round {self.since}: the trees are single leaves."


def refusal(run: Run) -> Refusal | None:
    """Return what refuses splits in the newest rounds of a run, None where they have some, or seek none."""
    if run.is_linear:
        return None
    depth = run.history.column("depth")
    if len(depth) < SOONEST or depth[-SOONEST:].any():
        return None
    split = np.flatnonzero(depth)
    return Refusal(int(split[-1]) + 2 if len(split) else 1, *_behind(run))


def _behind(run: Run) -> tuple[str, float]:
    """Which parameter is behind it: too few hessians for two leaves, γ above any gain, α above any sum."""
    params = run.params_in_force
    hessian = max(float(tree.nodes["sum_hessian"][0]) for tree in run.trees(len(run.rounds)))
    if params.min_child_weight > 0 and hessian < 2 * params.min_child_weight:
        return "min_child_weight", params.min_child_weight
    for name in ("gamma", "reg_alpha"):
        if getattr(params, name) > 0:
            return name, getattr(params, name)
    return "", 0.0
