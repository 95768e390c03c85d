"""How the training rows stand before the first tree; and why nothing was learnt from them, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.data.remarks import tells_one_value
from workbench.ensembles.run.base_margin import base_of
from workbench.ensembles.run.least_gain import gradients_at, least_gain, whole_gain
from workbench.ensembles.run.single_precision import precision_note
from workbench.number_text import counted

if TYPE_CHECKING:
    from workbench.data.dataset import Dataset
    from workbench.ensembles.round_grower import RoundGrower
    from workbench.ensembles.run.begun import Begun
    from workbench.ensembles.run.setup import RunSetup
    from workbench.ensembles.run.training_loss import TrainingLoss
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
    is_told : bool
        Whether the notes of the data say already that it is the same in all of them.
    note : str
        What single precision cannot hold of the target; "" where it can.
    """

    n_rows: int
    sum_hessian: float
    least_gain: float
    is_weighted: bool
    is_constant: bool
    is_told: bool = False
    note: str = ""


def look_at_outset(setup: RunSetup, data: Dataset, begun: Begun, loss: TrainingLoss) -> Outset:
    """Return the scale of the sums before the first tree, where the model is the best constant.

    That is where the run begins, unless it goes on or is told where to begin.
    """
    objective, base, g, h = setup.objective, begun.ensemble.base_margin, loss.gradients, loss.hessians
    if setup.start is not None or setup.params.base_score is not None:
        weight = setup.weight_of(data, data.train_rows)
        base = base_of(objective, setup.n_outputs, data, weight)
        g, h = gradients_at(base, objective, data, weight)
    target = begun.rows.train.target
    return Outset(
        len(target), float(h.sum(axis=1).max()), least_gain(whole_gain(g, h)), data.weight is not None,
        bool(target.min() == target.max()), tells_one_value(data.schema.target, data.schema.journal),
        precision_note(objective, data, base, g, h, setup.params.learning_rate),
    )


def last_note(
    outset: Outset, setup: RunSetup, params: TrainingParams, last_round: int, grower: RoundGrower
) -> str:
    """Say of a run whose rounds learnt nothing, or next to nothing, why that was so; "" where they learnt.

    The same where the notes of the data tell it.

    Parameters
    ----------
    params : TrainingParams
        In force in the last round.
    """
    rounds = last_round - setup.first_round
    if not rounds or outset.is_told or (grower.has_split and setup.objective.searches_leaves):
        return ""
    if grower.has_split:
        return outweighed_note(outset, params, rounds)
    return unsplit_note(outset, params, rounds, max(grower.cuts_by_column, default=0))


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
    if outset.is_constant:
        return "the target is the same in every row that counts. Choose another target."
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
    if params.ccp_alpha > 0.0:
        return f"ccp_alpha {params.ccp_alpha:g} cuts every one of them. Lower ccp_alpha."
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
