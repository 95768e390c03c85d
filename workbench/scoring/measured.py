"""What predictions are worth, where the table knows the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.classes import label_text
from workbench.data.schema import Feature
from workbench.errors import WorkbenchError
from workbench.explain.evaluator import Evaluator
from workbench.formats.seen_rows import PredictedAnswers, evaluated
from workbench.objectives.base import OBJECTIVES
from workbench.parameters.nearest import nearest
from workbench.scoring.feature_cells import FeatureCells

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from workbench.data.readers.chunks import ChunkedTable
    from workbench.data.values.cells import Chunk
    from workbench.explain.evaluation import Evaluation
    from workbench.formats.model import Model

MOST_VALUES = 1000  # of a column by which rows are evaluated apart


class MeasuredAnswers:
    """Collects targets and raw predictions: 8 + 4K bytes a row, where the table has the target at all.

    Weights, queries, and the values of a column `by` which rows are evaluated apart go with them.

    Attributes
    ----------
    name : str or None
        The target's column, where it is there and answers all that the model predicts.
    wanted_names, kept_names : frozenset of str
        It among the columns to be read as values, or as they stand.
    """

    def __init__(
        self, model: Model, table: ChunkedTable, by: str | None = None, metrics: Sequence[str] = ()
    ) -> None:
        schema, name = model.schema, model.ensemble.objective
        self._model = model
        self._evaluator = Evaluator(name, model.params, schema.class_labels, metrics)
        n_outputs = OBJECTIVES.get(name).with_params(model.params).n_outputs(len(schema.class_labels))
        fits = n_outputs == model.ensemble.n_classes
        self.name = schema.target if fits and schema.target in table.names else None
        labels = tuple(map(label_text, schema.class_labels))
        feature = Feature(schema.target, "category" if labels else "number", labels)
        self._cells = FeatureCells(feature, table.rules, table.first_texts.get(schema.target, ()))
        named = frozenset() if self.name is None else frozenset({self.name})
        self._weight = schema.weight_column if schema.weight_column in table.names else None
        self._weights = FeatureCells(Feature(self._weight or "", "number"), table.rules)
        self._groups = _Texts(schema.group if schema.group in table.names else None)
        if by is not None and by not in table.names:
            raise WorkbenchError(f"There is no column '{by}' in '{table.name}'. {nearest(by, table.names)}.")
        self._by = _Texts(by)
        numbers = frozenset(filter(None, (self._weight,)))
        texts = frozenset(filter(None, (self._groups.name, self._by.name)))
        self.wanted_names, self.kept_names = (
            (numbers, named | texts) if labels else (named | numbers, texts)
        )
        self._targets: list[NDArray[np.float64]] = []
        self._raw: list[NDArray[np.float32]] = []
        self._given_weights: list[NDArray[np.float64]] = []

    @property
    def rows(self) -> int:
        """Rows whose answer is known."""
        return sum(int((~np.isnan(target)).sum()) for target in self._targets)

    def take(self, chunk: Chunk, raw: NDArray[np.float32]) -> None:
        """Take in some rows."""
        if self.name is None:
            return
        self._targets.append(self._cells.values_of(chunk, self.name).astype(np.float64))
        self._raw.append(raw)
        if self._weight is not None:
            self._given_weights.append(np.nan_to_num(self._weights.values_of(chunk, self._weight)))
        for texts in (self._groups, self._by):
            texts.take(chunk)

    def columns(
        self,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64] | None, NDArray[np.int64] | None]:
        """Return targets, and weights and queries where the model has them."""
        weight = np.concatenate(self._given_weights).astype(np.float64) if self._given_weights else None
        groups = self._groups.codes if self._groups.name is not None else None
        return np.concatenate(self._targets), weight, groups

    def evaluation(self, path: str | Path) -> Evaluation | None:
        """Return what the predictions are worth on the rows with an answer that the model knows.

        None where there is none. The file at `path` is read again where a column tells which rows trained.
        """
        if not self.rows:
            return None
        target, weight, groups = self.columns()
        rows = PredictedAnswers(target, np.concatenate(self._raw), weight, groups, self._by.rows())
        return evaluated(self._model, self._evaluator, rows, None, lambda: self._model.held_out(path))


class _Texts:
    """The text of a column's cells, as codes; None for no column."""

    def __init__(self, name: str | None) -> None:
        self.name = name
        self._codes: dict[str, int] = {}
        self._chunks: list[NDArray[np.int64]] = []

    def take(self, chunk: Chunk) -> None:
        """Take in some rows."""
        if self.name is not None:
            known = self._codes
            codes = [known.setdefault(text, len(known)) for text in chunk.kept[self.name].texts()]
            self._chunks.append(np.array(codes, np.int64))

    @property
    def codes(self) -> NDArray[np.int64]:
        """Of all rows."""
        return np.concatenate(self._chunks)

    def rows(self) -> dict[str, NDArray[np.int64]]:
        """Return the rows of each text, those of numbers in their order."""
        if self.name is None:
            return {}
        if len(self._codes) > MOST_VALUES:
            raise WorkbenchError(
                f"'{self.name}' has {len(self._codes):,} values, and {MOST_VALUES:,} can be told apart. "
                "Choose another column."
            )
        codes = self.codes
        return {text or "missing": np.flatnonzero(codes == code) for text, code in sorted(
            self._codes.items(), key=lambda item: _order(item[0]))}  # fmt: skip


def _order(text: str) -> tuple[float, str]:
    try:
        return float(text), text
    except ValueError:
        return np.inf, text
