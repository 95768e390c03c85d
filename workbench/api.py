"""Training from Python: frames or arrays in, a model or its events out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.parameters.training import TrainingParams, resolved

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.data.dataset import Dataset
    from workbench.ensembles.control import RunControl
    from workbench.ensembles.events import Event
    from workbench.ensembles.own_parts import OwnParts
    from workbench.formats.model import Model


def fit(
    X: Any,
    y: Any = None,
    *,
    target: str | None = None,
    weight: Any = None,
    valid: Any = None,
    valid_fraction: float = 0.0,
    params: TrainingParams | None = None,
    categories: Sequence[str | int] = (),
    positive: Any = None,
    group: Any = None,
    base_margin: Any = None,
    init_model: Model | None = None,
    **overrides: Any,
) -> Model:
    """Train a model.

    Parameters
    ----------
    X : DataFrame or ndarray of shape (n, d)
        With `target`, a frame that holds the target too.
    y : array-like of shape (n,), optional
        The target, where `X` does not hold it.
    target : str, optional
        Name of the target column of `X`; beside `y`, the name that the model gives it.
    weight : str or array-like of shape (n,), optional
        Name of a column of `X`, or the weights.
    valid : DataFrame or tuple, optional
        Validation rows: a frame like `X`, or (X, y) or (X, y, weight).
    valid_fraction : float
        Share of the rows held out where there is no `valid`.
    params : TrainingParams, optional
    categories : sequence of str or int
        Names or places of number columns to be taken as categories.
    positive : optional
        The class of two whose probability is predicted.
    group : str or array-like of shape (n,), optional
        Name of a column of `X`, or the query of each row, for rankings; whole queries are held out.
    base_margin : str or array-like of shape (n,), optional
        Name of a column of `X`, or a known part of each row's raw prediction: the logarithm of an exposure,
        say. Predictions need it too.
    init_model : Model, optional
        Go on from this model: its trees stay, and `rounds` more follow. With the same data, parameters and
        seed the result is that of one longer run.
    **overrides
        Single parameters, by name or alias: `rounds=50`, `reg_lambda=2`. `objective` may also be what
        `load_objective` returns, `metric` and those in `more_metrics` what `load_metric` returns.

    Returns
    -------
    Model
        After early stopping, with the rounds up to the best one.
    """
    from workbench.formats.snapshot import model_from_events
    from workbench.formats.start_model import joined

    params, own = _chosen(params, overrides)
    dataset = make_dataset(
        X, y, target, weight, valid, valid_fraction, params, categories, positive, group,
        base_margin,
    )
    schema, events = dataset.schema, train_dataset(dataset, params, None, init_model, own)
    del dataset  # whose rows the trainer may let go once they are in bins
    model = model_from_events(schema, events)
    return model if init_model is None else joined(init_model, model)


def train(
    X: Any,
    y: Any = None,
    *,
    target: str | None = None,
    weight: Any = None,
    valid: Any = None,
    valid_fraction: float = 0.0,
    params: TrainingParams | None = None,
    categories: Sequence[str | int] = (),
    positive: Any = None,
    group: Any = None,
    base_margin: Any = None,
    control: RunControl | None = None,
    init_model: Model | None = None,
    **overrides: Any,
) -> Iterator[Event]:
    """Yield the events of the run that `fit` with the same arguments makes.

    `control` pauses, steps and stops it. The data are checked before this returns.
    """
    params, own = _chosen(params, overrides)
    dataset = make_dataset(
        X, y, target, weight, valid, valid_fraction, params, categories, positive, group,
        base_margin,
    )
    return train_dataset(dataset, params, control, init_model, own)


def _chosen(
    params: TrainingParams | None, overrides: dict[str, Any]
) -> tuple[TrainingParams, OwnParts]:
    """Return the parameters, and what was given itself and not by its name."""
    from workbench.ensembles.own_parts import with_names

    values, own = with_names(resolved(overrides))
    return (params or TrainingParams()).change(**values), own


def train_dataset(
    dataset: Dataset,
    params: TrainingParams,
    control: RunControl | None = None,
    start: Model | None = None,
    own: OwnParts | None = None,
) -> Iterator[Event]:
    """Yield the events of a run on rows that are encoded already.

    It goes on from `start`, and has a person's `own` objective and metrics, where they are given.
    """
    from workbench.ensembles.base import make_trainer
    from workbench.ensembles.own_parts import NOTHING_OWN

    own = own or NOTHING_OWN
    if params.early_stopping_rounds is not None and not len(dataset.valid_rows):
        raise WorkbenchError(
            "early_stopping_rounds needs validation rows: hold out a share of the rows "
            "(valid fraction 0.2, say)."
        )
    if start is None:
        return make_trainer(dataset, params, control, None, own).rounds()
    from workbench.formats.start_model import best_of, checked_start

    ensemble = checked_start(start, dataset, params, own)
    params = params.change(rounds=start.rounds + params.rounds)
    best = best_of(start, dataset, params, own)
    return make_trainer(dataset, params, control, ensemble, own, best).rounds()


def make_dataset(
    X: Any,
    y: Any,
    target: str | None,
    weight: Any,
    valid: Any,
    valid_fraction: float,
    params: TrainingParams,
    categories: Sequence[str | int] = (),
    positive: Any = None,
    group: Any = None,
    base_margin: Any = None,
) -> Dataset:
    """Encode what `fit` was given."""
    from workbench.data.arrays import dataset_from_arrays
    from workbench.formats.start_model import UNNAMED_OFFSET
    from workbench.objectives.base import task_of

    if not 0.0 <= valid_fraction < 1.0:
        raise WorkbenchError(f"valid_fraction is {valid_fraction!r}; it must be 0 or more and below 1.")
    for name, given in (("group", group), ("base_margin", base_margin)):
        if given is not None and valid is not None:
            raise WorkbenchError(f"{name} and valid clash: give valid_fraction, which holds out rows of X.")
    X, group, _ = _taken_out(X, group)
    X, base_margin, offset_name = _taken_out(X, base_margin)
    features, answers, weights = split_columns(X, y, target, weight)
    if valid is not None and not isinstance(valid, tuple):
        valid = tuple(part for part in split_columns(valid, None, target, weight) if part is not None)
    return dataset_from_arrays(
        features,
        answers,
        weight=weights,
        categories=categories,
        valid=valid,
        valid_fraction=valid_fraction,
        seed=params.seed,
        task=task_of(params.objective),
        positive=positive,
        target_name=target or getattr(y, "name", None) or "target",
        group=group,
        offset=base_margin,
        offset_name=offset_name or UNNAMED_OFFSET,
    )


def _taken_out(X: Any, column: Any) -> tuple[Any, Any, str]:
    """Take a column out of a frame where it is named; return the rest, the column and its name."""
    if not isinstance(column, str):
        return X, column, ""
    if not hasattr(X, "columns") or list(X.columns).count(column) != 1:
        raise WorkbenchError(f"There is no single column '{column}'.")
    return X.drop(columns=[column]), X[column], column


def split_columns(X: Any, y: Any, target: str | None, weight: Any) -> tuple[Any, Any, Any]:
    """Take target and weight out of a frame that holds them; return features, target, weight."""
    named = [target] if y is None and target is not None else []
    named += [weight] if isinstance(weight, str) else []
    if y is None and target is None:
        raise WorkbenchError("There is no target. Give y, or target with the name of a column.")
    if named and not hasattr(X, "columns"):
        raise WorkbenchError(f"'{named[0]}' names a column, but X is no DataFrame. Give an array instead.")
    for name in named:
        if list(X.columns).count(name) != 1:
            known = ", ".join(str(getattr(column, "name", column)) for column in list(X.columns)[:20])
            raise WorkbenchError(f"There is no single column '{name}'. Known: {known}.")
    answers = X[target] if y is None else y
    weights = X[weight] if isinstance(weight, str) else weight
    return (X.drop(columns=named) if named else X), answers, weights
