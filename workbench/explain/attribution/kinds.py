"""The importance of columns by what their splits tell, as XGBoost counts it, and how it came about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from workbench.ensembles.impurity.structures import of_ensemble, rounds_of
from workbench.errors import WorkbenchError, leave_if
from workbench.explain.importance import feature_importance

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.explain.importance import Measure

Kind = Literal["gain", "total_gain", "cover", "total_cover", "count"]
KINDS: dict[str, Measure] = {
    "gain": "gain", "total_gain": "gain", "cover": "cover", "total_cover": "cover", "count": "count",
}
ALIASES = {"weight": "count", "split": "count", "frequency": "count"}
MEANS = ("gain", "cover")


def importance_by(ensemble: Ensemble, kind: str) -> NDArray[np.float64]:
    """Return the importance of every column, shape (d,); 0 for one that no split asks about.

    total_gain, total_cover: sums over the splits on it, of ½[…] − γ and of H. gain, cover: their means over
    these splits. count: how many there are. XGBoost's gain is 2(gain + γ) of this one. Of a linear model
    each is Σ|β| of the column's standardised columns.

    Raises
    ------
    WorkbenchError
        There is no such kind.
    """
    kind = ALIASES.get(kind, kind)
    if kind not in KINDS:
        raise WorkbenchError(
            f"There is no importance by '{kind!s:.60}'. Known: {', '.join(KINDS)}, permutation, out_of_bag."
        )
    total = feature_importance(ensemble, KINDS[kind])
    if kind not in MEANS or ensemble.is_linear:
        return total
    splits = feature_importance(ensemble, "count")
    return np.divide(total, splits, out=np.zeros_like(total), where=splits > 0)


def gain_by_round(
    ensemble: Ensemble, columns: NDArray[np.int64], cancelled: Callable[[], bool] | None = None
) -> NDArray[np.float64]:
    """Return the gain that each round's splits on some columns have, shape (rounds, len(columns))."""
    places = np.full(ensemble.n_features, -1)
    places[columns] = np.arange(len(columns))
    found = np.zeros((ensemble.rounds, len(columns)))
    for number, tree in zip(rounds_of(ensemble).tolist(), of_ensemble(ensemble), strict=True):
        leave_if(cancelled)
        splits = tree.nodes[~tree.is_leaf]
        at = places[splits["feature"]]
        kept = at >= 0
        found[number] += np.bincount(
            at[kept], splits["gain"][kept], minlength=len(columns)
        )
    return found
