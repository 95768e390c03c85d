"""One round of a run over one or two columns: before it, what it grew, and after it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.ensembles.prediction import raw_predictions
from workbench.ensembles.run.objective import resolve_objective
from workbench.explain.plane.cells import ModelCells, cells_of
from workbench.explain.plane.cuts import Cut, cuts_of
from workbench.objectives.base import gradients

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.ensembles.ensemble import Ensemble
    from workbench.explain.plane.picture_asked import PictureAsked
    from workbench.objectives.base import Objective
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree

MOST_POINTS = 3000
MOST_OTHERS = 40  # rows over which the other columns are averaged


@dataclass(frozen=True, eq=False)
class PlacedRows:
    """Rows of the dataset as the round found them; many are sampled.

    Attributes
    ----------
    rows : ndarray of int64, shape (n,)
        Of the dataset.
    places : ndarray of float32, shape (n, number of columns)
    target : ndarray of float64, shape (n,)
    held_out : ndarray of bool, shape (n,)
    before, after : ndarray of float64, shape (K, n)
        Predictions.
    gradients, hessians : ndarray of float64, shape (K, n)
        Before the round, without weights.
    """

    rows: NDArray[np.int64]
    places: NDArray[np.float32]
    target: NDArray[np.float64]
    held_out: NDArray[np.bool_]
    before: NDArray[np.float64]
    after: NDArray[np.float64]
    gradients: NDArray[np.float64]
    hessians: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, eq=False)
class RoundPicture:
    """What a round looks like.

    Attributes
    ----------
    asked : PictureAsked
    n_classes : int
        Of a classification, 0 of numbers.
    cells : ModelCells
        After the round.
    before : ModelCells or None
        Before it, of one column.
    tree : Tree or None
        None before the first, and of a linear model.
    step : ModelCells or None
        What the tree adds to the raw prediction, of one column.
    cuts : list of Cut
    points : PlacedRows
    wrong, rows : int
        Training rows on the wrong side after the round, of so many; of numbers none.
    """

    asked: PictureAsked
    n_classes: int
    cells: ModelCells
    before: ModelCells | None
    tree: Tree | None
    step: ModelCells | None
    cuts: list[Cut]
    points: PlacedRows
    wrong: int
    rows: int


class PictureOf(NamedTuple):
    """A run as far as pictures of it need it."""

    dataset: Dataset
    ensemble: Ensemble  # after the last of its rounds that is looked at
    params: TrainingParams
    objective: Objective | None = None  # in place of the one that the ensemble names


def round_picture(
    subject: PictureOf, asked: PictureAsked, cancelled: Callable[[], bool] | None = None
) -> RoundPicture:
    """Return what a round looks like; serial, from any thread."""
    data, after = subject.dataset, subject.ensemble.first_rounds(asked.round)
    objective = subject.objective or resolve_objective(after.objective, data).with_params(subject.params)
    before = after.first_rounds(max(asked.round - 1, 0))
    tree = after.trees[len(before.trees) + asked.place] if asked.round and not after.is_linear else None
    others = _others(data, asked)
    is_line, row = len(asked.columns) == 1, None if asked.row is None else data.features[asked.row]

    def cells(ensemble: Ensemble) -> ModelCells:
        return cells_of(ensemble, objective.transform, asked.columns, asked.limits, others, cancelled)

    cuts = list[Cut]()
    if tree is not None and not is_line:
        fixed = row if data.features.shape[1] > 2 else None
        ((left, right), (low, high)), (x, y) = asked.limits, asked.columns
        cuts = cuts_of(tree, x, y, (left, right, low, high), fixed)
    n_classes = len(data.schema.class_labels)
    points = _placed(data, asked, after, objective)
    wrong = _wrong(points, n_classes)
    return RoundPicture(
        asked, n_classes, cells(after), cells(before) if is_line else None, tree,
        _step(tree, before, asked, others) if is_line and tree is not None else None,
        cuts, points, wrong, int((~points.held_out).sum()),
    )


def _step(tree: Tree, before: Ensemble, asked: PictureAsked, others: NDArray[np.float32]) -> ModelCells:
    """Return what one tree adds to the raw prediction, over one column."""
    alone = replace(
        before, trees=(replace(tree, class_index=0),), n_classes=1, n_parallel=1, parallel_by_round=(),
        averages=False, dropouts=(), base_margin=np.zeros(1, before.base_margin.dtype), output_names=(),
    )
    return cells_of(alone, _as_it_is, asked.columns, asked.limits, others)


def _as_it_is(raw: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
    return raw


def _others(data: Dataset, asked: PictureAsked) -> NDArray[np.float32]:
    """Return the rows that tell where the other columns stand: one where there are none."""
    n, d = data.features.shape
    if asked.row is not None:
        return data.features[[asked.row]]
    if d == len(asked.columns):
        return np.zeros((1, d), np.float32)
    train = data.train_rows if len(data.train_rows) else np.arange(n)
    some = np.linspace(0, len(train) - 1, min(MOST_OTHERS, len(train))).astype(np.int64)
    return data.features[train[some]]


def _placed(data: Dataset, asked: PictureAsked, after: Ensemble, objective: Objective) -> PlacedRows:
    rows = np.concatenate([data.train_rows, data.valid_rows])
    rows.sort(kind="stable")  # of two that ascend; `union1d` holds the interpreter lock for a second
    if len(rows) > MOST_POINTS:
        rows = rows[np.linspace(0, len(rows) - 1, MOST_POINTS).astype(np.int64)]
    features = np.asfortranarray(data.features[rows])
    offset = None if data.offset is None else data.offset[rows]
    now, known = (
        np.asarray(raw_predictions(after, features, rounds, serial=True, offset=offset))
        for rounds in (asked.round, max(asked.round - 1, 0))
    )
    target, n = data.target[rows], len(rows)
    if data.groups is None:
        g, h = gradients(objective, target, known)
    else:  # of pairs of rows, which a sample of them does not have
        g = h = np.zeros(known.shape)
    shape = (n, after.n_classes)
    was, says = (np.reshape(objective.transform(raw), shape).T.astype(np.float64) for raw in (known, now))
    return PlacedRows(
        rows, features[:, asked.columns], target, np.isin(rows, data.valid_rows), was, says,
        np.reshape(g, shape).T, np.reshape(h, shape).T,
    )


def _wrong(points: PlacedRows, n_classes: int) -> int:
    if not n_classes:
        return 0
    said = points.after[0] >= 0.5 if len(points.after) == 1 else points.after.argmax(axis=0)
    return int(((said != points.target) & ~points.held_out).sum())
