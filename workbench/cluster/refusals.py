"""What XGBoost on a cluster lacks, refused before the run in one line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.cluster.learner_params import METRICS, OBJECTIVES
from workbench.errors import WorkbenchError
from workbench.parameters.training import BY_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from workbench.data.schema import DataSchema
    from workbench.ensembles.own_parts import OwnParts
    from workbench.parameters.training import TrainingParams

# The parameter at fault, when it is, and what to do.
LACKING: tuple[tuple[str, Callable[[TrainingParams], bool], str], ...] = (
    ("method", lambda p: p.method != "newton", "XGBoost trains Newton boosting alone; choose newton"),
    (
        "tree_method", lambda p: p.tree_method == "exact",
        "XGBoost has no exact search there; take hist or approx",
    ),
    (
        "pruning", lambda p: p.pruning != "pre",
        "hist of XGBoost stops at γ and takes no split back; take pre",
    ),
    (
        "sampling_method", lambda p: p.sampling_method != "uniform",
        "XGBoost draws by gradients on one GPU only; take uniform",
    ),
    (
        "rate_drop", lambda p: p.rate_drop > 0 or p.one_drop,
        "DART changes trees that are sent already; leave it at 0",
    ),
    ("forced_splits", lambda p: bool(p.forced_splits), "XGBoost forces no splits; leave it out"),
    (
        "forbidden_columns", lambda p: bool(p.forbidden_columns),
        "XGBoost forbids no columns; give them the role ignore",
    ),
    (
        "class_weights", lambda p: bool(p.class_weights),
        "XGBoost weighs one class of two alone; take scale_pos_weight, or a column of weights",
    ),
    (
        "feature_weights", lambda p: bool(p.feature_weights),
        "all columns are drawn alike there; leave it out",
    ),
    (
        "softmax_hessian", lambda p: p.softmax_hessian != "bound",
        "XGBoost has the bound alone; take bound",
    ),
)  # fmt: skip
# Those that XGBoost does not know, which must stand where they change nothing there.
UNKNOWN = ("min_leaf_rows", "cat_smooth", "cat_l2", "min_category_rows")
RANKING = "rankings need all rows of a query on one worker"
ROLES = {"group": RANKING, "offset": "XGBoost starts every row there from one constant"}
OWN_PARTS = "An objective or metric of your own trains on this machine alone. Leave it out, or the cluster."


def refuse_own(own: OwnParts) -> None:
    """Refuse functions of a person's own, which XGBoost on the workers does not have."""
    if own.objective is not None or own.metrics:
        raise WorkbenchError(OWN_PARTS)


def check_params(params: TrainingParams) -> None:
    """Refuse what cannot be trained there whatever the table is; without numba, for the window's thread."""
    for name, is_asked, advice in LACKING:
        if is_asked(params):
            raise _refused(name, advice)
    for name in UNKNOWN:
        usual = BY_NAME[name].default_of(params.method)
        if getattr(params, name) != usual:
            raise _refused(name, f"XGBoost does not know it; leave it at {BY_NAME[name].shown(usual)}")


def check_can_train(
    params: TrainingParams, objective: str, schema: DataSchema, metrics: Iterable[str]
) -> None:
    """Refuse what cannot be trained there, of rows of which it is known what they mean."""
    columns = {role: getattr(schema, role) for role in ROLES}
    check_planned(params, objective, {role: name for role, name in columns.items() if name}, metrics)


def check_planned(
    params: TrainingParams, objective: str, columns: Mapping[str, str], metrics: Iterable[str]
) -> None:
    """Refuse what cannot be trained there; without numba, for the window's thread.

    Parameters
    ----------
    objective : str
        Its own name, not "auto".
    columns : mapping of str to str
        A column by the role that it has.
    metrics : iterable of str
        Those that the run is to report, by their own names.
    """
    check_params(params)
    if objective not in OBJECTIVES:
        why = RANKING if objective == "lambdarank" else "its leaves or its loss are not XGBoost's"
        raise _refused("objective", f"{why}; take one of {', '.join(OBJECTIVES)}")
    for name in metrics:
        if name not in METRICS:
            raise _refused("metric", f"XGBoost does not take {name}; take one of {', '.join(METRICS)}")
    for role, why in ROLES.items():
        if role in columns:
            raise WorkbenchError(
                f"Column '{columns[role]}' has the role {role}, and {why}. Ignore it, or train on this "
                "machine."
            )


def _refused(name: str, advice: str) -> WorkbenchError:
    return WorkbenchError(f"{name} and cluster clash: {advice}, or train on this machine.")
