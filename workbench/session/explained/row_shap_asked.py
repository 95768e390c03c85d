"""What each column adds to one row, in all and round by round."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.ensembles.kernel_needs import CONTRIBUTIONS
from workbench.session.explained.shap_asked import explainer_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.session.explained.rows import ExplainedRows
    from workbench.session.explained.shap_asked import Unknown
    from workbench.session.run import Run


class RowShares(NamedTuple):
    """One row, explained.

    Attributes
    ----------
    row : int
        Of the table.
    values : ndarray of float32, shape (d,)
    total : ndarray of float64, shape (d + 1,)
        The last is the base.
    by_round : ndarray of float64, shape (rounds + 1, d + 1), or None
        From the base before the first round; None for a linear model.
    of_trees : ndarray of float64, shape (trees, d + 1)
        Each tree of the last round; empty where the round has one.
    words : str
    """

    row: int
    values: NDArray[np.float32]
    total: NDArray[np.float64]
    by_round: NDArray[np.float64] | None
    of_trees: NDArray[np.float64]
    words: str

    @property
    def raw(self) -> float:
        """The raw prediction."""
        return float(self.total.sum())


class RowShapAsked(NamedTuple):
    """A run after so many rounds, one of its outputs, and a row of the table or the first of the rows."""

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

    def answer(self, cancelled: Callable[[], bool]) -> RowShares:
        """Work it out, on one thread."""
        made = explainer_of(self.run, self.round, self.by, self.output, self.rows)
        one = self.rows.one(self.row)
        of_trees, parts = np.empty((0, made.n_features + 1)), None
        if made.beside > 1:
            rounds, trees = made.explainer.by_round_and_last_trees(
                one.features, serial=True, cancelled=cancelled
            )
            of_trees, parts = trees[0], rounds[0, :, made.place]
        elif made.n_trees:
            parts = made.explainer.by_round(one.features, serial=True, cancelled=cancelled)[0, :, made.place]
        if parts is None:
            shares = made.explainer.contributions(one.features, serial=True)[0, made.place]
            total = np.append(shares, made.explainer.base[made.place])
        else:
            total = parts.sum(axis=0)
        if one.offset is not None:
            total[-1] += one.offset[0]
            if parts is not None:
                parts[0, -1] += one.offset[0]
        return RowShares(int(one.table_rows[0]), one.features[0], total, parts, of_trees, made.words)
