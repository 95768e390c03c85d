"""The SHAP values of one row by their definition, beside those of the fast way."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.ensembles.kernel_needs import CONTRIBUTIONS
from workbench.errors import WorkbenchError
from workbench.session.no_trees import LINEAR, NO_TREES

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.session.explained.rows import ExplainedRows
    from workbench.session.explained.shap_asked import Unknown
    from workbench.session.run import Run

NO_WEIGHTS = "The model's file says neither H nor the number of rows of its nodes."
NONE_SMALL = "Every tree asks more than {} columns, whose sets are too many to try. Grow shallower trees."


class Checked(NamedTuple):
    """Both, of the trees that could be checked.

    Attributes
    ----------
    row : int
        Of the table.
    brute, fast : ndarray of float64, shape (d,)
    brute_base, fast_base : float
    n_checked, n_trees, sets : int
    by : str
    """

    row: int
    brute: NDArray[np.float64]
    fast: NDArray[np.float64]
    brute_base: float
    fast_base: float
    n_checked: int
    n_trees: int
    sets: int
    by: str


class CheckAsked(NamedTuple):
    """A run after so many rounds, one of its outputs, and a row."""

    run: Run
    round: int
    rows: ExplainedRows
    by: Unknown
    output: int
    row: int | None

    @property
    def kernels(self) -> str:
        """Those that it takes."""
        return CONTRIBUTIONS

    def answer(self, cancelled: Callable[[], bool]) -> Checked:
        """Work it out, tree by tree."""
        from workbench.explain.attribution.brute_force import MOST_COLUMNS, brute_force
        from workbench.explain.attribution.one_output import one_output
        from workbench.explain.attribution.shap_explainer import ShapExplainer
        from workbench.explain.attribution.walks import known_weighings

        whole = self.run.ensemble(self.round)
        if whole is None:
            raise WorkbenchError(NO_TREES)
        if whole.is_linear:
            raise WorkbenchError(LINEAR)
        ensemble = one_output(whole, min(self.output, whole.n_classes - 1)).folded()
        known = known_weighings(ensemble.trees)
        if not known:
            raise WorkbenchError(NO_WEIGHTS)
        by = next((name for name in known if name == self.by), known[0])
        one = self.rows.one(self.row)
        slow = brute_force(ensemble, one.features[0], by, cancelled)
        if not slow.checked:
            raise WorkbenchError(NONE_SMALL.format(MOST_COLUMNS))
        trees = tuple(ensemble.trees[place] for place in slow.checked)
        nothing = np.zeros(1, ensemble.base_margin.dtype)
        some = replace(ensemble, trees=trees, n_parallel=1, parallel_by_round=(), base_margin=nothing)
        fast = ShapExplainer(some, by)
        values = fast.contributions(one.features, serial=True)[0, 0]
        return Checked(
            int(one.table_rows[0]), slow.values, values, slow.base, float(fast.base[0]), len(trees),
            len(ensemble.trees), slow.sets, by,
        )
