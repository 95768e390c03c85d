"""How much the columns matter to a run, by every kind of importance, and how that came about."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.errors import WorkbenchError, leave_if
from workbench.number_text import count
from workbench.parameters.methods import AVERAGED
from workbench.session.no_trees import NO_TREES

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.session.run import Run

OUT_OF_BAG = "out_of_bag"
MOST_PERMUTED = 150_000_000  # rows · columns · trees, some seconds
TOO_MANY = (
    "Permuted out of bag is left out: rows × columns × trees are {}, and more than {} would take minutes."
)
MOST_LINES = 5  # columns that are followed over rounds


class ImportanceFound(NamedTuple):
    """Figures of all columns, and of the foremost ones how they grew.

    Attributes
    ----------
    kinds : dict of str to ndarray of float64, shape (d,)
        NaN where the file does not tell them.
    foremost : ndarray of int64, shape (m,)
        The columns with the largest total gain, or count where the gain is unknown.
    grown : ndarray of float64, shape (rounds, m)
        Their total gain after each round, as a share of that of all columns.
    left_out : str
        What else could be told of such a run, and why it is not; "" where all is told.
    """

    kinds: dict[str, NDArray[np.float64]]
    foremost: NDArray[np.int64]
    grown: NDArray[np.float64]
    left_out: str = ""


class ImportanceAsked(NamedTuple):
    """A run, and how many of its rounds; of very many rows no column is permuted out of bag."""

    run: Run
    round: int
    has_ended: bool = True  # only then columns are permuted out of bag

    def answer(self, cancelled: Callable[[], bool]) -> ImportanceFound:
        """Work it out: it loops over all trees."""
        from workbench.ensembles.impurity.structures import of_ensemble, rounds_of
        from workbench.explain.attribution.kinds import KINDS, gain_by_round, importance_by

        ensemble = self.run.ensemble(self.round)
        if ensemble is None:
            raise WorkbenchError(NO_TREES)
        kinds = {}
        for kind in KINDS:
            leave_if(cancelled)
            kinds[kind] = importance_by(ensemble, kind)
        left_out = ""
        if self._leaves_rows_out:
            if self._cells <= MOST_PERMUTED:
                kinds[OUT_OF_BAG] = self._out_of_bag(ensemble, cancelled)
            else:
                left_out = TOO_MANY.format(count(self._cells), count(MOST_PERMUTED))
        total = kinds["total_gain"]
        ranked = total if np.isfinite(total).all() else kinds["count"]
        foremost = np.argsort(-ranked, kind="stable")[:MOST_LINES]
        foremost = foremost[ranked[foremost] > 0]
        if ensemble.is_linear or ranked is not total:
            return ImportanceFound(kinds, foremost, np.empty((0, len(foremost))), left_out)
        trees = of_ensemble(ensemble)
        every = np.array([tree.nodes["gain"][~tree.is_leaf].sum(dtype=np.float64) for tree in trees])
        whole = np.bincount(rounds_of(ensemble), every, ensemble.rounds).cumsum()
        parts = gain_by_round(ensemble, foremost, cancelled).cumsum(axis=0)
        grown = np.divide(parts, whole[:, None], out=np.zeros_like(parts), where=whole[:, None] > 0)
        return ImportanceFound(kinds, foremost, grown, left_out)

    @property
    def _leaves_rows_out(self) -> bool:
        run = self.run
        draws = run.params.bootstrap or run.params.subsample < 1.0
        return run.dataset is not None and self.has_ended and run.params.method in AVERAGED and draws

    @property
    def _cells(self) -> int:
        """Rows · columns · trees of what would be permuted."""
        data = self.run.dataset
        return 0 if data is None else len(data.train_rows) * data.features.shape[1] * self.round

    def _out_of_bag(self, ensemble: Ensemble, cancelled: Callable[[], bool]) -> NDArray[np.float64]:
        from workbench.explain.out_of_bag import permuted_importance

        assert self.run.dataset is not None
        return permuted_importance(self.run.dataset, ensemble, self.run.params, cancelled).rise
