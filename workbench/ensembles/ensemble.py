"""Many trees and how their leaves become a prediction; knows arrays, not tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Integral
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from workbench.ensembles.dropout import round_weights
from workbench.errors import WorkbenchError
from workbench.trees.tree import NODE_DTYPE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.ensembles.dropout import Dropout
    from workbench.ensembles.packed_trees import WalkedTrees
    from workbench.linear.part import LinearPart
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Nodes, Tree


class GrownRound(Protocol):
    """What a round adds: its trees, and what it did to the rounds before."""

    @property
    def trees(self) -> tuple[Tree, ...]:
        """In the order of the ensemble's."""

    @property
    def dropout(self) -> Dropout | None:
        """Where DART left rounds out."""

    @property
    def linear(self) -> LinearPart | None:
        """The weights of the columns after it, of a linear model."""

    @property
    def params(self) -> TrainingParams:
        """In force in it."""


@dataclass(frozen=True, eq=False, repr=False)
class Ensemble:
    """An additive model: base, then trees in the order round, class.

    Attributes
    ----------
    objective : str
        Name in `objectives/`; gives the link.
    n_features : int
    n_classes : int
        Raw predictions a row: 1, or K for softmax and for several quantiles.
    base_margin : ndarray of float32 or float64, shape (n_classes,)
        Raw prediction before the first tree. Its precision is that in which the leaves are added up: single,
        but double for models of programs that do so.
    trees : tuple of Tree
        By round, in it by class, in it one beside the other.
    n_parallel : int
        Trees that a round grows side by side for each class.
    has_offset : bool
        Whether each row brings a part of its raw prediction along.
    output_names : tuple of str
        What each of several raw predictions is for: a class, "quantile 0.1"; empty for one.
    dropouts : tuple of Dropout
        By round, those in which DART left rounds out: after them these count less.
    averages : bool
        Whether the trees of all rounds are averaged, not added up.
    linear : tuple of LinearPart
        By round, of a linear model: the last one is added to base and leaves, each of which is alone in its
        tree and moves the intercept. Empty for models of trees.
    parallel_by_round : tuple of int
        `n_parallel` of each round, where not all have the same; else empty.
    drawn_by : tuple of TrainingParams
        By round, those by which its rows were drawn, where trees are averaged and it is known; else empty.
    """

    objective: str
    n_features: int
    n_classes: int
    base_margin: NDArray[np.floating[Any]]
    trees: tuple[Tree, ...] = ()
    n_parallel: int = 1
    has_offset: bool = False
    output_names: tuple[str, ...] = ()
    dropouts: tuple[Dropout, ...] = ()
    averages: bool = False
    linear: tuple[LinearPart, ...] = ()
    parallel_by_round: tuple[int, ...] = ()
    drawn_by: tuple[TrainingParams, ...] = ()

    def __repr__(self) -> str:
        return f"Ensemble({self.objective!r}, {self.rounds} rounds, {len(self.trees)} trees)"

    @property
    def rounds(self) -> int:
        """Number of finished rounds."""
        return len(self.parallel_by_round) or len(self.trees) // (self.n_classes * self.n_parallel)

    @cached_property
    def round_begins(self) -> NDArray[np.int64]:
        """Which tree each round begins with, from 0, and how many there are, shape (rounds + 1,)."""
        if not self.parallel_by_round:
            return np.arange(self.rounds + 1) * (self.n_classes * self.n_parallel)
        return np.concatenate([[0], np.cumsum(self.parallel_by_round)]) * self.n_classes

    def trees_of(self, round: int) -> tuple[Tree, ...]:
        """Return the trees of a round, from 1."""
        begin, end = self.round_begins[round - 1 : round + 1].tolist()
        return self.trees[begin:end]

    def parallel_of(self, round: int) -> int:
        """Return how many trees a round, from 1, has side by side for each class."""
        return self.parallel_by_round[round - 1] if self.parallel_by_round else self.n_parallel

    def parallel_under(self, n_parallel: int, further: Sequence[int] = ()) -> tuple[int, ...]:
        """Return `parallel_by_round` of a model that grows on with another `n_parallel`.

        `further` is how many each round has that it has grown already.
        """
        told = (*(self.parallel_by_round or (self.n_parallel,) * self.rounds), *further)
        return () if set(told) <= {n_parallel} else told

    def by_tree(self, of_rounds: NDArray[Any]) -> NDArray[Any]:
        """Repeat what each round has for each of its trees."""
        return np.repeat(of_rounds, np.diff(self.round_begins))

    @property
    def is_linear(self) -> bool:
        """Whether it is a linear model, whose trees hold no more than its intercept."""
        return bool(self.linear)

    @property
    def adds_doubles(self) -> bool:
        """Whether leaves are added up in double precision."""
        return self.base_margin.dtype == np.float64

    @cached_property
    def tree_weights(self) -> NDArray[np.float32]:
        """What the leaves of each tree are multiplied by to predict, shape (n_trees,).

        1 but where DART left rounds out, or trees are averaged.
        """
        if self.averages:
            return np.full(len(self.trees), 1.0 / max(self.rounds, 1), np.float32)
        return self.by_tree(round_weights(self.dropouts, self.rounds))

    @cached_property
    def walked(self) -> WalkedTrees:
        """The trees as rows are walked through them, kept for the next rows."""
        from workbench.ensembles.packed_trees import WalkedTrees

        return WalkedTrees.of(self.trees, self.tree_weights, np.float64 if self.adds_doubles else np.float32)

    def walked_first(self, rounds: int, n_columns: int) -> WalkedTrees:
        """Return the trees of the model as it stood after `rounds` rounds, for rows of so many columns."""
        if rounds == self.rounds:
            return self.walked
        is_part = "walked" in self.__dict__ and not self.averages and not self.dropouts
        if is_part and n_columns >= self.walked.n_columns:
            return self.walked.first(int(self.round_begins[rounds]))
        return self.first_rounds(rounds).walked

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what follows from the rest, and is large."""
        return {name: value for name, value in self.__dict__.items() if name != "walked"}

    def dropped(self, round: int) -> NDArray[np.int32]:
        """Return the rounds that `round`, from 1, was grown without, ascending."""
        found = (dropout.dropped for dropout in self.dropouts if dropout.round == round)
        return next(found, np.empty(0, np.int32))

    def counted(
        self, left_out: NDArray[np.int32] | None = None
    ) -> tuple[tuple[Tree, ...], NDArray[np.float32]]:
        """Return the trees of all rounds but those left out, and what they count."""
        if left_out is None or not len(left_out):
            return self.trees, self.tree_weights
        kept = np.ones(self.rounds, np.bool_)
        kept[left_out - 1] = False
        places = np.flatnonzero(self.by_tree(kept))
        return tuple(self.trees[place] for place in places), self.tree_weights[places]

    def folded(self) -> Ensemble:
        """Return one that predicts the same, whose leaves hold what they count: for who knows no weights."""
        weighed = zip(self.trees, self.tree_weights, strict=True)
        return replace(
            self, trees=tuple(_folded(tree, weight) for tree, weight in weighed), dropouts=(),
            averages=False,
        )

    def in_single(self) -> Ensemble:
        """Return one that adds up in single precision, as training does."""
        if not self.adds_doubles:
            return self
        trees = tuple(replace(tree, nodes=_frozen(tree.nodes.astype(NODE_DTYPE))) for tree in self.trees)
        return replace(self, trees=trees, base_margin=self.base_margin.astype(np.float32))

    def with_trees(self, trees: tuple[Tree, ...]) -> Ensemble:
        """Return an ensemble with these trees in place of its own first ones."""
        rounds = int(self.round_begins.searchsorted(len(trees)))
        dropouts = tuple(d for d in self.dropouts if d.round <= rounds)
        return replace(
            self, trees=trees, dropouts=dropouts, linear=self.linear[:rounds],
            parallel_by_round=self.parallel_by_round[:rounds], drawn_by=self.drawn_by[:rounds],
        )

    def with_rounds(self, rounds: Sequence[GrownRound]) -> Ensemble:
        """Return the ensemble grown on by these rounds."""
        trees = (tree for finished in rounds for tree in finished.trees)
        beside = [len(finished.trees) // self.n_classes for finished in rounds]
        dropouts = (finished.dropout for finished in rounds if finished.dropout is not None)
        linear = (finished.linear for finished in rounds if finished.linear is not None)
        return replace(
            self, trees=(*self.trees, *trees), dropouts=(*self.dropouts, *dropouts),
            linear=(*self.linear, *linear), parallel_by_round=self.parallel_under(self.n_parallel, beside),
            drawn_by=(*self.drawn_by, *(finished.params for finished in rounds if self.averages)),
        )

    def first_rounds(self, rounds: int) -> Ensemble:
        """Return the model as it stood after `rounds` rounds, with what each tree counted then.

        Raises WorkbenchError where there are not so many.
        """
        if not isinstance(rounds, Integral) or not 0 <= rounds <= self.rounds:
            raise WorkbenchError(f"The model has {self.rounds} rounds; {rounds!s:.60} cannot be taken of it.")
        return self.with_trees(self.trees[: int(self.round_begins[rounds])])


def _folded(tree: Tree, weight: np.float32) -> Tree:
    if weight == 1:
        return tree
    nodes = tree.nodes.copy()
    nodes["leaf_value"] *= weight
    return replace(tree, nodes=_frozen(nodes))


def _frozen(nodes: Nodes) -> Nodes:
    nodes.flags.writeable = False
    return nodes
