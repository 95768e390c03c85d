"""What is known of the rows of a run: where they are, how they were encoded, and how many they are."""

from __future__ import annotations

from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING

from workbench.session.opening.elsewhere import ROWS_THERE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.data.dataset import Dataset
    from workbench.data.schema import DataSchema
    from workbench.data.table import Kind
    from workbench.ensembles.events import TrainingStarted
    from workbench.explain.compared_node import NodeSource
    from workbench.session.plan import Plan

OTHER_ROWS = "The rows that it was trained on are not here: its table is not found, or holds others now."


class RowsOfRun:
    """The rows that a run trains on and holds out.

    Attributes
    ----------
    dataset : Dataset or None
        The encoded rows; None until they are, for a model that was opened from a file, and where they are
        elsewhere.
    there : NodeSource or None
        Where its rows are, if not here.
    shown_rows : Dataset or None
        Of a table whose rows are elsewhere, those that were shown here as the run began.
    schema : DataSchema or None
        Known with the dataset, or from the model's file.
    plan : Plan or None
        By which its rows were encoded; None for a model that was opened from a file.
    kinds : mapping of str to Kind
        Those of columns that the person changed before it was begun.
    started : TrainingStarted or None
        Which tells how many train.
    """

    def __init__(self) -> None:
        self.dataset: Dataset | None = None
        self.there: NodeSource | None = None
        self.shown_rows: Dataset | None = None
        self.schema: DataSchema | None = None
        self.plan: Plan | None = None
        self.kinds: Mapping[str, Kind] = {}
        self.started: TrainingStarted | None = None

    def take_rows(self, other: RowsOfRun) -> None:
        """Stand on the rows of another run."""
        self.dataset, self.there, self.shown_rows = other.dataset, other.there, other.shown_rows
        self.schema, self.plan, self.kinds = other.schema, other.plan, other.kinds

    def no_rows(self, of_file: str) -> str:
        """Return why its rows are not here; `of_file` where it is a model from a file without them."""
        if self.there is not None:
            return ROWS_THERE
        return of_file if self.plan is None else OTHER_ROWS

    @property
    def has_rows(self) -> bool:
        """Whether its nodes can be asked about: their rows are here, or elsewhere."""
        return self.dataset is not None or self.there is not None

    @property
    def known_rows(self) -> Dataset | None:
        """The rows here that can be followed through its trees: all of them, or those that are shown."""
        return self.shown_rows if self.dataset is None else self.dataset

    @cached_property
    def train_weight(self) -> float:
        """Sum of the training rows' weights; their number where there are none."""
        if self.dataset is not None and self.dataset.weight is not None:
            return float(self.dataset.weight[self.dataset.train_rows].sum())
        if self.there is not None and isfinite(self.there.train_weight):
            return self.there.train_weight
        return float(self.started.n_train) if self.started else 0.0
