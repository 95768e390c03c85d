"""What people type out of other libraries' habit, as it counts here: values, columns by place, functions."""

from __future__ import annotations

import ast
import math
import numbers
import sys
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.ensembles.events import RoundFinished
from workbench.ensembles.own_parts import OwnParts, with_names
from workbench.errors import WorkbenchError
from workbench.metrics.given_function import metric_of_function
from workbench.objectives.given_function import objective_of_function
from workbench.parameters.other_words import VALUES, own_words
from workbench.parameters.training import ALIASES, BY_NAME, TrainingParams, resolve, resolved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.data.dataset import Dataset
    from workbench.ensembles.events import Event

SHARE_OF_COLUMNS = "colsample_bytree"
COUNTS_OF_COLUMNS: Mapping[str, Callable[[int], int]] = {  # as scikit-learn counts them
    "sqrt": lambda n: max(1, math.isqrt(n)), "log2": lambda n: max(1, n.bit_length() - 1),
}  # fmt: skip


class Typed(NamedTuple):
    """What was typed, as far as it can be told without the rows.

    Attributes
    ----------
    params : TrainingParams
    own : OwnParts
        Functions that were given themselves.
    by_place : dict of str to object
        Parameters that say columns by place, or go by the rows or the number of columns; see `settled`.
    """

    params: TrainingParams
    own: OwnParts
    by_place: Mapping[str, Any]

    def settled(self, dataset: Dataset) -> TrainingParams:
        """Return the parameters with the names of columns and the weights of classes."""
        names = [feature.name for feature in dataset.schema.features]
        values = {name: _settled(name, value, names, dataset) for name, value in self.by_place.items()}
        return self.params.change(**values) if values else self.params


def typed(
    params: TrainingParams | Mapping[str, Any] | None, given: Mapping[str, Any], others: Collection[str] = ()
) -> Typed:
    """Return what was typed in our own words.

    Parameters
    ----------
    params : TrainingParams or mapping, optional
        What a mapping holds is typed too; where `given` has the same parameter, that counts.
    given : mapping of str to object
    others : collection of str
        What else could have been meant by a name that is none.

    Raises
    ------
    WorkbenchError
        Something cannot be, with the name of what can.
    """
    if isinstance(params, Mapping):
        said = {ALIASES.get(name, name) for name in given}
        of_params = {name: value for name, value in params.items() if ALIASES.get(name, name) not in said}
        given = {**of_params, **given}
        params = None
    if not isinstance(params, TrainingParams | None):
        raise WorkbenchError(f"params is {params!r:.60}; give TrainingParams, or a dict of parameters.")
    values = own_words(given)
    names = {resolve(name, others): name for name in values}
    values = {name: _plain(name, value) for name, value in resolved(values, others).items()}
    values = {name: value for name, value in values.items() if value is not None or BY_NAME[name].optional}
    _part_metrics(values)
    if callable(values.get("objective")) and not hasattr(values["objective"], "name"):
        values["objective"] = objective_of_function(values["objective"])
    by_place = {name: values.pop(name) for name in list(values) if _goes_by_place(name, values[name])}
    values, own = with_names(values)
    _check_by_typed_name(
        {name: names[name] for name in values if names.get(name, name) != name}, values, given
    )
    return Typed((params or TrainingParams()).change(**values), own, by_place)


def _check_by_typed_name(
    typed_names: Mapping[str, str], values: Mapping[str, Any], given: Mapping[str, Any]
) -> None:
    """Refuse a value that cannot be under the name by which it was given."""
    for own, name in typed_names.items():
        try:
            BY_NAME[own].check(values[own])
        except WorkbenchError as error:
            allowed = str(error).partition("; it ")[2] or f"is {own} here."
            raise WorkbenchError(f"{name} is {given[name]!r}; it {allowed} Its name here is {own}.") from None


def _plain(name: str, value: Any) -> Any:
    """Return a value as the parameter takes it; None where it stands for the default."""
    if name == "seed" and isinstance(value, np.random.RandomState):
        return int(value.randint(2**31 - 1))
    if name == "seed" and isinstance(value, np.random.Generator):
        return int(value.integers(2**31 - 1))
    if name in ("max_depth", "max_leaves", "threads") and isinstance(value, numbers.Integral) and value < 0:
        return 0
    if (name, value) in (("tree_method", "auto"), ("early_stopping_rounds", False)):
        return None
    return VALUES.get(name, {}).get(value, value) if isinstance(value, str) else value


def _part_metrics(values: dict[str, Any]) -> None:
    """Watch the last of several metrics, as XGBoost does, and report the others."""
    metric = values.get("metric")
    several: list[Any] = list(metric) if isinstance(metric, (list, tuple)) else [metric]
    if metric is not None and several:
        *others, values["metric"] = map(_metric, several)
        if others:
            values["more_metrics"] = (*others, *(values.get("more_metrics") or ()))
    elif metric is not None:
        del values["metric"]
    more = values.get("more_metrics")
    if isinstance(more, (list, tuple)):
        values["more_metrics"] = tuple(map(_metric, more))


def _metric(given: Any) -> Any:
    return metric_of_function(given) if callable(given) and not hasattr(given, "name") else given


def _settled(name: str, value: Any, names: list[str], dataset: Dataset) -> Any:
    if name == "class_weights":
        return balanced_weights(dataset)
    if name == SHARE_OF_COLUMNS:
        return COUNTS_OF_COLUMNS[value](len(names)) / len(names)
    return _named(name, value, names)


def _goes_by_place(name: str, value: Any) -> bool:
    match name:
        case "colsample_bytree":
            return isinstance(value, str) and value in COUNTS_OF_COLUMNS
        case "class_weights":
            return isinstance(value, str) and value == "balanced"
        case "monotone_constraints":
            return _is_sequence(value) or (isinstance(value, Mapping) and any(map(_is_place, value)))
        case "interaction_constraints":
            groups = _read(value)
            apart = groups if isinstance(groups, (list, tuple)) else ()
            return any(map(_is_place, (c for g in apart if isinstance(g, (list, tuple, set)) for c in g)))
        case "feature_weights":
            return _is_sequence(value)
    return False


def _is_sequence(value: Any) -> bool:
    read = _read(value)
    return isinstance(read, (list, tuple, np.ndarray)) and len(read) > 0 and not any(
        isinstance(one, (tuple, list, str)) for one in read
    )


def _read(value: Any) -> Any:
    """Return what a text such as "(1,0,-1)" says; anything else as it is."""
    if isinstance(value, str) and value[:1] in "([":
        try:
            return ast.literal_eval(value)
        except (ValueError, SyntaxError):
            return value
    return value


def _is_place(column: Any) -> bool:
    return isinstance(column, numbers.Integral) and not isinstance(column, bool)


def _named(parameter: str, value: Any, names: list[str]) -> Any:
    """Return the same by the columns' names."""
    value = _read(value)

    def name_of(column: Any) -> Any:
        if not _is_place(column):
            return column
        if not 0 <= column < len(names):
            raise WorkbenchError(f"{parameter} names column {column}; there are 0 to {len(names) - 1}.")
        return names[column]

    if isinstance(value, Mapping):
        return {name_of(column): sign for column, sign in value.items()}
    if parameter == "interaction_constraints":
        return [[name_of(column) for column in group] for group in value]
    if len(value) != len(names):
        raise WorkbenchError(
            f"{parameter} has {len(value)} values for {len(names)} columns; give one for each."
        )
    usual = 0 if parameter == "monotone_constraints" else 1
    pairs = zip(names, np.asarray(value).tolist(), strict=True)
    return {name: one for name, one in pairs if one != usual}


def balanced_weights(dataset: Dataset) -> dict[str, float]:
    """Return n / (K · n_k) by class: each class weighs as much as every other (King and Zeng, 2001)."""
    labels = dataset.schema.class_labels
    if not labels:
        raise WorkbenchError("class_weight is 'balanced', but the target is a number and has no classes.")
    codes = dataset.target[dataset.train_rows].astype(np.int64)
    counts = np.bincount(codes, minlength=len(labels))
    n_present = int(np.count_nonzero(counts))
    return {str(label): len(codes) / (n_present * count)
            for label, count in zip(labels, counts.tolist(), strict=True) if count}


def printed(events: Iterator[Event], verbose: bool | int | None) -> Iterator[Event]:
    """Yield the same events, and print the metrics of every so many rounds, and of the first; 0 is none."""
    every = max(int(verbose or 0), 0)  # LightGBM's -1 is silent
    for event in events:
        if every and isinstance(event, RoundFinished) and (event.round % every == 0 or event.round == 1):
            parts = (("train", event.train), ("valid", event.valid))
            figures = [f"{part} {name} {value:.6g}" for part, of in parts for name, value in of.items()]
            sys.stdout.write(f"[{event.round}] {', '.join(figures)}\n")
        yield event
