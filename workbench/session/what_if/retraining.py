"""What retraining a run with other values takes over from it, and what it cannot repeat, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.session.what_if.question import given, joined_words

if TYPE_CHECKING:
    from typing import Any

    from workbench.explain.what_if.rescoring import Values
    from workbench.session.run import Run

OF_THE_LENGTH = ("rounds", "early_stopping_rounds", "early_stopping_min_change")  # retraining sets its own


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
        note = (f"Retraining takes {joined_words(newest)} for every round: the newest, though {them} "
                "changed while the run trained.")
    found = ""
    if answer is not None and not answer.is_live:
        found = f"{answer.name} is what came of it; Show the run after, in the menu Run, leads there."
    return " ".join(filter(None, (note, found)))


def retrained_words(run: Run, values: Values) -> str:
    """What retraining trains with, where that is said of it: "λ 5 and γ 0.8", "the stored values"."""
    return joined_words({**changed_on_the_way(run, values), **given(values)}) or "the stored values"
