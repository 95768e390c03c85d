"""Training from Python: frames or arrays in, a model or its events out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.data.given.split import GivenSplit
from workbench.errors import WorkbenchError, warn
from workbench.given import make_dataset

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping

    from workbench.cluster.open_run import RunOfPath
    from workbench.data.dataset import Dataset
    from workbench.data.schema import DataSchema, Role
    from workbench.ensembles.control import RunControl
    from workbench.ensembles.events import Event
    from workbench.ensembles.own_parts import OwnParts
    from workbench.formats.model import Model
    from workbench.parameters.training import TrainingParams
    from workbench.typed import Typed


def fit(
    X: Any,
    y: Any = None,
    *,
    target: Hashable = None,
    weight: Any = None,
    sample_weight: Any = None,
    valid: Any = None,
    eval_set: Any = None,
    valid_fraction: float = 0.0,
    valid_groups: Any = None,
    valid_time: Any = None,
    valid_column: Any = None,
    split_seed: int | None = None,
    params: TrainingParams | Mapping[str, Any] | None = None,
    categories: Iterable[Any] = (),
    positive: Any = None,
    group: Any = None,
    base_margin: Any = None,
    missing: Any = None,
    init_model: Model | None = None,
    verbose: bool | int = False,
    cluster: Any = None,
    **overrides: Any,
) -> Model:
    """Train a model.

    What bears on the result is a `WorkbenchWarning`, of the data as of the run: that a column looks like an
    identifier, that nothing was learnt or can be learnt in single precision. It stands in the model too, in
    its journal or in `model.provenance["notes"]`; Python's own filters of warnings silence it. That kernels
    are compiled, some seconds at the first use in a new environment, is no finding: the logger
    `workbench.kernels` says it.

    Parameters
    ----------
    X : DataFrame, table of Arrow, or array-like of shape (n, d)
        With `target`, a frame that holds the target too. Tables of pyarrow, polars, DuckDB and others are
        read through Arrow's interface. Infinity, and what is beyond 3.4e38, is missing, as at prediction, and
        remarked in the model's journal.
        All its columns are features. One that differs in every row, as an identifier does, is warned of; the
        window and the command line, which guess what columns are for, leave it out.
    y : array-like of shape (n,), optional
        The target, where `X` does not hold it. Rows without one are left out.
    target : label of a column, optional
        The target column of `X`; beside `y`, the name that the model gives it.
    weight : label of a column, or array-like of shape (n,), optional
        A column of `X`, or the weights; `sample_weight` is the same.
    valid : DataFrame or tuple, optional
        Validation rows: a frame like `X`, or (X, y) or (X, y, weight); `eval_set` is the same, in a list too.
        The training rows among several are left out: they are measured anyway.
    valid_fraction : float
        Share of the rows held out where there is no `valid`: at random, with the same shares of classes.
    valid_groups, valid_time : label of a column, or array-like of shape (n,), optional
        Hold out whole groups, the rows with the same value here, or the latest rows.
    valid_column : label of a column, or array-like of shape (n,), optional
        Hold out the rows that it names: valid beside train, 1 beside 0, yes beside no. A column of `X` that
        says how rows are held out is no feature.
    split_seed : int, optional
        By which rows or groups are drawn; the run's own seed where it is not given.
    params : TrainingParams or dict, optional
    categories : iterable of labels or places, or of one truth value a column
        Number columns to be taken as categories.
    positive : optional
        The class of two whose probability is predicted.
    group : label of a column, or array-like of shape (n,), optional
        A column of `X`, or the query of each row, for rankings; at random whole queries are held out.
    base_margin : label of a column, or array-like of shape (n,), optional
        A column of `X`, or a known part of each row's raw prediction: the logarithm of an exposure,
        say. Predictions need it too.
    missing : float, optional
        A number that stands for a missing value in the features, as NaN does in any case. The model keeps it:
        at prediction, and in tables that the program scores, it is missing too. What is exported as code,
        and XGBoost, want NaN there.
    init_model : Model, optional
        Go on from this model: its trees stay, and `rounds` more follow. With the same data, parameters and
        seed the result is that of one longer run. Another `objective`, where it is named, must be one whose
        trees add up to the same: squared error may be followed by absolute error, say.
    verbose : bool or int
        Whether the metrics of every round, or of every so many rounds, are printed; none with 0 or less.
    cluster : distributed.Client, or str, optional
        Train there with xgboost.dask: "local" for a cluster on this machine, the address of a scheduler, or
        the path of its file. There `X` may also be the path or URL of a Parquet file or folder, or of a
        folder of CSV, which the workers read; rows are then held out by a hash of the row.
    **overrides
        Single parameters, by name or alias: `rounds=50`, `reg_lambda=2`. `objective` may also be a function
        of target and raw prediction that returns first and second derivatives, or what `load_objective`
        returns; `metric` a function of target and prediction that returns a number, or what `load_metric`
        returns, or a list, of which the last is watched. None is the default. Columns may be given by place:
        `monotone_constraints=(1, 0, -1)`. `class_weight="balanced"` weighs all classes alike.

    Returns
    -------
    Model
        After early stopping, with the rounds up to the best one.
    """
    from workbench.formats.start_model import joined
    from workbench.typed import printed, typed

    said = typed(params, overrides, fit.__kwdefaults__ or ())
    schema, events = _begun(
        said, X, y, target, weight, sample_weight, valid, eval_set, valid_fraction,
        GivenSplit(valid_groups, valid_time, valid_column, split_seed), categories, positive, group,
        base_margin, missing, None, init_model, cluster,
    )
    model = trained_model(schema, printed(events, verbose))
    return model if init_model is None else joined(init_model, model)


def train(
    X: Any,
    y: Any = None,
    *,
    target: Hashable = None,
    weight: Any = None,
    sample_weight: Any = None,
    valid: Any = None,
    eval_set: Any = None,
    valid_fraction: float = 0.0,
    valid_groups: Any = None,
    valid_time: Any = None,
    valid_column: Any = None,
    split_seed: int | None = None,
    params: TrainingParams | Mapping[str, Any] | None = None,
    categories: Iterable[Any] = (),
    positive: Any = None,
    group: Any = None,
    base_margin: Any = None,
    missing: Any = None,
    control: RunControl | None = None,
    init_model: Model | None = None,
    cluster: Any = None,
    **overrides: Any,
) -> Iterator[Event]:
    """Yield the events of the run that `fit` with the same arguments makes.

    `control` pauses, steps and stops it; `RunControl([RunTo(50), MetricRises(5)])` pauses it with a reason,
    by the breakpoints of `workbench.ensembles.breakpoints`. The data are checked before this returns.
    """
    from workbench.typed import typed

    said = typed(params, overrides, train.__kwdefaults__ or ())
    _, events = _begun(
        said, X, y, target, weight, sample_weight, valid, eval_set, valid_fraction,
        GivenSplit(valid_groups, valid_time, valid_column, split_seed), categories, positive, group,
        base_margin, missing, control, init_model, cluster,
    )
    return events


def _begun(
    said: Typed, X: Any, y: Any, target: Hashable, weight: Any, sample_weight: Any, valid: Any, eval_set: Any,
    valid_fraction: float, split: GivenSplit, categories: Iterable[Any], positive: Any, group: Any,
    base_margin: Any, missing: Any, control: RunControl | None, start: Model | None, cluster: Any,
) -> tuple[DataSchema, Iterator[Event]]:  # fmt: skip
    """Return the schema of what was given, and the events of the run on it; all is checked by then."""
    from workbench.data.given.missing import missing_code
    from workbench.formats.start_model import partial_restraints

    if isinstance(X, (str, Path)):
        unsayable = {
            "y": y, "sample_weight": sample_weight, "valid": valid, "eval_set": eval_set,
            "valid_groups": split.groups, "valid_time": split.time, "valid_column": split.column,
            "categories": categories, "group": group, "base_margin": base_margin,
            "missing": missing_code(missing) or None,
        }  # fmt: skip
        here = _run_of_path(
            cluster, X, target, weight, said, control, start, valid_fraction, positive, split.seed, unsayable
        )
        schema, params, events = here.schema, said.params, here.events()
    else:
        dataset = make_dataset(
            X, y, target, _one_of(weight, sample_weight, "weight and sample_weight"),
            _one_of(valid, _validation_sets(eval_set, X), "valid and eval_set"), valid_fraction, said.params,
            categories, positive, group, base_margin, split, missing,
        )
        schema, params = dataset.schema, said.settled(dataset)
        events = train_dataset(dataset, params, control, start, said.own, cluster)
    for text in partial_restraints(start, params) if start is not None else ():
        warn(text)
    return schema, events


def _run_of_path(
    cluster: Any, path: str | Path, target: Hashable, weight: Any, said: Typed, control: RunControl | None,
    start: Model | None, valid_fraction: float, positive: Any, seed: int | None,
    unsayable: Mapping[str, Any],
) -> RunOfPath:  # fmt: skip
    """Set up a run on a table that the workers of a cluster read; what is `unsayable` of it is refused."""
    if cluster is None:
        raise WorkbenchError(
            f"X is the text '{path!s:.60}'. Give a frame; a path is read by the workers of a cluster alone: "
            'with cluster="local", say.'
        )
    from workbench.cluster.extra import check_extra

    check_extra()
    from workbench.cluster.open_run import refuse_given, run_of_path
    from workbench.cluster.refusals import refuse_own

    refuse_given(unsayable)
    refuse_own(said.own)
    params = said.params
    if not isinstance(target, str) or not (weight is None or isinstance(weight, str)):
        raise WorkbenchError("Of a table on a cluster, target and weight are names of columns. Give these.")
    named: dict[str, Role] = {target: "target"}
    if weight is not None:
        named[weight] = "weight"
    return run_of_path(
        cluster, str(path), named, params, control, start, guesses=False, valid_fraction=valid_fraction,
        seed=params.seed if seed is None else seed, positive=positive,
    )  # fmt: skip


def _one_of(one: Any, other: Any, words: str) -> Any:
    """Return what was given by one of two names."""
    if one is not None and other is not None:
        raise WorkbenchError(f"{words} are one thing; give one of them.")
    return other if one is None else one


def _validation_sets(eval_set: Any, X: Any) -> Any:
    """Return sets of validation rows, but for the training rows."""
    if not isinstance(eval_set, (list, tuple)) or not all(isinstance(p, (list, tuple)) for p in eval_set):
        return eval_set
    if not eval_set:
        return None
    return [part for part in eval_set if not part or part[0] is not X] or eval_set[:1]


def train_dataset(
    dataset: Dataset,
    params: TrainingParams,
    control: RunControl | None = None,
    start: Model | None = None,
    own: OwnParts | None = None,
    cluster: Any = None,
) -> Iterator[Event]:
    """Yield the events of a run on rows that are encoded already.

    It goes on from `start`, has a person's `own` objective and metrics, and trains on a `cluster`, where they
    are given.
    """
    from workbench.ensembles.base import make_trainer
    from workbench.ensembles.own_parts import NOTHING_OWN

    own = own or NOTHING_OWN
    if params.early_stopping_rounds is not None and not len(dataset.valid_rows):
        raise WorkbenchError(
            "early_stopping_rounds needs validation rows: hold out a share of the rows "
            "(valid fraction 0.2, say)."
        )
    ensemble = best = None
    if start is not None:
        from workbench.formats.start_model import best_of, checked_start

        ensemble = checked_start(start, dataset, params, own)
        params = params.change(rounds=start.rounds + params.rounds)
        best = best_of(start, dataset, params, own)
    if cluster is None:
        return make_trainer(dataset, params, control, ensemble, own, best).rounds()
    from workbench.cluster.open_run import rounds_there
    from workbench.cluster.sent_rows import SentRows

    return rounds_there(cluster, SentRows(dataset), params, control, ensemble, own, best)


def trained_model(schema: DataSchema, events: Iterable[Event]) -> Model:
    """Return the model at the end of a run; what a person should know of it is warned of on the way."""
    from workbench.ensembles.events import notes_of
    from workbench.formats.snapshot import model_from_events

    def told() -> Iterator[Event]:
        for event in events:
            for note in notes_of(event):
                warn(note)
            yield event

    return model_from_events(schema, told())
