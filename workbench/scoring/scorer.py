"""A model put to the rows of a table, some at a time: cells in, columns of predictions out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.classes import label_text
from workbench.data.schema import Feature
from workbench.data.values.cells import Cells
from workbench.data.values.labels import Labels
from workbench.data.values.writing import UNKNOWN
from workbench.ensembles.prediction import raw_predictions
from workbench.errors import WorkbenchError
from workbench.explain.attribution.shap_explainer import ShapExplainer
from workbench.parameters.nearest import nearest
from workbench.scoring.feature_cells import FeatureCells
from workbench.scoring.matching import cell_differences, match_columns
from workbench.scoring.wanted import PREDICTIONS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.readers.chunks import ChunkedTable
    from workbench.data.values.cells import Chunk
    from workbench.formats.model import Model
    from workbench.scoring.matching import TableDifference
    from workbench.scoring.wanted import Wanted

    OutColumn = NDArray[Any] | Cells


class Scorer:
    """Predicts the rows of one table, and counts in what it differs from the model's.

    Attributes
    ----------
    wanted_names, kept_names : frozenset of str
        Columns to be read as values, and as they stand.
    rows : int
        Predicted so far.

    Raises
    ------
    WorkbenchError
        Where the table has none of the model's columns, or no offset; where columns to be kept are not
        there; where rows cannot be explained.
    """

    def __init__(
        self, model: Model, table: ChunkedTable, wanted: Wanted = PREDICTIONS, *, serial: bool = False
    ) -> None:
        self._model, self._wanted, self._serial = model, wanted, serial
        schema = model.schema
        self._match = match_columns(schema, table.names, table.name)
        self._features = [self._cells_of(feature, table) for feature in schema.features]
        self._offset = self._cells_of(Feature(schema.offset, "number"), table) if schema.offset else None
        self._kept = table.names if wanted.kept is None else wanted.kept
        unknown = next((name for name in self._kept if name not in table.names), None)
        if unknown is not None:
            known = nearest(unknown, table.names)
            raise WorkbenchError(f"There is no column '{unknown}' to keep in '{table.name}'. {known}.")
        self._explainer = ShapExplainer(model.ensemble) if wanted.explained else None
        self._labels = tuple(label_text(label) for label in schema.class_labels)
        offset = () if schema.offset is None else (schema.offset,)
        labelled = {column.feature.name for column in self._features if column.reads_labels}
        labels = {found for name, found in self._match.found.items() if name in labelled}
        self.wanted_names = frozenset((*self._match.found.values(), *offset)) - labels
        self.kept_names = frozenset(self._kept) | labels
        self.rows = 0

    def _cells_of(self, feature: Feature, table: ChunkedTable) -> FeatureCells:
        name = self._match.found.get(feature.name, feature.name)
        return FeatureCells(
            feature, table.rules, table.first_texts.get(name, ()), table.writings.get(name, UNKNOWN)
        )

    def differences(self) -> list[TableDifference]:
        """Say in what the rows so far were not as the model knows them."""
        of_doubles = self._model.ensemble.adds_doubles
        return [*self.of_columns(), *cell_differences(self._features, of_doubles=of_doubles)]

    def of_columns(self) -> list[TableDifference]:
        """Say which whole columns are not as the model knows them."""
        return self._match.differences()

    def cells(self) -> tuple[FeatureCells, ...]:
        """Return what the cells were so far, by column of the model, without the texts at hand."""
        for column in self._features:
            column.forget_texts()
        return tuple(self._features)

    def features(self, chunk: Chunk) -> NDArray[np.float32]:
        """Return the matrix that the trees read, shape (n, d); a column that is not there is missing."""
        matrix = np.full((chunk.n_rows, len(self._features)), np.nan, np.float32, order="F")
        for place, column in enumerate(self._features):
            if (name := self._match.found.get(column.feature.name)) is not None:
                matrix[:, place] = column.values_of(chunk, name)
        self.rows += chunk.n_rows
        return matrix

    def columns(self, chunk: Chunk) -> tuple[dict[str, OutColumn], NDArray[np.float32]]:
        """Return the columns to be written, and the raw predictions, shape (n,) or (n, K)."""
        features, offset = self.features(chunk), self.offset(chunk)
        raw = raw_predictions(self._model.ensemble, features, serial=self._serial, offset=offset)
        out: dict[str, OutColumn] = {}
        if self._wanted.row_numbers:
            out["row"] = np.arange(chunk.first_row + 1, chunk.first_row + chunk.n_rows + 1)
        out |= {name: chunk.kept[name] for name in self._kept}
        made = self._predicted(raw)
        if self._wanted.raw:
            made |= self._by_output("raw", raw)
        if self._explainer is not None:
            made |= self._explained(self._explainer, features, offset)
        for name, values in made.items():
            out[_free(name, out)] = values
        return out, raw

    def offset(self, chunk: Chunk) -> NDArray[np.float32] | None:
        """Return the offset of some rows, where the model has one."""
        if self._offset is None:
            return None
        name = self._offset.feature.name
        values = self._offset.values_of(chunk, name)
        if np.isnan(values).any():
            row = chunk.first_row + int(np.argmax(np.isnan(values))) + 1
            raise WorkbenchError(f"The offset '{name}' is no number in row {row:,}. Correct it.")
        return values

    def _predicted(self, raw: NDArray[np.float32]) -> dict[str, OutColumn]:
        predicted = self._model.transform(raw)
        if not self._labels:
            return self._by_output("prediction", predicted)
        chosen = Cells(labels=Labels(self._labels, self._model.classes_of(predicted)))
        if self._model.predicts_log_odds:
            return {"prediction": chosen, f"log_odds_{self._labels[1]}": predicted}
        by_class = predicted.T if predicted.ndim > 1 else (1 - predicted, predicted)
        shares = {f"probability_{k}": p for k, p in zip(self._labels, by_class, strict=True)}
        return {"prediction": chosen, **shares}

    def _output_names(self) -> tuple[str, ...]:
        """Return what the raw predictions of a row are for; nothing where it has one."""
        ensemble = self._model.ensemble
        if ensemble.n_classes == 1:
            return ()
        return self._labels or tuple(name.replace(" ", "_") for name in ensemble.output_names)

    def _by_output(self, word: str, values: NDArray[np.float32]) -> dict[str, OutColumn]:
        if values.ndim == 1:
            return {word: values}
        head = "" if word == "prediction" else f"{word}_"
        return {f"{head}{k}": v for k, v in zip(self._output_names(), values.T, strict=True)}

    def _explained(
        self, explainer: ShapExplainer, features: NDArray[np.float32], offset: NDArray[np.float32] | None
    ) -> dict[str, OutColumn]:
        shares = explainer.contributions(features, serial=self._serial).astype(np.float32)
        base = np.tile(explainer.base, (len(features), 1))
        if offset is not None:
            base += offset[:, None]
        out: dict[str, OutColumn] = {}
        for k, label in enumerate(self._output_names() or ("",)):
            mark = f"_{label}" if label else ""
            out[f"base{mark}"] = base[:, k].astype(np.float32)
            for place, name in enumerate(self._model.schema.names):
                out[f"contribution{mark}_{name}"] = shares[:, k, place]
        return out


def _free(name: str, taken: dict[str, OutColumn]) -> str:
    """Return a name that no kept column has."""
    while name in taken:
        name += "_"
    return name
