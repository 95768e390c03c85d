"""What a run reports of the model so far, as events: before its first round, and after each."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from workbench.ensembles.events import RoundFinished, TrainingStarted
from workbench.ensembles.impurity.structures import of_round

if TYPE_CHECKING:
    from workbench.ensembles.dropout import Dropout
    from workbench.ensembles.run.begun import RunBegun
    from workbench.ensembles.run.setup import RunSetup
    from workbench.ensembles.run.training_loss import TrainingLoss
    from workbench.ensembles.run.watch import MetricWatch
    from workbench.linear.part import LinearPart
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree


class Cost(Protocol):
    """What a model costs beside its loss: Ω and its two parts."""

    of_leaves: float
    of_weights: float

    @property
    def total(self) -> float:
        """Sum of both parts."""


def started(
    setup: RunSetup, begun: RunBegun, loss: TrainingLoss, watch: MetricWatch, note: str = ""
) -> TrainingStarted:
    """Return what is told before the first round."""
    metrics = setup.metrics
    return TrainingStarted(
        ensemble=begun.ensemble,
        params=setup.params,
        metrics=metrics.names,
        watched=metrics.watched,
        n_train=len(begun.rows.train),
        n_valid=len(begun.rows.valid),
        initial_train=watch.train,
        initial_valid=watch.valid,
        initial_loss=loss.total,
        threads=setup.team.parts,
        own_metrics=metrics.own_facts,
        notes=(note,) if note else (),
    )


class RoundReports:
    """Reads the loss, Ω and the metrics of a run after each round.

    Parameters
    ----------
    loss : TrainingLoss
    omega : Cost
    watch : MetricWatch
    """

    def __init__(self, loss: TrainingLoss, omega: Cost, watch: MetricWatch) -> None:
        self._loss, self._omega, self._watch = loss, omega, watch

    def finished(
        self,
        number: int,
        trees: tuple[Tree, ...],
        params: TrainingParams,
        delivered: float,
        began: float,
        dropout: Dropout | None = None,
        extras: dict[str, float] | None = None,
        linear: LinearPart | None = None,
        promised: float | None = None,
    ) -> RoundFinished:
        """Return what is told of a round.

        Parameters
        ----------
        delivered : float
            The change of the loss.
        began : float
            When the round began, by `perf_counter`.
        extras : dict of str to float, optional
            Figures that only the training method has.
        promised : float, optional
            The change of the loss by its second-order model, where it does not follow from the trees.
        """
        own = of_round(trees, params)
        return RoundFinished(
            round=number,
            trees=trees,
            train=self._watch.train,
            valid=self._watch.valid,
            loss=self._loss.total,
            omega=self._omega.total,
            omega_leaves=self._omega.of_leaves,
            omega_weights=self._omega.of_weights,
            structure_score=sum(t.structure_score for t in trees),
            gain=sum(t.figures.gain for t in own),
            leaves=sum(t.figures.leaves for t in own),
            depth=max(t.figures.depth for t in trees),
            promised=sum(t.figures.promised for t in trees) if promised is None else promised,
            delivered=delivered,
            params=params,
            seconds=perf_counter() - began,
            best_round=self._watch.best_round,
            dropout=dropout,
            extras=extras or {},
            linear=linear,
        )
