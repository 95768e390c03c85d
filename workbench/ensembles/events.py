"""What a trainer says while it works: frozen events, one generator for window, scripts and files."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ensembles.dropout import Dropout
    from workbench.ensembles.ensemble import Ensemble
    from workbench.linear.part import LinearPart
    from workbench.metrics.facts import MetricFacts
    from workbench.parameters.training import TrainingParams
    from workbench.registry import Named
    from workbench.trees.tree import Tree


class EndReason(Enum):
    """Why a run ended."""

    FINISHED = "all rounds done"
    EARLY = "early stopping"
    STOPPED = "stopped"
    LEARNT = "nothing left to learn"


@dataclass(frozen=True)
class TrainingStarted:
    """The run is set up: the ensemble it begins with (no trees, mostly), and what it will report.

    `metrics` are names in `metrics/`, the watched one first; `initial_train` and `initial_valid`
    their values before the first tree. `threads` is how many train together.
    `own_metrics` tells which way those are better that come from a person's own file, and `notes` what a
    person should know.
    """

    ensemble: Ensemble
    params: TrainingParams
    metrics: tuple[str, ...]
    watched: str
    n_train: int
    n_valid: int
    initial_train: dict[str, float]
    initial_valid: dict[str, float]
    initial_loss: float
    threads: int = 1
    own_metrics: tuple[MetricFacts, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class RoundFinished:
    """One round is done.

    Attributes
    ----------
    round : int
        From 1.
    trees : tuple of Tree
        One, or one a class.
    train, valid : dict of str to float
        Metrics after this round; `valid` is empty without hold-out rows.
    loss : float
        Training loss summed over all training rows with weights (not the mean).
    omega : float
        Ω summed over all trees so far; Obj = loss + omega.
    omega_leaves, omega_weights : float
        Its two parts, γT and ½λΣ(ηw*)².
    structure_score, gain, leaves, depth
        Of this round's trees: sums, and the largest depth.
    promised, delivered : float
        Change of the summed loss by the second-order model Σ(G·ηw* + ½H(ηw*)²) over the leaves, and
        the true one, over the rows that this round drew. Negative is better. Where DART left rounds out:
        of the model without them, before they are taken in again. Trees that are averaged promise NaN.
    params : TrainingParams
        In force in this round.
    seconds : float
        Spent on this round.
    best_round : int
        Round with the best watched validation metric so far (training metric without hold-out rows).
    dropout : Dropout or None
        The rounds that DART left out of this one, and what their trees count since.
    extras : dict of str to float
        Figures that only the training method has, by name: "oob:error".
    linear : LinearPart or None
        The weights of the columns after this round, of a linear model.
    """

    round: int
    trees: tuple[Tree, ...]
    train: dict[str, float]
    valid: dict[str, float]
    loss: float
    omega: float
    omega_leaves: float
    omega_weights: float
    structure_score: float
    gain: float
    leaves: int
    depth: int
    promised: float
    delivered: float
    params: TrainingParams
    seconds: float
    best_round: int
    dropout: Dropout | None = None
    extras: dict[str, float] = field(default_factory=dict)
    linear: LinearPart | None = None


@dataclass(frozen=True)
class TrainingPaused:
    """The trainer waits after this round for resume, step or stop.

    Attributes
    ----------
    round : int
    reason : str
        The sentence of the breakpoints that this round met; "" where the person paused.
    met : tuple of Breakpoint
        These breakpoints.
    suspect : str
        The column that one of them suspects to give the target away; "" where none does.
    """

    round: int
    reason: str = ""
    met: tuple[Named, ...] = ()
    suspect: str = ""


@dataclass(frozen=True)
class TrainingEnded:
    """The run is over; the rounds so far are a complete model.

    `cuts` tells how many places to cut each column had, in the last tree; a category counts as one. `notes`
    tell what a person should know of the whole run.
    """

    reason: EndReason
    round: int
    best_round: int
    seconds: float
    cuts: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


def notes_of(event: Event) -> tuple[str, ...]:
    """Return what an event says that a person should know."""
    return event.notes if isinstance(event, TrainingStarted | TrainingEnded) else ()


Event = TrainingStarted | RoundFinished | TrainingPaused | TrainingEnded


def rounds_of_model(
    started: TrainingStarted, rounds: Sequence[RoundFinished], ended: TrainingEnded | None
) -> int:
    """Return how many of a run's own rounds its model has: up to the best one where it stopped early.

    None where the best one is among those that the run went on from, which all stay.
    """
    if ended is not None and ended.reason is EndReason.EARLY:
        return max(ended.best_round - started.ensemble.rounds, 0)
    return len(rounds)
