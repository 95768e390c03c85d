"""Parameters that are each allowed and do not go together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.parameters.training import TrainingParams

SEARCHED_LEAVES = ("absolute", "huber", "quantile")  # objectives that search the weights of leaves

# Two parameters, when they clash, and what to do.
CLASHES: tuple[tuple[str, str, Callable[[TrainingParams], bool], str], ...] = (
    (
        "sampling_method", "subsample", lambda p: p.sampling_method == "goss" and p.subsample < 1.0,
        "goss draws rows itself; leave subsample at 1",
    ),
    (
        "objective", "monotone_constraints",
        lambda p: p.objective in SEARCHED_LEAVES and any(sign for _, sign in p.monotone_constraints),
        "its leaves search weights that know no order; leave the constraints out",
    ),
    (
        "objective", "reg_alpha", lambda p: p.objective in SEARCHED_LEAVES and p.reg_alpha > 0.0,
        "its leaves search their weights without α; leave it at 0",
    ),
    (
        "num_parallel_tree", "objective",
        lambda p: p.num_parallel_tree > 1 and p.objective in SEARCHED_LEAVES,
        "leaves that search their weights follow one another; leave num_parallel_tree at 1",
    ),
)


def check_together(params: TrainingParams) -> None:
    """Raise WorkbenchError for the first two parameters that clash."""
    for one, other, clash, advice in CLASHES:
        if clash(params):
            raise WorkbenchError(f"{one} and {other} clash: {advice}.")
