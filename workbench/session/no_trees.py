"""What is said where trees are asked for and there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.session.run import Run

NO_TREES_YET = "No trees yet"
NO_TREES = f"{NO_TREES_YET}. Choose the target, then Train."
LINEAR = "A linear model has no trees. Its weights are under Training, and summed by feature under Ensemble."


def no_trees(run: Run | None) -> str:
    """Return why there is no tree of a run to show."""
    return LINEAR if run is not None and run.is_linear and run.rounds else NO_TREES
