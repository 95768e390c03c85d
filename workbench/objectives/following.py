"""Which objective may follow another one in a model: their trees add up to the same raw predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.objectives.custom import Custom

if TYPE_CHECKING:
    from workbench.objectives.base import Objective


def no_following(before: Objective, after: Objective, n_classes: int) -> str:
    """Say why rounds of one objective cannot follow those of another; "" where they can.

    Parameters
    ----------
    before, after : Objective
        As runs have them: with their quantiles.
    n_classes : int
        Of the target.
    """
    both = before, after
    if any(isinstance(one, Custom) for one in both):
        return "a Python file's functions are those of all rounds"
    unknown = next((one for one in both if one.lacks()), None)
    if unknown is not None:
        return f"'{unknown.name}' is another program's"
    ranking = next((one for one in both if one.needs_groups), None)
    if ranking is not None:
        return f"'{ranking.name}' orders the rows of each query, and its trees add up to no target"
    if before.link != after.link:
        told, wanted = (one.link or "ŷ" for one in both)
        return f"the trees of '{before.name}' mean {told}, and those of '{after.name}' {wanted}"
    outputs = tuple(one.n_outputs(n_classes) for one in both)
    if outputs[0] != outputs[1]:
        return f"'{before.name}' has {outputs[0]} raw predictions a row, and '{after.name}' {outputs[1]}"
    return ""
