"""What each column adds to the rows that are explained, and what another column has to do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from workbench.ensembles.kernel_needs import CONTRIBUTIONS
from workbench.errors import WorkbenchError
from workbench.session.no_trees import NO_TREES

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.explain.attribution.shap_explainer import ShapExplainer
    from workbench.explain.attribution.walks import Weighing
    from workbench.session.explained.rows import ExplainedRows, TakenRows
    from workbench.session.run import Run

    Unknown = Literal["hessian", "rows", "background"]

FEW_ROWS, MOST_ROWS = 300, 10_000
MOST_NUMBERS = 10_000_000  # of all rows and columns
MOST_STEPS = 40_000_000  # trees that rows go down
MOST_WHOLE_STEPS = 400_000_000  # minutes
PIECES = 10  # that all numbers are worked out in
TOO_LONG = "All rows would take too long."
PARTNER_ROWS = 1_000
BACKGROUND_ROWS = 100
ENDS = (0.3, 99.7)  # percentiles between which an axis of them spans
AXIS_COLUMNS = 20
WEIGHED = {
    "hessian": "where a column is not known, nodes weigh by H, as in XGBoost",
    "rows": "where a column is not known, nodes weigh by their rows, as in LightGBM",
    "background": "against {} of the training rows",
    "linear": "β(x − mean), exactly",
}


class ShapFound(NamedTuple):
    """SHAP values of some rows.

    Attributes
    ----------
    asked : ShapAsked
    rows : TakenRows
    shares : ndarray of float64, shape (n, d)
    base : float
    sizes : ndarray of float64, shape (d,)
        Mean of their sizes over the rows.
    order : ndarray of int64, shape (d,)
        The columns, the largest first.
    words : str
        What stands for a column that is not known.
    span : tuple of float
        Least and largest value that an axis shows, of the foremost columns; 0 is within.
    is_whole : bool
        Whether the sizes are the means over all rows, also where `rows` are some of them.
    """

    asked: ShapAsked
    rows: TakenRows
    shares: NDArray[np.float64]
    base: float
    sizes: NDArray[np.float64]
    order: NDArray[np.int64]
    words: str
    span: tuple[float, float]
    is_whole: bool = False

    def with_sizes(self, sizes: NDArray[np.float64]) -> ShapFound:
        """Return the same with the sizes of all rows."""
        order = np.argsort(-sizes, kind="stable")
        return self._replace(sizes=sizes, order=order, is_whole=True)


class ShapAsked(NamedTuple):
    """A run after so many rounds, one of its outputs, rows, and whether few of them will do."""

    run: Run
    round: int
    rows: ExplainedRows
    by: Unknown
    output: int
    few: bool

    @property
    def kernels(self) -> str:
        """Those that it takes."""
        return CONTRIBUTIONS

    def answer(self, cancelled: Callable[[], bool]) -> ShapFound:
        """Work it out, on one thread."""
        made = explainer_of(self.run, self.round, self.by, self.output, self.rows)
        d = made.n_features
        most = min(MOST_ROWS, max(MOST_NUMBERS // d, 50), max(MOST_STEPS // max(made.n_trees, 1), 50))
        taken = self.rows.take(min(FEW_ROWS, most) if self.few else most, cancelled)
        shares = made.explainer.contributions(taken.features, serial=True, cancelled=cancelled)
        own = shares[:, made.place]
        sizes = np.abs(own).mean(axis=0) if len(own) else np.zeros(d)
        order = np.argsort(-sizes, kind="stable")
        drawn = own[:, order[:AXIS_COLUMNS]]
        low, high = np.percentile(drawn, ENDS).tolist() if drawn.size else (0.0, 0.0)
        base, span = float(made.explainer.base[made.place]), (min(low, 0.0), max(high, 0.0))
        return ShapFound(self, taken, own, base, sizes, order, made.words, span)


class WholeSizesAsked(NamedTuple):
    """The mean sizes of the SHAP values of all rows, where that takes minutes at most."""

    run: Run
    round: int
    rows: ExplainedRows
    by: Unknown
    output: int

    @property
    def kernels(self) -> str:
        """Those that it takes."""
        return CONTRIBUTIONS

    def answer(self, cancelled: Callable[[], bool]) -> NDArray[np.float64]:
        """Return them, shape (d,), worked out on one thread."""
        made = explainer_of(self.run, self.round, self.by, self.output, self.rows)
        each = made.n_trees * (BACKGROUND_ROWS if self.by == "background" else 1)
        if self.rows.total * max(each, 1) > MOST_WHOLE_STEPS:
            raise WorkbenchError(TOO_LONG)
        sums, size = np.zeros(made.n_features), max(MOST_NUMBERS // made.n_features // PIECES, 50)
        for piece in self.rows.pieces(size, cancelled):
            shares = made.explainer.contributions(piece, serial=True, cancelled=cancelled)
            sums += np.abs(shares[:, made.place]).sum(axis=0)
        return sums / max(self.rows.total, 1)


class PartnersFound(NamedTuple):
    """How one column interacts with the others.

    Attributes
    ----------
    sizes : ndarray of float64, shape (d,)
        Mean size of the interaction over some rows; 0 for the column itself.
    partner : int
        The column with the strongest one; −1 where there is none.
    """

    sizes: NDArray[np.float64]
    partner: int


class PartnersAsked(NamedTuple):
    """The same, of one column; by what nodes weigh."""

    run: Run
    round: int
    rows: ExplainedRows
    by: Unknown
    output: int
    column: int

    @property
    def kernels(self) -> str:
        """Those that it takes."""
        return CONTRIBUTIONS

    def answer(self, cancelled: Callable[[], bool]) -> PartnersFound:
        """Work it out, on one thread."""
        by: Unknown = "hessian" if self.by == "background" else self.by
        made = explainer_of(self.run, self.round, by, self.output, self.rows)
        most = min(PARTNER_ROWS, max(MOST_NUMBERS // made.n_features, 50),
                   max(MOST_STEPS // max(made.n_trees, 1), 50))
        taken = self.rows.take(most, cancelled)
        sizes = np.abs(made.explainer.partners(taken.features, self.column, cancelled)).mean(axis=0)
        sizes[self.column] = 0.0
        return PartnersFound(sizes, int(sizes.argmax()) if sizes.any() else -1)


class MadeExplainer(NamedTuple):
    """An explainer of one output, at `place` of what it answers, and what stands for unknown columns."""

    explainer: ShapExplainer
    place: int
    n_features: int
    n_trees: int
    beside: int  # trees of the last round
    words: str


def explainer_of(
    run: Run, rounds: int, by: Unknown, output: int, rows: ExplainedRows | None
) -> MadeExplainer:
    """Return what explains one output of a run; where nodes do not tell H, by their rows, and the reverse."""
    from workbench.explain.attribution.one_output import one_output
    from workbench.explain.attribution.shap_explainer import ShapExplainer
    from workbench.explain.attribution.walks import known_weighings

    whole = run.ensemble(rounds)
    if whole is None:
        raise WorkbenchError(NO_TREES)
    output = min(output, whole.n_classes - 1)
    ensemble = one_output(whole, output)
    place = output if ensemble.is_linear else 0
    beside = ensemble.parallel_of(ensemble.rounds) if ensemble.rounds else 0
    sizes = ensemble.n_features, 0 if ensemble.is_linear else len(ensemble.trees), beside
    if by == "background" and rows is not None:
        background = rows.background(BACKGROUND_ROWS)
        words = WEIGHED["background"].format(len(background))
        return MadeExplainer(ShapExplainer(ensemble, background=background), place, *sizes, words)
    if ensemble.is_linear:
        return MadeExplainer(ShapExplainer(ensemble), place, *sizes, WEIGHED["linear"])
    known = known_weighings(ensemble.trees)
    wanted: Weighing = "rows" if by == "rows" else "hessian"
    wanted = wanted if wanted in known or not known else known[0]
    note = "" if wanted == by else f" (the file does not tell their {'H' if by == 'hessian' else 'rows'})"
    return MadeExplainer(ShapExplainer(ensemble, wanted), place, *sizes, WEIGHED[wanted] + note)
