"""What the trees of a run were grown with: one value, or several where it was changed during the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.explain.what_if.rescoring import Values
from workbench.parameters.training import BY_NAME
from workbench.views.controls.parameter_words import value_text

if TYPE_CHECKING:
    from workbench.session.run import Run


def newest_value(run: Run, name: str) -> float:
    """The value that the newest tree was grown with."""
    return float(getattr(run.rounds[-1].trees[-1], name))


def stored_value(run: Run, name: str) -> float | None:
    """The value that all trees were grown with; None where they were grown with several."""
    low, high = _ends(run, name)
    return newest_value(run, name) if low == high else None


def range_words(run: Run, name: str) -> str:
    """The lowest and the highest value that a tree was grown with: "1", "1 to 4"."""
    ends = sorted({*_ends(run, name)})
    return " to ".join(value_text(BY_NAME[name], end) for end in ends)


def stored_note(run: Run, name: str) -> str:
    """What the trees were grown with: "stored 1", "stored 1 to 4, the newest 3"."""
    note = f"stored {range_words(run, name)}"
    if stored_value(run, name) is not None:
        return note
    return f"{note}, the newest {value_text(BY_NAME[name], newest_value(run, name))}"


def changed(run: Run, name: str, value: float | None) -> Values:
    """Return the values asked of a run with one of them changed; None and the stored one ask for nothing."""
    asked = None if value is None or value == stored_value(run, name) else float(value)
    return Values(**vars(run.what_if.values) | {name: asked})


def _ends(run: Run, name: str) -> tuple[float, float]:
    values = [float(getattr(event.trees[0], name)) for event in run.rounds]
    return min(values), max(values)
