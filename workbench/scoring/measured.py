"""Metrics of predictions, where the table knows the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.classes import label_text
from workbench.data.schema import Feature
from workbench.metrics.base import METRICS, measure
from workbench.objectives.base import OBJECTIVES
from workbench.scoring.feature_cells import FeatureCells

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.readers.chunks import ChunkedTable
    from workbench.data.values.cells import Chunk
    from workbench.formats.model import Model


class MeasuredAnswers:
    """Collects targets and raw predictions: 8 + 4K bytes a row, where the table has the target at all.

    Attributes
    ----------
    name : str or None
        The target's column, where it is there and answers all that the model predicts.
    wanted_names, kept_names : frozenset of str
        It among the columns to be read as values, or as they stand.
    """

    def __init__(self, model: Model, table: ChunkedTable) -> None:
        schema = model.schema
        self._objective = OBJECTIVES.get(model.ensemble.objective).with_params(model.params)
        self._n_classes = len(schema.class_labels)
        fits = self._objective.n_outputs(self._n_classes) == model.ensemble.n_classes
        self.name = schema.target if fits and schema.target in table.names else None
        labels = tuple(map(label_text, schema.class_labels))
        feature = Feature(schema.target, "category" if labels else "number", labels)
        self._cells = FeatureCells(feature, table.rules, table.first_texts.get(schema.target, ()))
        named = frozenset() if self.name is None else frozenset({self.name})
        self.wanted_names, self.kept_names = (frozenset(), named) if labels else (named, frozenset())
        self._targets: list[NDArray[np.float64]] = []
        self._raw: list[NDArray[np.float32]] = []

    @property
    def rows(self) -> int:
        """Rows whose answer is known."""
        return sum(map(len, self._targets))

    def take(self, chunk: Chunk, raw: NDArray[np.float32]) -> None:
        """Take in some rows; those without an answer, or with one that the model does not know, are left."""
        if self.name is None:
            return
        target = self._cells.values_of(chunk, self.name).astype(np.float64)
        known = ~np.isnan(target)
        if self._n_classes:
            known &= target < self._n_classes
        self._targets.append(target[known])
        self._raw.append(raw[known])

    def metrics(self) -> dict[str, float]:
        """Return the objective's metrics, the first one first; none without answers."""
        if not self.rows:
            return {}
        target, raw = np.concatenate(self._targets), np.concatenate(self._raw)
        unread = {"groups", "loss"} if self._objective.lacks() else {"groups"}
        names = (name for name in self._objective.metrics if METRICS.get(name).reads not in unread)
        return {name: measure(METRICS.get(name), self._objective, target, raw) for name in names}
