"""Cross-validation from Python: frames or arrays in, figures by fold and round out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from workbench.data.dataset import Dataset
    from workbench.data.table import Column
    from workbench.parameters.training import TrainingParams
    from workbench.validation.folds import Fold
    from workbench.validation.result import CrossValidated


def cross_validate(
    data: Any,
    target: Any = None,
    params: TrainingParams | Mapping[str, Any] | None = None,
    *,
    folds: Any = 5,
    repeats: int = 1,
    groups: Any = None,
    by_time: Any = None,
    stratified: bool = True,
    fold_seed: int | None = None,
    weight: Any = None,
    categories: Iterable[Any] = (),
    positive: Any = None,
    group: Any = None,
    base_margin: Any = None,
    missing: Any = None,
    progress: Callable[[CrossValidated], object] | None = None,
    **overrides: Any,
) -> CrossValidated:
    """Train on all folds but one, measure on that one, and so for each.

    Each fold is what `workbench.fit` makes of its training rows with its held-out rows as `valid`: bins are
    made of its training rows, and early stopping watches its own held-out rows.

    Parameters
    ----------
    data : DataFrame, table of Arrow, or array-like of shape (n, d)
    target : label of a column, or array-like of shape (n,)
        The target column of `data`, or the target. Rows without one are left out.
    params : TrainingParams or dict, optional
    folds : int, a splitter of scikit-learn, or iterable of (train, valid)
        How many; or the rows themselves, by place.
    repeats : int
        Times that the rows are divided anew; a splitter says that itself.
    groups : label of a column, or array-like of shape (n,), optional
        Rows with the same value stay together. A column of `data` is no feature then.
    by_time : label of a column, or array-like of shape (n,), optional
        Folds go forward in time: each trains on the rows before those that it holds out. A column of `data`
        is no feature then.
    stratified : bool
        Keep the shares of classes in all folds, where neither groups nor time are given.
    fold_seed : int, optional
        By which rows are divided; the run's own seed where it is not given. The rows are those of
        scikit-learn's KFold, StratifiedKFold, GroupKFold and TimeSeriesSplit.
    weight, categories, positive, group, base_margin, missing
        As in `workbench.fit`; the queries of a ranking stay whole where neither groups nor time are given.
    progress : callable, optional
        Called with the result so far, after each round of each fold.
    **overrides
        Single parameters, by name or alias.

    Returns
    -------
    CrossValidated
        `mean()` and `sd()` of a metric over folds, `band(metric)` by round, `records()` by fold, and
        `out_of_fold.frame()`, the predictions.

    Raises
    ------
    WorkbenchError
        In one line what is wrong, and in which fold.
    """
    from workbench.data.given.rows import names_column, rows_of
    from workbench.given import make_dataset, named_out
    from workbench.typed import typed
    from workbench.validation.cross_validation import cross_validation
    from workbench.validation.result import CrossValidated

    said = typed(params, overrides, cross_validate.__kwdefaults__ or ())
    data = rows_of(data)
    if groups is not None and by_time is not None:
        raise WorkbenchError("groups and by_time clash: rows are divided in one way.")
    label, answers = (target, None) if names_column(data, target) else (None, target)
    data, groups, groups_name = named_out(data, groups)
    data, by_time, time_name = named_out(data, by_time)
    dataset = make_dataset(
        data, answers, label, weight, None, 0.0, said.params, categories, positive, group, base_margin,
        missing=missing,
    )
    settled = said.settled(dataset)
    marks, name = (groups, groups_name) if by_time is None else (by_time, time_name)
    by = "groups" if groups is not None else "time" if by_time is not None else ""
    seed = settled.seed if fold_seed is None else fold_seed
    made = _folds(dataset, folds, repeats, by, _column(marks, name or by, data), seed, stratified)
    result = CrossValidated(dataset, made)
    for word in cross_validation(dataset, settled, made, None, said.own):
        result.take(word)
        if progress is not None:
            progress(result)
    return result


def _folds(
    dataset: Dataset, folds: Any, repeats: int, by: str, column: Column | None, seed: int, stratified: bool
) -> tuple[Fold, ...]:
    """Divide the rows of a dataset, as many times as is said or as is given."""
    import numpy as np

    from workbench.validation.divided import folds_as_given, folds_of_dataset
    from workbench.validation.fold_plan import FoldPlan

    if isinstance(folds, (int, np.integer)) and not isinstance(folds, bool):
        drawn = "classes" if stratified and dataset.schema.class_labels else "rows"
        plan = FoldPlan(int(folds), repeats, seed, by or drawn, column.name if column else None)  # type: ignore[arg-type]
        return folds_of_dataset(dataset, plan, column)
    if repeats != 1:
        raise WorkbenchError("repeats needs a number of folds: where folds says the rows, leave it at 1.")
    if hasattr(folds, "split") and not isinstance(folds, str):
        every, target = np.zeros(dataset.schema.rows), np.zeros(dataset.schema.rows)
        target[dataset.table_rows] = dataset.target
        marks = {} if column is None else {"groups": column.values}
        return folds_as_given(dataset, folds.split(every, target, **marks))
    if isinstance(folds, Iterable) and not isinstance(folds, str):
        return folds_as_given(dataset, folds)
    raise WorkbenchError(f"folds is {folds!r}; give a number, a splitter, or pairs of rows.")


def _column(values: Any, name: str, data: Any) -> Column | None:
    """Return one value a row as a column."""
    if values is None:
        return None
    from workbench.data.given.arrays import column_of_values

    return column_of_values(values, name, len(data))
