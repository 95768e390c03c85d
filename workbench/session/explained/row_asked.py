"""What another value of a column makes of one row: prediction, contributions, and where it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.ensembles.kernel_needs import CONTRIBUTIONS
from workbench.errors import WorkbenchError, leave_if
from workbench.session.no_trees import NO_TREES

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.explain.attribution.shap_explainer import ShapExplainer
    from workbench.session.run import Run


class RowBook:
    """The rounds of a run that rows are followed through; written by one worker at a time."""

    def __init__(self, run: Run, round: int) -> None:
        self.run, self.round, self.rounds = run, round, run.rounds
        self._explainer: ShapExplainer | None = None

    def is_of(self, run: Run, round: int) -> bool:
        """Whether it tells of these rounds of a run."""
        return self.run is run and self.round == round and self.rounds is run.rounds

    def explainer(self, ensemble: Ensemble) -> ShapExplainer:
        """Return who takes rows apart."""
        from workbench.explain.attribution.shap_explainer import ShapExplainer

        if self._explainer is None:
            self._explainer = ShapExplainer(ensemble)
        return self._explainer


class RowFound(NamedTuple):
    """Two rows: as it is, and with other values.

    Attributes
    ----------
    raw : ndarray of float64, shape (2, K)
    predictions : ndarray of float64, shape (2, K)
    base : ndarray of float64, shape (K,)
        The raw prediction of nothing known.
    contributions : ndarray of float64, shape (2, K, d), or None
        SHAP values; None where the file says nothing of the weight of nodes.
    moved : int
        Trees in which the two rows end in different leaves.
    trees : int
    by : str
        What nodes weigh for `contributions`: "hessian" or "rows"; "" of a linear model.
    """

    raw: NDArray[np.float64]
    predictions: NDArray[np.float64]
    base: NDArray[np.float64]
    contributions: NDArray[np.float64] | None
    moved: int
    trees: int
    by: str = ""


class RowAsked(NamedTuple):
    """A book, and the values of a row as it is and as it might be; bytes of float32, so that they hash."""

    book: RowBook
    own: bytes
    other: bytes
    offset: float = 0.0

    @property
    def run(self) -> Run:
        """Whose rounds the row is followed through."""
        return self.book.run

    def is_like(self, other: RowAsked) -> bool:
        """Whether the same is asked of other rounds of the run."""
        return self.run is other.run and self[1:] == other[1:]

    @property
    def kernels(self) -> str:
        """Those that it takes."""
        return CONTRIBUTIONS

    def answer(self, cancelled: Callable[[], bool]) -> RowFound:
        """Work it out."""
        from workbench.ensembles.prediction import leaf_indices, raw_predictions
        from workbench.explain.attribution.walks import known_weighings
        from workbench.objectives.base import OBJECTIVES

        run = self.book.run
        ensemble = run.ensemble(self.book.round)
        if ensemble is None:
            raise WorkbenchError(NO_TREES)
        rows = np.asfortranarray(np.stack([np.frombuffer(v, np.float32) for v in (self.own, self.other)]))
        offset = np.full(2, self.offset, np.float32)
        raw = np.asarray(raw_predictions(ensemble, rows, serial=True, offset=offset))
        objective = run.own.objective or OBJECTIVES.get(ensemble.objective).with_params(run.params)
        said = np.asarray(objective.transform(raw), np.float64).reshape(2, -1)
        leave_if(cancelled)
        leaves = leaf_indices(ensemble.trees, rows)
        moved = 0 if ensemble.is_linear else int((leaves[0] != leaves[1]).sum())
        base, shares = ensemble.base_margin.astype(np.float64), None
        try:
            explainer = self.book.explainer(ensemble)
        except WorkbenchError:
            pass  # a file that keeps neither H nor rows of its nodes
        else:
            leave_if(cancelled)
            base, shares = explainer.base, explainer.contributions(rows, serial=True)
        sums = raw.astype(np.float64).reshape(2, -1)
        by = "" if ensemble.is_linear else next(iter(known_weighings(ensemble.trees)), "")
        return RowFound(sums, said, base + self.offset, shares, moved, len(ensemble.trees), by)
