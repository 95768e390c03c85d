"""What of the person's choices does not go together, found before training is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.parameters.clashes import Clash, first_clash

if TYPE_CHECKING:
    from collections.abc import Collection

    from workbench.parameters.training import TrainingParams
    from workbench.session.choices import ObjectiveFacts
    from workbench.session.plan import Plan


def clash_of(
    params: TrainingParams, plan: Plan, facts: ObjectiveFacts, own_metrics: Collection[str] = ()
) -> Clash | None:
    """Return the first clash among parameters and plan, None where they go together."""
    found = first_clash(params.change(objective=facts.name), own_metrics)
    if found is not None:
        return found
    if params.early_stopping_rounds is not None and plan.valid_fraction == 0:
        return Clash(
            "early_stopping_rounds", "valid_fraction",
            "no rows are held out that could be watched; hold out a share of them under Data",
        )
    if facts.task == "regression" and params.class_weights:
        return Clash("class_weights", "objective", f"{facts.name} predicts a number, not classes")
    if facts.task in ("regression", "multiclass") and params.scale_pos_weight != 1.0:
        return Clash("scale_pos_weight", "objective", f"{facts.name} has not two classes")
    return None
