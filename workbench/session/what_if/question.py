"""What a person asks of a finished run: its trees under another λ, γ and α."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from workbench.explain.what_if.rescoring import STORED, Values
from workbench.parameters.training import BY_NAME

if TYPE_CHECKING:
    from typing import Any

    from workbench.explain.what_if.model_metrics import MetricValues
    from workbench.explain.what_if.rescoring import Rescored

R = TypeVar("R")  # a run: it holds what is asked of it, so that this cannot name its type


@dataclass(frozen=True, eq=False)
class Retrained(Generic[R]):
    """A run that was trained like another but for these values."""

    values: Values
    run: R


@dataclass(frozen=True, eq=False)
class WhatIf(Generic[R]):
    """The question and what is known of its answer.

    Attributes
    ----------
    values : Values
    stored, rescored : Rescored or None
        The trees scored as stored, and with the values; None while nobody asked, and where it cannot be.
    problem : str
        Why the trees cannot be scored; "" where nothing is against it.
    metrics : MetricValues or None
        Metrics with the values `metrics_of`: of earlier ones while the new are taken.
    metrics_problem : str
        Why there are none; "" where they are there or on their way.
    retrained : tuple of Retrained
        Runs that gave the exact answer, the newest last.
    """

    values: Values = STORED
    stored: Rescored | None = None
    rescored: Rescored | None = None
    problem: str = ""
    metrics: MetricValues | None = None
    metrics_of: Values | None = None
    metrics_problem: str = ""
    retrained: tuple[Retrained[R], ...] = ()

    @property
    def is_on(self) -> bool:
        """Whether trees are shown under other values than their own."""
        return self.rescored is not None and not self.values.is_stored

    @property
    def answer(self) -> R | None:
        """The run that was retrained with the values."""
        found = [known.run for known in self.retrained if known.values == self.values]
        return found[-1] if found else None


def words(values: Values) -> str:
    """What is changed, in words: "λ 3 and γ 0.8"; "" for nothing."""
    return joined_words(given(values))


def given(values: Values) -> dict[str, Any]:
    """The values that are asked for, by the names of their parameters."""
    return {name: value for name, value in vars(values).items() if value is not None}


def joined_words(values: dict[str, Any]) -> str:
    """Parameters and their values in words: "λ 3 and γ 0.8"."""
    parts = [_part(name, value) for name, value in values.items()]
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def _part(name: str, value: Any) -> str:
    declared = BY_NAME[name]
    return f"{declared.symbol or declared.label} {declared.told(value)}"
