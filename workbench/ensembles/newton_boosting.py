"""Gradient boosting by Newton steps: each round fits trees to gradients and hessians of the loss."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.base import TRAINERS
from workbench.ensembles.class_weights import class_weights, counting, row_weights
from workbench.ensembles.control import RunControl
from workbench.ensembles.dart import Dart, is_dart
from workbench.ensembles.dropout import omega_of_weights
from workbench.ensembles.early_stopping import BestRound
from workbench.ensembles.ensemble import Ensemble
from workbench.ensembles.evaluation import Scoreboard, ScoredRows
from workbench.ensembles.events import (
    EndReason,
    RoundFinished,
    TrainingEnded,
    TrainingPaused,
    TrainingStarted,
)
from workbench.ensembles.least_gain import gradients_at, least_gain, whole_gain
from workbench.ensembles.outset import Outset, outweighed_note, unsplit_note
from workbench.ensembles.own_parts import NOTHING_OWN
from workbench.ensembles.prediction import leaf_indices, raw_predictions
from workbench.ensembles.run_setup import (
    base_of,
    check_base,
    check_continues,
    check_roles,
    check_target,
    check_trees_to_grow,
    resolve_objective,
)
from workbench.ensembles.sampling import Sample, counted_rows, draw_rows
from workbench.ensembles.searched_leaves import SearchedLeaves
from workbench.ensembles.single_precision import precision_note
from workbench.ensembles.tree_plan import draw_sample, growing_params, plan_tree
from workbench.ensembles.tree_rules import ColumnChoices
from workbench.errors import Cancelled, WorkbenchError
from workbench.kernels.kernel_arrays import kernel_array
from workbench.mapped import rows_beside
from workbench.parameters.clashes import check_together
from workbench.parameters.training import PARAMETERS
from workbench.threads.parallel import thread_count
from workbench.threads.row_blocks import block_of_ones, weights_or_ones
from workbench.threads.team import Team
from workbench.trees.finished_tree import with_more_rows
from workbench.trees.tree_method import TREE_METHODS, RunRows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.ensembles.dropout import Dropout
    from workbench.ensembles.events import Event
    from workbench.ensembles.own_parts import OwnParts
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree


@TRAINERS.register
class NewtonBoosting:
    """One run of boosting on a dataset.

    Parameters
    ----------
    dataset : Dataset
    params : TrainingParams
    control : RunControl, optional
        The reins; without them the run goes through to its end.
    start : Ensemble, optional
        What is grown on: its trees stay, and more follow until there are `rounds`.
    own : OwnParts, optional
        An objective in place of the one that the parameters name; metrics that they may name.
    best : tuple of int and float, optional
        Best round of `start`, and its watched metric.
    """

    name = "newton"

    def __init__(
        self,
        dataset: Dataset,
        params: TrainingParams,
        control: RunControl | None = None,
        start: Ensemble | None = None,
        own: OwnParts = NOTHING_OWN,
        best: tuple[int, float] | None = None,
    ) -> None:
        self._dataset = dataset
        self._params = params
        self._control = control or RunControl()
        self._is_steered = control is not None
        self._own, self._own_names = own, tuple(metric.name for metric in own.metrics)
        self._objective = own.objective or resolve_objective(params.objective, dataset).with_params(params)
        own.check_names(params)
        check_together(params.change(objective=self._objective.name), self._own_names)
        self._classes = self._objective.n_outputs(len(dataset.schema.class_labels))
        self._start = None if start is None else start.in_single()
        self._best_of_start = best
        self._first = start.rounds if start else 0
        self._has_split = False
        self._losses = np.empty(0)  # of single rows, where rounds draw some
        if start:
            check_continues(start, self._objective.name, len(dataset.schema.features), self._classes, params)
        self._method = TREE_METHODS.get(params.tree_method)
        n_rows = len(dataset.train_rows)
        cells = n_rows * dataset.features.shape[1]
        self._team = Team(thread_count(params.threads, cells, self._method.least_cells), n_rows)
        self._accept()

    def rounds(self) -> Iterator[Event]:
        """Yield the events of the run; consume it in the thread that trains, and once.

        Raises
        ------
        Cancelled
            The run was stopped while it was being prepared.
        """
        began = perf_counter()
        self._prepare()
        yield self._started()
        spent = perf_counter() - began
        finished = self._first
        reason = None
        while reason is None:
            if finished >= self._params.rounds:
                reason = EndReason.FINISHED
            elif self._control.stopped:
                reason = EndReason.STOPPED
            elif not self._control.turn():
                yield TrainingPaused(finished)
                self._control.wait()
            elif self._take_params() and finished >= self._params.rounds:
                reason = EndReason.FINISHED
            else:
                event = self._boost(finished + 1)
                if event is None:
                    reason = EndReason.STOPPED
                    continue
                finished += 1
                spent += event.seconds
                yield event
                self._take_params()
                if len(self._valid) and self._best.is_exhausted(
                    finished, self._params.early_stopping_rounds
                ):
                    reason = EndReason.EARLY
        cuts = self._grower.cuts_by_column
        yield TrainingEnded(reason, finished, self._best.round, spent, cuts, self._last_notes(finished, cuts))

    def _last_notes(self, finished: int, cuts: tuple[int, ...]) -> tuple[str, ...]:
        """Say of rounds in which nothing was learnt why that was so."""
        rounds = finished - self._first
        if not rounds or (self._has_split and self._objective.searches_leaves):
            return ()
        if self._has_split:
            note = outweighed_note(self._outset, self._params, rounds)
        else:
            note = unsplit_note(self._outset, self._params, rounds, max(cuts, default=0))
        return (note,) if note else ()

    def _accept(self) -> None:
        """Refuse what cannot be trained, before anything is computed."""
        data, params = self._dataset, self._params
        check_target(self._objective, data)
        check_roles(self._objective, data.groups is not None, data.offset is not None)
        check_trees_to_grow(params.rounds, self._classes, params.num_parallel_tree, data.schema.target)
        self._class_weights = class_weights(data.schema, params)
        self._choices = ColumnChoices(data.schema, params)
        if self._start is not None:
            check_base(self._start, self._objective, data.target, params.base_score)
        if data.groups is not None:
            self._objective = self._objective.with_groups(data.groups[data.train_rows])
        self._scores = Scoreboard(
            self._objective, params, len(data.train_rows), len(data.valid_rows), self._team,
            data.groups is not None, self._own.metrics,
        )

    def _prepare(self) -> None:
        data, params = self._dataset, self._params
        n_categories = tuple(len(f.categories) if f.is_categorical else 0 for f in data.schema.features)
        kept = self._choices.forced.values()
        weight = self._weight_of(data.train_rows)
        self._counts = counting(weight)
        self._grower, self._held_out = self._method.prepare(
            RunRows(data.features, data.train_rows, data.valid_rows, n_categories, kept, self._counts),
            params, self._team, self._is_stopped,
        )
        if self._start is not None:
            self._base = self._start.base_margin
        else:
            self._base = base_of(self._objective, self._classes, data, weight, params.base_score)
        self._leave_if_stopped()
        self._train = self._scored(data.train_rows)
        self._valid = self._scored(data.valid_rows)
        self._gradients = np.empty(self._train.raw.shape)
        self._hessians = np.empty(self._train.raw.shape)
        self._loss = self._evaluate()
        self._look_at_outset(weight)
        if not self._needs_rows():
            self._dataset = data = data.without_rows()
        self._best = BestRound(self._scores.higher_is_better)
        if self._best_of_start is not None:
            self._best.note(*self._best_of_start)
        self._check_watched()
        self._leave_if_stopped()
        self._every_row = Sample(draw_rows(len(self._train), 1.0, params.seed, 0))
        self._total_weight = self._train.total_weight
        begun = self._begun()
        self._dart = Dart(begun, data, self._train, self._valid, self._team.parts)
        self._omega_leaves = sum(tree.gamma * tree.figures.leaves for tree in begun.trees)
        self._omega_weights = omega_of_weights(begun.trees, begun.tree_weights)
        self._leave_if_stopped()

    def _look_at_outset(self, weight: NDArray[np.float64] | None) -> None:
        """Note the scale of the sums before the first tree, where the model is the best constant.

        That is where the run begins, unless it goes on or is told where to begin.
        """
        data, objective, base = self._dataset, self._objective, self._base
        g, h = self._gradients, self._hessians
        if self._start is not None or self._params.base_score is not None:
            base = base_of(objective, self._classes, data, weight)
            g, h = gradients_at(base, objective, data, weight)
        target = self._train.target
        self._outset = Outset(
            len(target), float(h.sum(axis=1).max()), least_gain(whole_gain(g, h)), data.weight is not None,
            bool(target.min() == target.max()),
        )
        note = precision_note(objective, data, base, g, h, self._params.learning_rate)
        self._notes = (note,) if note else ()

    def _needs_rows(self) -> bool:
        """Whether trees may be asked about the features themselves, once these are in bins."""
        walks_rows = self._objective.searches_leaves or self._counts is not None
        return self._is_steered or walks_rows or is_dart(self._params)

    def _check_watched(self) -> None:
        """Refuse to wait for the best of a metric that is not defined here."""
        if self._params.early_stopping_rounds is None or not len(self._valid):
            return
        watched = self._scores.watched
        if np.isnan(self._scores.on_valid(self._valid)[watched]):
            raise WorkbenchError(
                f"metric and early_stopping_rounds clash: '{watched}' is not defined on the validation rows. "
                "Choose another metric."
            )

    def _is_stopped(self) -> bool:
        return self._control.stopped

    def _leave_if_stopped(self) -> None:
        if self._is_stopped():
            raise Cancelled

    def _scored(self, rows: NDArray[np.int64]) -> ScoredRows:
        data = self._dataset
        every = len(rows) == len(data.target)
        raw = np.repeat(self._base[:, None], len(rows), axis=1)
        offset = None if data.offset is None else data.offset[rows]
        if offset is not None:
            raw += offset
        if self._start is not None:
            features = data.features if every else rows_beside(data.features, rows)
            here = raw_predictions(self._start, features, offset=offset)
            raw = kernel_array(here.T.reshape(self._classes, -1), np.float32)
        target = kernel_array(self._target_of(rows), np.float64)
        groups = None if data.groups is None else data.groups[rows]
        weight = self._weight_of(rows)
        if weight is None and self._objective.by_blocks:
            weight = block_of_ones(len(rows))
        return ScoredRows(target, weights_or_ones(weight, len(rows)), raw, groups)

    def _target_of(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        target = self._dataset.target
        return target if len(rows) == len(target) else target[rows]

    def _weight_of(self, rows: NDArray[np.int64]) -> NDArray[np.float64] | None:
        return row_weights(self._dataset, self._class_weights, rows)

    def _begun(self) -> Ensemble:
        return Ensemble(
            self._objective.name, len(self._dataset.schema.features), self._classes, self._base,
            self._start.trees if self._start else (),
            n_parallel=self._params.num_parallel_tree,
            has_offset=self._dataset.offset is not None,
            output_names=self._objective.output_names(self._dataset.schema.class_labels),
            dropouts=self._start.dropouts if self._start else (),
        )

    def _started(self) -> TrainingStarted:
        return TrainingStarted(
            ensemble=self._begun(),
            params=self._params,
            metrics=self._scores.names,
            watched=self._scores.watched,
            n_train=len(self._train),
            n_valid=len(self._valid),
            initial_train=self._scores.on_train(self._train, self._mean_loss(), self._measured),
            initial_valid=self._scores.on_valid(self._valid),
            initial_loss=self._loss,
            threads=self._team.parts,
            own_metrics=self._scores.own_facts,
            notes=self._notes,
        )

    def _take_params(self) -> bool:
        """Take over the live ones of newly given parameters; return whether there were any."""
        new = self._control.take_params()
        if new is None:
            return False
        live = {p.name: getattr(new, p.name) for p in PARAMETERS if p.live}
        changed = self._params.change(**live)
        check_together(changed.change(objective=self._objective.name), self._own_names)
        self._params = changed
        return True

    def _boost(self, number: int) -> RoundFinished | None:
        """Grow the trees of one round; None when it was broken off."""
        began = perf_counter()
        learning_rate = self._dart.leave_out(self._params, number)
        if self._dart.has_left_out:
            self._loss = self._evaluate()
        sample = self._draw(number)
        if (len(sample.rows.left_out) or sample.factors is not None) and not len(self._losses):
            self._losses = np.empty(len(self._train))
            self._evaluate()
        drawn_before = self._loss_of(sample)
        trees = self._grow(number, sample, learning_rate)
        if trees is None:
            return None
        self._loss = self._evaluate()
        delivered = self._loss_of(sample) - drawn_before
        dropout = self._dart.take_in(trees)
        if dropout is not None:
            self._loss = self._evaluate()
        highest = self._objective.highest_raw
        if not np.isfinite(self._loss) or (highest < np.inf and self._train.raw.max() > highest):
            raise WorkbenchError(
                f"In round {number} the predictions grew beyond what a number can hold. "
                "Raise reg_lambda or min_child_weight, set max_delta_step, or lower learning_rate."
            )
        return self._finished(number, trees, dropout, delivered, began)

    def _draw(self, number: int, beside: int = 0) -> Sample:
        chosen = self._params
        if chosen.sampling_method != "goss" and chosen.subsample >= 1.0:
            return self._every_row
        return draw_sample(chosen, self._gradients, self._hessians, number, beside, self._team)

    def _grow(self, number: int, sample: Sample, learning_rate: float) -> tuple[Tree, ...] | None:
        chosen = self._params
        params = growing_params(chosen, learning_rate, self._outset.least_gain)
        trees = []
        searches = self._objective.searches_leaves
        for place in range(self._classes * chosen.num_parallel_tree):
            plan = plan_tree(chosen, self._choices, number, place, self._classes)
            k = plan.class_index
            own = self._draw(number, plan.beside) if plan.beside else sample
            searched = SearchedLeaves(self._objective, self._train, self._valid, k) if searches else None
            counted = counted_rows(own.rows, self._counts)
            tree = self._grower.grow(
                *own.amplified(self._gradients[k], self._hessians[k]), counted, plan.columns, params,
                self._control.stop_flag, self._train.raw[k], self._held_out, self._valid.raw[k], k,
                plan.rules,
            )
            if tree is None:
                return None
            if counted is not own.rows:
                tree = self._with_every_row(tree, own)
            trees.append(tree if searched is None else searched.replaced(tree, self._dataset, own))
        return tuple(trees)

    def _with_every_row(self, tree: Tree, sample: Sample) -> Tree:
        """Let the nodes of a tree count the drawn rows of weight 0 too."""
        assert self._counts is not None
        data, drawn = self._dataset, sample.rows.drawn
        rows = data.train_rows[drawn[~self._counts[drawn]]]
        features = np.asfortranarray(rows_beside(data.features, rows))
        return with_more_rows(tree, leaf_indices((tree,), features)[:, 0])

    def _finished(
        self, number: int, trees: tuple[Tree, ...], dropout: Dropout | None, delivered: float, began: float
    ) -> RoundFinished:
        self._omega_leaves += sum(t.gamma * t.figures.leaves for t in trees)
        self._omega_weights += sum(t.figures.omega_weights for t in trees)
        if dropout is not None:
            self._omega_weights = self._dart.omega_of_weights()
        self._has_split |= any(t.n_nodes > 1 for t in trees)
        train = self._scores.on_train(self._train, self._mean_loss(), self._measured)
        valid = self._scores.on_valid(self._valid)
        watched = (valid or train)[self._scores.watched]
        self._best.note(number, watched, self._params.early_stopping_min_change)
        return RoundFinished(
            round=number,
            trees=trees,
            train=train,
            valid=valid,
            loss=self._loss,
            omega=self._omega_leaves + self._omega_weights,
            omega_leaves=self._omega_leaves,
            omega_weights=self._omega_weights,
            structure_score=sum(t.structure_score for t in trees),
            gain=sum(t.figures.gain for t in trees),
            leaves=sum(t.figures.leaves for t in trees),
            depth=max(t.figures.depth for t in trees),
            promised=sum(t.figures.promised for t in trees),
            delivered=delivered,
            params=self._params,
            seconds=perf_counter() - began,
            best_round=self._best.round,
            dropout=dropout,
        )

    def _evaluate(self) -> float:
        """Fill the gradients for the next round, and return the summed loss of the model so far."""
        rows = self._train
        loss, self._measured = self._objective.evaluate(
            rows.target, rows.raw, rows.weight, self._gradients, self._hessians, self._losses, self._team
        )
        return loss

    def _loss_of(self, sample: Sample) -> float:
        """Return the summed loss over the rows that this round drew, as they count; of all for a forest."""
        rows = sample.rows
        if self._params.num_parallel_tree > 1:
            return self._loss
        if sample.factors is not None:
            return float((np.take(self._losses, rows.drawn) * sample.factors[rows.drawn]).sum())
        if not len(rows.left_out):
            return self._loss
        if len(rows.left_out) < len(rows.drawn):
            return self._loss - float(np.take(self._losses, rows.left_out).sum())
        return float(np.take(self._losses, rows.drawn).sum())

    def _mean_loss(self) -> float:
        return self._loss / self._total_weight if self._total_weight > 0 else float("nan")
