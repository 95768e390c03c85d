"""What a model tells a script of itself and of rows: contributions, importance, predictions by round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.encoding import encode
from workbench.data.given.rows import rows_of
from workbench.ensembles.prediction import add_to_raw, raw_predictions
from workbench.errors import WorkbenchError
from workbench.explain.attribution.column_importance import ColumnImportance
from workbench.explain.attribution.kinds import importance_by
from workbench.explain.attribution.permutation import permuted_losses
from workbench.explain.attribution.shap_explainer import ShapExplainer
from workbench.explain.evaluator import Evaluator
from workbench.explain.out_of_bag import permuted_importance
from workbench.formats.answered_rows import answered_rows
from workbench.formats.trained_rows import trained_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.explain.attribution.walks import Weighing
    from workbench.formats.model_like import ModelLike

UNKNOWN_WEIGHING = "Nodes weigh by 'hessian' or by 'rows', not by '{}'."
ONE_OF = "Take one of interactions, each_round and each_tree: together they are too many numbers."


def contributions_of(
    model: ModelLike, features: NDArray[np.float32], offset: NDArray[np.float32] | None, *,
    interactions: bool, each_round: bool, each_tree: bool, by: Weighing, rounds: int | None, background: Any,
    threads: int,
) -> NDArray[np.float64]:  # fmt: skip
    """See `Model.contributions`; several outputs have an axis of their own."""
    if by not in ("hessian", "rows"):
        raise WorkbenchError(UNKNOWN_WEIGHING.format(f"{by!s:.60}"))
    if interactions + each_round + each_tree > 1:
        raise WorkbenchError(ONE_OF)
    ensemble = model.ensemble if rounds is None else model.ensemble.first_rounds(rounds)
    others = None if background is None else encode(model.schema, rows_of(background))
    explainer = ShapExplainer(ensemble, by, others)
    if each_tree:
        return explainer.by_tree(features, threads=threads)
    if interactions:
        found = explainer.interactions(features, threads=threads)
        base = found[..., -1, -1]
    elif each_round:
        found = explainer.by_round(features, threads=threads)
        base = found[:, 0, :, -1]
    else:
        n, k = len(features), ensemble.n_classes
        found = np.empty((n, k, ensemble.n_features + 1))
        found[..., :-1] = explainer.contributions(features, threads=threads)
        base = found[..., -1]
        base[:] = explainer.base
    if offset is not None:
        base += offset[:, None]
    outputs = 2 if each_round else 1
    return np.squeeze(found, axis=outputs) if ensemble.n_classes == 1 else found


def importance_of(
    model: ModelLike, kind: str, rows: tuple[Any, Any, Any, Any] | None, *, metric: str | None, repeats: int,
    seed: int, rounds: int | None,
) -> ColumnImportance:  # fmt: skip
    """See `Model.importance`; `rows` are features, answers, weights and queries."""
    ensemble = model.ensemble if rounds is None else model.ensemble.first_rounds(rounds)
    names = model.schema.names
    if kind == "out_of_bag":
        return _out_of_bag(model, ensemble, rows)
    if kind != "permutation":
        values = importance_by(ensemble, kind)
        return ColumnImportance(kind, dict(zip(names, values.tolist(), strict=True)))
    if rows is None:
        raise WorkbenchError("Columns are permuted among rows whose answers are known: give X and y.")
    found = answered_rows(model.schema, *rows, None)
    features = encode(model.schema, found.features)
    offset = model.offset_of(found.features, None, len(features))
    known = ~np.isnan(found.target)
    counts = known if found.weight is None else known & (found.weight > 0)
    if np.count_nonzero(counts) < 2 or repeats < 1:
        raise WorkbenchError("To permute columns takes two rows with an answer and a weight, and one repeat.")
    evaluator = Evaluator(ensemble.objective, model.params, model.schema.class_labels)
    score = evaluator.score(
        metric, found.target[counts], None if found.weight is None else found.weight[counts],
        None if found.groups is None else found.groups[counts],
    )
    weighed = counts[known]  # rows without weight lend their values, as scikit-learn's do
    permuted = permuted_losses(
        ensemble, features[known], lambda raw: score(raw[weighed]),
        higher_is_better=score.metric.higher_is_better, repeats=repeats, seed=seed,
        offset=None if offset is None else offset[known],
    )
    mean = dict(zip(names, permuted.mean.tolist(), strict=True))
    spread = dict(zip(names, permuted.deviation.tolist(), strict=True))
    return ColumnImportance(kind, mean, spread, score.metric.name)


def _out_of_bag(
    model: ModelLike, ensemble: Ensemble, rows: tuple[Any, Any, Any, Any] | None
) -> ColumnImportance:
    X, y, weight, _ = rows or (None, None, None, None)
    found = permuted_importance(trained_rows(model, X, y, weight), ensemble, model.params)
    mean, error = (dict(zip(model.schema.names, part.tolist(), strict=True)) for part in found)
    metric = "mse" if model.schema.task == "regression" else "error"
    return ColumnImportance("out_of_bag", mean, error, metric)


def staged_raw(
    ensemble: Ensemble, features: NDArray[np.float32], offset: NDArray[np.float32] | None
) -> Iterator[NDArray[Any]]:
    """Yield the raw predictions after each round, bit by bit those of `raw_predictions`."""
    if ensemble.averages or ensemble.dropouts or ensemble.is_linear:  # where a round changes those before
        for number in range(1, ensemble.rounds + 1):
            yield raw_predictions(ensemble, features, number, offset=offset)
        return
    raw = np.repeat(ensemble.base_margin[:, None], len(features), axis=1)
    if offset is not None:
        raw += offset
    for number in range(1, ensemble.rounds + 1):
        add_to_raw(ensemble.trees_of(number), features, raw)
        yield (raw[0] if ensemble.n_classes == 1 else raw.T).copy()
