"""Parameters that are each allowed and do not go together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError
from workbench.parameters.forced_splits import read
from workbench.parameters.methods import IMPURITY, METHODS
from workbench.parameters.spec import declarations

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from workbench.parameters.training import TrainingParams

SEARCHED_LEAVES = ("absolute", "huber", "quantile")  # objectives that search the weights of leaves
PROBABILITIES, MEANS = ("logistic", "exponential"), ("poisson", "gamma", "tweedie")  # what they predict
SHAPES = {
    "huber": "huber_slope", "quantile": "quantile_alpha", "softmax": "softmax_hessian",
    "tweedie": "tweedie_variance_power",
}
METRICS_OF_SEVERAL = ("auto", "pinball")

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
    (
        "forced_splits", "forbidden_columns", lambda p: bool(_forced(p) & set(p.forbidden_columns)),
        "both name a column; take it out of one",
    ),
    (
        "forced_splits", "interaction_constraints", lambda p: _part_sets(p),
        "columns that stand in no set together follow each other; let one set hold them",
    ),
    (
        "forced_splits", "max_depth",
        lambda p: bool(p.forced_splits) and 0 < p.max_depth < read(p.forced_splits).depth,
        "a tree must be as deep as what is forced; raise max_depth or leave it at 0",
    ),
    (
        "forced_splits", "max_leaves",
        lambda p: bool(p.forced_splits) and 0 < p.max_leaves <= sum(1 for _ in read(p.forced_splits).all),
        "a tree must have one leaf more than there are forced splits; raise max_leaves or leave it at 0",
    ),
    (
        "tree_method", "method", lambda p: p.tree_method == "approx" and p.method in IMPURITY,
        "its trees have no hessian to choose bins by; take hist or exact",
    ),
    (
        "objective", "base_score",
        lambda p: p.objective in PROBABILITIES and p.base_score is not None and not 0 < p.base_score < 1,
        "it is the probability of the positive class; give one between 0 and 1, or none",
    ),
    (
        "objective", "base_score",
        lambda p: p.objective in MEANS and p.base_score is not None and p.base_score <= 0,
        "it is a mean; give one above 0, or none",
    ),
)


def _forced(params: TrainingParams) -> set[str]:
    """Return the columns that splits are forced on."""
    return {split.column for split in read(params.forced_splits).all} if params.forced_splits else set()


def _part_sets(params: TrainingParams) -> bool:
    """Whether forced splits bring columns together that may not stand together."""
    sets = params.interaction_constraints
    if not sets or not params.forced_splits:
        return False
    ways = read(params.forced_splits).ways
    return any(len(way) > 1 and not any(way <= set(together) for together in sets) for way in ways)


@dataclass(frozen=True)
class Clash:
    """Two that are each allowed and do not go together, and what to do.

    Or one alone that does not go with the table: then `other` is "" and `advice` says what is wrong with it.
    """

    one: str
    other: str
    advice: str

    @property
    def text(self) -> str:
        """The one line that is said of it."""
        both = f"{self.one} and {self.other} clash:" if self.other else self.one
        return f"{both} {self.advice}."


def first_clash(params: TrainingParams, own_metrics: Collection[str] = ()) -> Clash | None:
    """Return the first two parameters that clash; the objective must go by its own name here.

    Parameters
    ----------
    own_metrics : collection of str
        Names of metrics from a person's own files: they take whatever is predicted.
    """
    found = next((Clash(one, other, advice) for one, other, clash, advice in CLASHES if clash(params)), None)
    return _not_of_method(params) or found or _metric_of_several(params, own_metrics)


def _not_of_method(params: TrainingParams) -> Clash | None:
    """Find a parameter, or an objective, that the training method does not have."""
    method = METHODS[params.method]
    for p in declarations(type(params)):
        usual = p.default_of(method.name)
        if not p.is_of(method.name) and getattr(params, p.name) != usual:
            advice = f"the method {method.name} has no {p.name}; leave it at {p.shown(usual)}"
            return Clash(p.name, "method", advice)
    if not method.takes(params.objective):
        known = ", ".join(dict.fromkeys(("auto", *method.objectives.values(), *(method.others or ()))))
        return Clash("objective", "method", f"the method {method.name} takes one of {known}")
    return None


def check_together(params: TrainingParams, own_metrics: Collection[str] = ()) -> None:
    """Raise WorkbenchError for the first two parameters that clash."""
    clash = first_clash(params, own_metrics)
    if clash is not None:
        raise WorkbenchError(clash.text)


def _metric_of_several(params: TrainingParams, own_metrics: Collection[str]) -> Clash | None:
    """Find a metric of one prediction a row where several quantiles are predicted."""
    if params.objective != "quantile" or len(params.quantile_alpha) < 2:
        return None
    taken = {*METRICS_OF_SEVERAL, *own_metrics}
    for name, metrics in (("metric", (params.metric,)), ("more_metrics", params.more_metrics)):
        wrong = next((metric for metric in metrics if metric not in taken), None)
        if wrong is not None:
            advice = f"{wrong} is of one prediction a row, not of several; take pinball or auto"
            return Clash(name, "quantile_alpha", advice)
    return None


def check_goes_on(objective: str, before: TrainingParams, now: TrainingParams) -> None:
    """Refuse to go on from a model of this objective with another slope, power, quantile or hessian."""
    name = SHAPES.get(objective)
    if name is None or getattr(before, name) == getattr(now, name):
        return
    shown = {p.name: p.shown for p in declarations(type(before))}[name]
    raise WorkbenchError(
        f"{name} and the model to go on from clash: it was trained with {shown(getattr(before, name))}, not "
        f"with {shown(getattr(now, name))}; give the same."
    )
