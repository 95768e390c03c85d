"""What a person asks of a finished run: its trees under another λ, γ and α."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.explain.what_if.rescoring import STORED, Values
from workbench.parameters.training import BY_NAME

if TYPE_CHECKING:
    from typing import Any

    from workbench.explain.model_scores import Scores
    from workbench.explain.what_if.rescoring import Rescored
    from workbench.session.run import Run

OF_THE_LENGTH = ("rounds", "early_stopping_rounds", "early_stopping_min_change")  # retraining sets its own


@dataclass(frozen=True, eq=False)
class Retrained:
    """A run that was trained like another but for these values."""

    values: Values
    run: Run


@dataclass(frozen=True, eq=False)
class WhatIf:
    """The question and what is known of its answer.

    Attributes
    ----------
    values : Values
    stored, rescored : Rescored or None
        The trees scored as stored, and with the values; None while nobody asked, and where it cannot be.
    problem : str
        Why the trees cannot be scored; "" where nothing is against it.
    scores : Scores or None
        Metrics with the values `scores_of`: of earlier ones while the new are taken.
    scores_problem : str
        Why there are none; "" where they are there or on their way.
    retrained : tuple of Retrained
        Runs that gave the exact answer, the newest last.
    """

    values: Values = STORED
    stored: Rescored | None = None
    rescored: Rescored | None = None
    problem: str = ""
    scores: Scores | None = None
    scores_of: Values | None = None
    scores_problem: str = ""
    retrained: tuple[Retrained, ...] = ()

    @property
    def is_on(self) -> bool:
        """Whether trees are shown under other values than their own."""
        return self.rescored is not None and not self.values.is_stored

    @property
    def answer(self) -> Run | None:
        """The run that was retrained with the values."""
        found = [known.run for known in self.retrained if known.values == self.values]
        return found[-1] if found else None


def changed_on_the_way(run: Run, values: Values) -> dict[str, Any]:
    """The newest value of each parameter that was changed while the run trained, and is not asked for."""
    asked = {name for name, value in vars(values).items() if value is not None}
    names = dict.fromkeys(change.name for change in run.changes)
    left_out = asked.union(OF_THE_LENGTH)
    return {name: getattr(run.params_in_force, name) for name in names if name not in left_out}


def retraining_note(run: Run, values: Values) -> str:
    """What retraining cannot repeat of a run, and where its answer is, once it is there; "" for nothing."""
    newest, answer = changed_on_the_way(run, values), run.what_if.answer
    note = ""
    if newest:
        them = "it was" if len(newest) == 1 else "they were"
        note = (f"Retraining takes {_joined(newest)} for every round: the newest, though {them} "
                "changed while the run trained.")
    found = ""
    if answer is not None and not answer.is_live:
        found = f"{answer.name} is what came of it; Show the run after, in the menu Run, leads there."
    return " ".join(filter(None, (note, found)))


def retrained_words(run: Run, values: Values) -> str:
    """What retraining trains with, where that is said of it: "λ 5 and γ 0.8", "the stored values"."""
    return _joined({**changed_on_the_way(run, values), **_given(values)}) or "the stored values"


def words(values: Values) -> str:
    """What is changed, in words: "λ 3 and γ 0.8"; "" for nothing."""
    return _joined(_given(values))


def _given(values: Values) -> dict[str, Any]:
    return {name: value for name, value in vars(values).items() if value is not None}


def _joined(values: dict[str, Any]) -> str:
    parts = [_part(name, value) for name, value in values.items()]
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def _part(name: str, value: Any) -> str:
    declared = BY_NAME[name]
    return f"{declared.symbol or declared.label} {declared.told(value)}"
