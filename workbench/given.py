"""What a script gives for rows, frames or arrays, encoded as a dataset."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from workbench.data.given.split import GivenSplit
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.data.dataset import Dataset
    from workbench.parameters.training import TrainingParams


def make_dataset(
    X: Any,
    y: Any,
    target: Hashable,
    weight: Any,
    valid: Any,
    valid_fraction: float,
    params: TrainingParams,
    categories: Iterable[Any] = (),
    positive: Any = None,
    group: Any = None,
    base_margin: Any = None,
    split: GivenSplit | None = None,
    missing: Any = None,
) -> Dataset:
    """Encode what `fit` was given."""
    from workbench.data.given.arrays import dataset_from_arrays
    from workbench.data.given.missing import missing_code, without
    from workbench.data.given.rows import names_column, rows_of
    from workbench.data.text.layout.header import name_of_label
    from workbench.formats.start_model import UNNAMED_OFFSET
    from workbench.objectives.base import task_of

    if not 0.0 <= valid_fraction < 1.0:
        raise WorkbenchError(f"valid_fraction is {valid_fraction!r}; it must be 0 or more and below 1.")
    for name, given in (("group", group), ("base_margin", base_margin)):
        if given is not None and valid is not None:
            raise WorkbenchError(f"{name} and valid clash: give valid_fraction, which holds out rows of X.")
    X, code = rows_of(X), missing_code(missing)
    split = split or GivenSplit()
    by, marks = split.chosen(valid, valid_fraction)
    X, group, group_name = named_out(X, group)
    X, marks, marks_name = named_out(X, marks)
    X, base_margin, offset_name = named_out(X, base_margin)
    weight_name = name_of_label(weight) if names_column(X, weight) else "weight"
    features, answers, weights = split_columns(X, y, target, weight)
    return dataset_from_arrays(
        without(features, code),
        answers,
        weight=weights,
        weight_name=weight_name,
        categories=categories,
        valid=None if valid is None else validation_rows(valid, target, weight, y is None),
        valid_fraction=valid_fraction,
        seed=params.seed if split.seed is None else split.seed,
        task=task_of(params.objective),
        positive=positive,
        target_name=_target_name(target, answers),
        group=group,
        group_name=group_name or None,
        offset=base_margin,
        offset_name=offset_name or UNNAMED_OFFSET,
        split_by=by,
        split_values=marks,
        split_name=(marks_name if by != "rows" else group_name) or None,
        missing=(code,) if code else (),
    )


def _target_name(target: Any, answers: Any) -> str:
    """Return what the model calls its target: text, whatever names a column has."""
    from workbench.data.text.layout.header import name_of_label

    name = getattr(answers, "name", None) if target is None else target
    return (name_of_label(name) if isinstance(name, Hashable) and name is not None else "") or "target"


def named_out(X: Any, column: Any) -> tuple[Any, Any, str]:
    """Take a column out of a frame where it is named; return the rest, the column and its name."""
    from workbench.data.given.rows import names_column, taken_out
    from workbench.data.text.layout.header import name_of_label

    return (*taken_out(X, column), name_of_label(column)) if names_column(X, column) else (X, column, "")


def split_columns(X: Any, y: Any, target: Any, weight: Any) -> tuple[Any, Any, Any]:
    """Take target and weight out of a frame that holds them; return features, target, weight."""
    from workbench.data.given.rows import taken_out

    if y is None and target is None:
        raise WorkbenchError("There is no target. Give y, or target with the name of a column.")
    if isinstance(y, str):
        raise WorkbenchError(f"y is the text '{y}'. If it names a column of X, give it as target.")
    answers = y
    if y is None:
        X, answers = taken_out(X, target)
    X, weights, _ = named_out(X, weight)
    return X, answers, weights


def validation_rows(valid: Any, target: Any, weight: Any, in_frame: bool) -> tuple[Any, ...]:
    """Return (X, y) or (X, y, weight) of validation rows: as they were given, or out of a frame like X.

    Parameters
    ----------
    in_frame : bool
        Whether the training rows hold their target, so that a frame of validation rows may too.
    """
    from workbench.data.given.rows import is_pair, rows_of

    parts = valid
    if isinstance(valid, (list, tuple)) and valid and (len(valid) == 1 or all(map(is_pair, valid))):
        if len(valid) > 1:
            raise WorkbenchError(
                f"There are {len(valid)} sets of validation rows where one is taken. The training rows are "
                "measured without being given; leave them out."
            )
        parts = valid[0]
    if isinstance(parts, (list, tuple)):
        if len(parts) not in (2, 3):
            raise WorkbenchError(f"valid has {len(parts)} parts; give (X, y) or (X, y, weight).")
        return tuple(parts)
    if not in_frame:
        raise WorkbenchError("valid is no pair; give (X, y) or (X, y, weight).")
    named = split_columns(rows_of(parts), None, target, weight if isinstance(weight, Hashable) else None)
    return tuple(part for part in named if part is not None)
