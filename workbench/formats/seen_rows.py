"""Whether rows are those that a model knows from its training, and what it is worth on which of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.data.schema import BY_COLUMN
from workbench.ensembles.class_weights import class_weights
from workbench.errors import WorkbenchError
from workbench.formats.held_rows import HeldRows, held_at_random
from workbench.number_text import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from workbench.explain.evaluation import Evaluation
    from workbench.explain.evaluator import Evaluator
    from workbench.formats.model_like import ModelLike

ALIKE = 1e-4  # relative, of a metric and the one that the run recorded
MEANS = {  # metrics that are means over rows, and the power that makes them so
    "rmse": 2, "mae": 1, "logloss": 1, "mlogloss": 1, "error": 1, "merror": 1, "poisson_deviance": 1,
    "gamma_deviance": 1,
}  # fmt: skip
NO_ROWS = np.empty(0, np.int64)


class PredictedAnswers(NamedTuple):
    """Rows with their answers and predictions, as `Evaluator.evaluate` takes them."""

    target: NDArray[np.float64]
    raw: NDArray[np.float32]
    weight: NDArray[np.float64] | None
    groups: NDArray[np.int64] | None
    by: Mapping[str, NDArray[np.int64]]


def evaluated(
    model: ModelLike, evaluator: Evaluator, rows: PredictedAnswers, rounds: int | None,
    parted: Callable[[], HeldRows],
) -> Evaluation:  # fmt: skip
    """Return what predictions are worth; of rows that the model knows, training and hold-out rows apart.

    Parameters
    ----------
    rounds : int or None
        After which they were made; None after all.
    parted : callable
        Splits the rows as they were split for training, where a column says how; WorkbenchError where it
        cannot.
    """
    whole = evaluator.evaluate(*rows)
    seen = seen_rows(model, evaluator, rows, model.rounds if rounds is None else rounds, parted)
    if seen is None:
        mixed = _mixed_note(model, evaluator, rows, model.rounds if rounds is None else rounds)
        return replace(whole, note=mixed) if mixed else whole
    n_train, n_valid = map(len, seen)
    if not n_valid:
        note = (
            "These are the rows that the model was trained on. They do not tell what it is worth on others."
        )
        return replace(whole, note=note)
    if not n_train:
        return replace(whole, note="These are the rows that were held out while the model was trained.")
    parts = {
        name: evaluator.evaluate(*rows, within=part)
        for name, part in (("hold-out", seen.valid), ("training", seen.train))
    }
    note = (
        f"The model was trained on this table: {counted(n_train, 'row')} trained it, {n_valid:,} were held "
        "out. Only the hold-out rows tell what it is worth on others."
    )
    return replace(whole, parts=parts, note=note)


def seen_rows(
    model: ModelLike, evaluator: Evaluator, rows: PredictedAnswers, rounds: int,
    parted: Callable[[], HeldRows],
) -> HeldRows | None:  # fmt: skip
    """Return which rows trained the model and which were held out; None where they are others.

    They are its own where they are as many, and a metric of each part is what the run recorded of it.
    """
    record = next((row for row in model.history if row.get("round") == rounds), None)
    n_train, n_valid = (model.provenance.get(name, 0) for name in ("n_train", "n_valid"))
    if record is None or not n_train:
        return None
    known = np.flatnonzero(~np.isnan(rows.target))
    for found in _candidates(model, rows, known, n_train, n_valid, parted):
        pairs = [("train", found.train), ("valid", found.valid)]
        if all(_is_recorded(model, evaluator, rows, record, *pair) for pair in pairs if len(pair[1])):
            return found
    return None


def _mixed_note(model: ModelLike, evaluator: Evaluator, rows: PredictedAnswers, rounds: int) -> str:
    """Say that these are the rows of the model's own table in another order; "" where they are others.

    Then a mean over all of them is that of the recorded ones of both parts, by their rows. Which row is of
    which part only the order tells.
    """
    record = next((row for row in model.history if row.get("round") == rounds), None)
    n_train, n_valid = (model.provenance.get(name, 0) for name in ("n_train", "n_valid"))
    known = np.flatnonzero(~np.isnan(rows.target))
    weighed = rows.weight is not None or class_weights(model.schema, model.params) is not None
    if record is None or weighed or not n_train or not n_valid or len(known) != n_train + n_valid:
        return ""
    groups = None if rows.groups is None else rows.groups[known]
    for score in evaluator.scores(rows.target[known], None, groups):
        parts = [record.get(f"{part}:{score.metric.name}") for part in ("train", "valid")]
        power = MEANS.get(score.metric.name)
        if power is None or None in parts:
            continue
        train, valid = (float(part) ** power for part in parts if part is not None)
        whole = (n_train * train + n_valid * valid) / (n_train + n_valid)
        if not np.isclose(score(rows.raw[known]) ** power, whole, rtol=ALIKE, atol=0.0):
            return ""
        return (
            f"These are the rows that the model was trained on, in another order: {n_train:,} trained it, "
            f"{n_valid:,} were held out. Which is which only the order of the file tells, so these figures "
            "are better than those of other rows will be."
        )
    return ""


def _candidates(
    model: ModelLike, rows: PredictedAnswers, known: NDArray[np.int64], n_train: int, n_valid: int,
    parted: Callable[[], HeldRows],
) -> list[HeldRows]:  # fmt: skip
    split, found = model.schema.split, []
    if split is not None and split.holds_out and split.by != "file" and n_valid:
        fits = len(known) >= n_train + n_valid if split.by == "column" else len(known) == n_train + n_valid
        if fits and (both := _parts(model, rows, parted)) is not None:
            found += [both] if (len(both.train), len(both.valid)) == (n_train, n_valid) else []
    found += [HeldRows(known, NO_ROWS)] if len(known) == n_train else []
    found += [HeldRows(NO_ROWS, known)] if len(known) == n_valid else []
    return found


def _parts(model: ModelLike, rows: PredictedAnswers, parted: Callable[[], HeldRows]) -> HeldRows | None:
    schema, split = model.schema, model.schema.split
    assert split is not None
    if split.by not in BY_COLUMN and schema.group is None:
        return held_at_random(schema, rows.target, split)
    try:
        return parted()
    except WorkbenchError:
        return None


def _is_recorded(
    model: ModelLike, evaluator: Evaluator, rows: PredictedAnswers, record: Mapping[str, float], part: str,
    places: NDArray[np.int64],
) -> bool:  # fmt: skip
    """Whether a metric of these rows is what the run has on record; classes weigh as they did there."""
    of_class = class_weights(model.schema, model.params)
    target = rows.target[places]
    weight = None if rows.weight is None else rows.weight[places]
    if of_class is not None:
        by_class = of_class[target.astype(np.int64)]
        weight = by_class if weight is None else weight * by_class
    groups = None if rows.groups is None else rows.groups[places]
    scores = evaluator.scores(target, weight, groups)
    score = next((one for one in scores if f"{part}:{one.metric.name}" in record), None)
    if score is None:
        return False
    said, scale = record[f"{part}:{score.metric.name}"], float(np.abs(target).max(initial=1.0))
    return bool(np.isclose(score(rows.raw[places]), said, rtol=ALIKE, atol=1e-6 * scale, equal_nan=True))
