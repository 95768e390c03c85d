"""How the training rows stand before the first tree; and why nothing was learnt from them, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.number_text import counted

if TYPE_CHECKING:
    from workbench.parameters.training import TrainingParams

MUCH_LAMBDA = 10  # times the hessians of all rows
A_TRACE = 0.05  # of the way to the best weights


class Outset(NamedTuple):
    """The training rows before the first tree, at the best constant; sums of the class with the largest.

    Attributes
    ----------
    n_rows : int
    sum_hessian : float
    least_gain : float
        That counts.
    is_weighted : bool
        Whether the rows have weights of their own.
    is_constant : bool
        Whether they all have the same target.
    """

    n_rows: int
    sum_hessian: float
    least_gain: float
    is_weighted: bool
    is_constant: bool


def unsplit_note(outset: Outset, params: TrainingParams, rounds: int, most_cuts: int) -> str:
    """Say that so many rounds made no split, and why as far as that is known.

    Parameters
    ----------
    params : TrainingParams
        In force in the last round.
    most_cuts : int
        Places to cut of the column that has most.
    """
    trees = "The one round" if rounds == 1 else f"None of the {rounds:,} rounds"
    made = "made no split" if rounds == 1 else "made a split"
    return f"{trees} {made}, so no column has a say in the predictions: {_reason(outset, params, most_cuts)}"


def outweighed_note(outset: Outset, params: TrainingParams, rounds: int) -> str:
    """Say that λ keeps so many rounds from learning more than a trace; "" where it does not."""
    hessian = outset.sum_hessian
    reached = params.learning_rate * rounds * hessian / (hessian + params.reg_lambda) if hessian > 0 else 0.0
    if params.reg_lambda < MUCH_LAMBDA * hessian or reached > A_TRACE:
        return ""
    way = ", or make the weights larger" if outset.is_weighted else ""
    return (
        f"reg_lambda {params.reg_lambda:g} outweighs the hessians of all rows, which add up to "
        f"{hessian:.3g}: the leaves weigh next to nothing. Lower reg_lambda{way}."
    )


def _reason(outset: Outset, params: TrainingParams, most_cuts: int) -> str:
    hessian, share = outset.sum_hessian, 1.0 if params.sampling_method == "goss" else params.subsample
    if hessian * share < 2 * params.min_child_weight:
        of_rows = "all rows" if share == 1.0 else "the rows of a tree"
        way = ", or make the weights larger" if outset.is_weighted else ""
        return (
            f"the hessians of {of_rows} add up to {hessian * share:.3g}, and each side of a split needs "
            f"{params.min_child_weight:g}. Lower min_child_weight{way}."
        )
    if outset.n_rows * share < 2 * params.min_leaf_rows:
        rows = counted(round(outset.n_rows * share), "row")
        return f"a tree has {rows}, and each leaf needs {params.min_leaf_rows:,}. Lower min_leaf_rows."
    if outset.is_constant:
        return "the target is the same in every row that counts. Choose another target."
    if most_cuts <= 1:
        return "no column has two values to cut between. Give it columns that tell the rows apart."
    if params.reg_lambda >= MUCH_LAMBDA * hessian:
        return (
            f"reg_lambda {params.reg_lambda:g} outweighs the hessians of all rows, which add up to "
            f"{hessian:.3g}. Lower reg_lambda."
        )
    if params.gamma > 0.0:
        return f"none gains γ = {params.gamma:g}, the cost of a leaf. Lower gamma."
    if params.reg_alpha > 0.0:
        return f"none gains anything with reg_alpha {params.reg_alpha:g}. Lower reg_alpha."
    return "none gains anything. Check that the columns have to do with the target."
