"""Whether a table has the columns and levels that parameters name; needs no kernels, so a form can ask it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.values import dates
from workbench.errors import WorkbenchError
from workbench.kernels.thresholds import HIGHEST_THRESHOLD
from workbench.parameters.clashes import Clash
from workbench.parameters.forced_splits import read
from workbench.parameters.nearest import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from workbench.data.schema import Feature
    from workbench.parameters.forced_splits import ForcedSplit
    from workbench.parameters.training import TrainingParams


class UnfitError(ValueError):
    """What is wrong with a parameter, to be read after its name."""


def first_unfit(features: Iterable[Feature], params: TrainingParams) -> Clash | None:
    """Return the first parameter that names what these features do not have; None where all fit.

    The features are only looked at where a parameter names any.
    """
    asked = [(name, check) for name, check in CHECKS if getattr(params, name)]
    if not asked:
        return None
    by_name = {feature.name: feature for feature in features}
    for name, check in asked:
        try:
            check(by_name, params)
        except UnfitError as unfit:
            return Clash(name, "", str(unfit))
    return None


def threshold_of(split: ForcedSplit, feature: Feature) -> float:
    """Return the number below which a forced split answers yes; NaN where it names none."""
    if feature.is_categorical or split.names_column_alone:
        return float("nan")
    if split.relation != "<":
        raise UnfitError(
            f"asks '{split.question}', but '{feature.name}' holds {feature.kind}s; ask "
            f"{feature.name} < {'2020-01-31' if feature.kind == 'date' else 'number'}"
        )
    value = _number(split, feature)
    if abs(value) > HIGHEST_THRESHOLD:
        raise UnfitError(f"asks '{split.question}', which no value of a column can reach")
    return value


def codes_of(split: ForcedSplit, feature: Feature) -> list[int]:
    """Return the codes of the levels that answer yes, ascending; none where a split names none."""
    if not feature.is_categorical or split.names_column_alone:
        return []
    if split.relation == "<":
        raise UnfitError(
            f"asks '{split.question}', but '{feature.name}' holds categories; ask "
            f"{feature.name} = level or {feature.name} in {{a, b}}"
        )
    known = {label: code for code, label in enumerate(feature.categories)}
    for level in split.values:
        if level not in known:
            raise UnfitError(
                f"names the level '{level}', which '{feature.name}' does not have. {nearest(level, known)}"
            )
    return sorted({known[level] for level in split.values})


def step_column(features: Sequence[Feature], params: TrainingParams) -> int:
    """Return the place of the column that steps are of: the one that is named, else the first of numbers.

    Raises
    ------
    WorkbenchError
        There is none.
    """
    for place, feature in enumerate(features):
        if not feature.is_categorical and params.step_column in ((), (feature.name,)):
            return place
    wanted = f"'{params.step_column[0]}' is no" if params.step_column else "there is no"
    raise WorkbenchError(f"The method steps needs a feature with numbers, and {wanted} such column.")


def _number(split: ForcedSplit, feature: Feature) -> float:
    try:
        return float(split.values[0])
    except ValueError:
        found = dates.parse(split.values) if feature.kind == "date" else None
    if found is None or np.isnan(found.days[0]):
        raise UnfitError(f"asks '{split.question}'; a {feature.kind} must follow '{feature.name} <'")
    return float(found.days[0])


def _known(by_name: Mapping[str, Feature], names: Iterable[str]) -> None:
    for name in names:
        if name not in by_name:
            raise UnfitError(f"names '{name}', which is no feature. {nearest(name, by_name)}")


def _check_weights(by_name: Mapping[str, Feature], params: TrainingParams) -> None:
    _known(by_name, (name for name, _ in params.feature_weights))


def _check_monotone(by_name: Mapping[str, Feature], params: TrainingParams) -> None:
    for name, sign in params.monotone_constraints:
        _known(by_name, (name,))
        if sign != round(sign):
            raise UnfitError(f"is {sign:g} for '{name}'; it must be 1, 0 or -1")
        if sign and by_name[name].is_categorical:
            raise UnfitError(f"names '{name}', whose categories have no order. Leave it out")


def _check_sets(by_name: Mapping[str, Feature], params: TrainingParams) -> None:
    _known(by_name, (name for together in params.interaction_constraints for name in together))


def _check_forbidden(by_name: Mapping[str, Feature], params: TrainingParams) -> None:
    _known(by_name, params.forbidden_columns)
    if by_name.keys() <= set(params.forbidden_columns):
        raise UnfitError("names every column; leave one that may be asked about")


def _check_step(by_name: Mapping[str, Feature], params: TrainingParams) -> None:
    _known(by_name, params.step_column)
    if len(params.step_column) > 1:
        raise UnfitError("names several columns; a step function is of one")
    if by_name[params.step_column[0]].is_categorical:
        raise UnfitError(f"names '{params.step_column[0]}', whose categories have no order. Name another")


def _check_forced(by_name: Mapping[str, Feature], params: TrainingParams) -> None:
    for split in read(params.forced_splits).all:
        _known(by_name, (split.column,))
        threshold_of(split, by_name[split.column])
        codes_of(split, by_name[split.column])


CHECKS: tuple[tuple[str, Callable[[Mapping[str, Feature], TrainingParams], None]], ...] = (
    ("feature_weights", _check_weights),
    ("monotone_constraints", _check_monotone),
    ("interaction_constraints", _check_sets),
    ("forced_splits", _check_forced),
    ("forbidden_columns", _check_forbidden),
    ("step_column", _check_step),
)
