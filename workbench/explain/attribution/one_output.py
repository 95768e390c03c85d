"""One of the raw predictions of an ensemble, as a model of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.ensembles.ensemble import Ensemble


def one_output(ensemble: Ensemble, output: int) -> Ensemble:
    """Return the trees of one output, by its place; a linear model stays as it is, with all of them."""
    if ensemble.n_classes == 1 or ensemble.is_linear:
        return ensemble
    own = tuple(replace(tree, class_index=0) for tree in ensemble.trees if tree.class_index == output)
    base = ensemble.base_margin[output : output + 1]
    return replace(ensemble, trees=own, n_classes=1, base_margin=base, output_names=())
