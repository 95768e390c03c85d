"""The receipt of an edit: what it changes in loss, Ω, metrics, leaves and predictions, all of it exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.ensembles.prediction import add_to_raw, leaf_indices, raw_predictions
from workbench.ensembles.run.first_predictions import predicted_rows
from workbench.ensembles.run.omega import Omega
from workbench.ensembles.run.setup import RunSetup
from workbench.ensembles.run.training_loss import TrainingLoss
from workbench.errors import leave_if
from workbench.kernels.kernel_arrays import kernel_array

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.ensembles.own_parts import OwnParts
    from workbench.explain.edits.base import Edit, Price
    from workbench.explain.edits.branch import Branch
    from workbench.explain.edits.site import Site
    from workbench.trees.tree import Tree

MOST_MOVES = 20


class Change(NamedTuple):
    """A figure before and after; NaN where it is not known."""

    before: float
    after: float

    @property
    def change(self) -> float:
        """After less before."""
        return self.after - self.before


class Move(NamedTuple):
    """A prediction that moves.

    Attributes
    ----------
    row : int
        Of the dataset.
    is_held_out : bool
    before, after : tuple of float
        After the link; one a class where there are several.
    """

    row: int
    is_held_out: bool
    before: tuple[float, ...]
    after: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Receipt:
    """What an edit changes in the model as it stands after the round, before it is kept.

    Attributes
    ----------
    edit : Edit
    words : str
    tree : Tree
        As it becomes.
    objective, loss, omega : Change
        Loss summed over the training rows, Ω of all trees so far, and both together.
    train, valid : dict of str to Change
        Metrics; `valid` is empty without hold-out rows.
    train_rows, valid_rows : int
        Training and hold-out rows that change leaf: whose way through the tree asks about other columns or
        takes another side.
    moves : tuple of Move
        The predictions that move most, at most 20.
    moved : int
        How many predictions move at all.
    price : Price or None
        Of a weight that was set.
    """

    edit: Edit
    words: str
    tree: Tree
    objective: Change
    loss: Change
    omega: Change
    train: dict[str, Change]
    valid: dict[str, Change]
    train_rows: int
    valid_rows: int
    moves: tuple[Move, ...]
    moved: int
    price: Price | None = None


def receipt_of(
    site: Site, branch: Branch, own: OwnParts, cancelled: Callable[[], bool] | None = None
) -> Receipt:
    """Return the receipt of a branch; serial kernels, from any thread.

    Raises
    ------
    Cancelled
    """
    replay, data = site.replay, site.replay.dataset
    event = replay.rounds[site.run_round - 1]
    setup = RunSetup(data, replay.params.change(threads=1), None, own)
    before = replay.after(site.run_round, cancelled)
    leave_if(cancelled)
    after = _raw_after(site, branch, cancelled)
    measured = _measured(setup, data, after)
    leave_if(cancelled)
    known = (event.loss, event.train, event.valid)
    if not np.isfinite(event.loss):  # of a model that was opened from a file
        known = _measured(setup, data, before)
    omegas = Change(Omega(branch.before).total, Omega(branch.ensemble).total)
    losses = Change(known[0], measured[0])
    leave_if(cancelled)
    train_rows, valid_rows = _changed_leaves(site, branch)
    leave_if(cancelled)
    moves, moved = _moves(site, before, after)
    return Receipt(
        branch.edit, branch.words, branch.tree,
        Change(losses.before + omegas.before, losses.after + omegas.after), losses, omegas,
        _changes(known[1], measured[1]), _changes(known[2], measured[2]),
        train_rows, valid_rows, moves, moved, branch.edit.price(site),
    )  # fmt: skip


def _raw_after(
    site: Site, branch: Branch, cancelled: Callable[[], bool] | None
) -> NDArray[np.float32]:
    """Return the raw predictions of all rows with the edited round, shape (K, N)."""
    replay, data = site.replay, site.replay.dataset
    if replay.rounds[site.run_round - 1].dropout is None:
        raw = replay.after(site.run_round - 1, cancelled).copy()
        add_to_raw(branch.given[0], data.features, raw)
        return raw
    found = raw_predictions(branch.ensemble, data.features, serial=True, offset=data.offset)
    return kernel_array(found.T.reshape(branch.ensemble.n_classes, -1), np.float32)


def _measured(
    setup: RunSetup, data: Dataset, raw: NDArray[np.float32]
) -> tuple[float, dict[str, float], dict[str, float]]:
    """Return loss and metrics, by the code that a run takes them with."""
    train, valid = (
        predicted_rows(setup, data, kernel_array(raw[:, rows], np.float32), rows)
        for rows in (data.train_rows, data.valid_rows)
    )
    loss = TrainingLoss(setup.objective, train, setup.team)
    return loss.total, setup.metrics.on_train(train, loss.mean, loss.measured), setup.metrics.on_valid(valid)


def _changes(before: dict[str, float], after: dict[str, float]) -> dict[str, Change]:
    return {name: Change(before.get(name, float("nan")), value) for name, value in after.items()}


def _changed_leaves(site: Site, branch: Branch) -> tuple[int, int]:
    """Return how many training and hold-out rows change leaf."""
    data, known = site.replay.dataset, {}  # type: ignore[var-annotated]
    old, new = (_ways(tree, known) for tree in (site.tree, branch.tree))
    leaves = leaf_indices((branch.tree,), data.features)[:, 0]
    differs = old[site.grown.leaves] != new[leaves]
    return int(differs[data.train_rows].sum()), int(differs[data.valid_rows].sum())


def _ways(tree: Tree, known: dict[tuple[int, int, int], int]) -> NDArray[np.int64]:
    """Return a number for the way to each node, the same in every tree that asks the same columns."""
    ways = np.zeros(tree.n_nodes, np.int64)
    names = ("parent", "feature", "left")
    parent, feature, left = (tree.nodes[name].tolist() for name in names)
    for node in range(1, tree.n_nodes):
        above = parent[node]
        step = int(ways[above]), feature[above], int(left[above] == node)
        ways[node] = known.setdefault(step, len(known) + 1)
    return ways


def _moves(
    site: Site, before: NDArray[np.float32], after: NDArray[np.float32]
) -> tuple[tuple[Move, ...], int]:
    """Return the predictions that move most, and how many move."""
    data = site.replay.dataset
    is_held_out = np.zeros(len(data.features), np.bool_)
    is_held_out[data.valid_rows] = True
    ours = is_held_out.copy()
    ours[data.train_rows] = True
    rows = np.flatnonzero((before != after).any(axis=0) & ours)
    old, new = (_predictions(site, raw[:, rows]) for raw in (before, after))
    size = np.abs(new - old).max(axis=1, initial=0.0)
    most = np.lexsort((rows, -size))[:MOST_MOVES]
    moves = tuple(
        Move(int(rows[k]), bool(is_held_out[rows[k]]), tuple(old[k].tolist()), tuple(new[k].tolist()))
        for k in most
    )
    return moves, int((size > 0).sum())


def _predictions(site: Site, raw: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return predictions after the link, shape (n, K)."""
    made = site.replay.objective.transform(np.ascontiguousarray(raw[0] if len(raw) == 1 else raw.T))
    return np.asarray(made, np.float64).reshape(raw.shape[1], -1 if raw.size else 1)
