"""How much each feature matters to an ensemble, summed over its splits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from workbench.ensembles.impurity.structures import of_ensemble

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble

Measure = Literal["gain", "cover", "count"]


def feature_importance(ensemble: Ensemble, by: Measure = "gain") -> NDArray[np.float64]:
    """Return the importance of every feature, shape (d,), as sums over all splits on it.

    gain: ½[…] − γ of the splits, or what they lower the impurity of the classes by, where trees hold shares:
    the trees of all classes have the same splits there, and each counts once. cover: the hessian H that they
    part. count: how many there are. Of a linear model each is Σ|β| of the feature's standardised columns.
    """
    if ensemble.is_linear:
        return ensemble.linear[-1].importance
    total = np.zeros(ensemble.n_features)
    for tree in of_ensemble(ensemble):
        splits = tree.nodes[~tree.is_leaf]
        amounts = {"gain": splits["gain"], "cover": splits["sum_hessian"], "count": None}[by]
        total += np.bincount(splits["feature"], amounts, minlength=ensemble.n_features)
    return total
