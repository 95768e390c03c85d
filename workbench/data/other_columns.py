"""In what the columns of a table are other ones than those of a model that training goes on from."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.schema import Feature

MOST_NAMED = 4
_LONGEST = 40  # signs of a name


def other_columns(known: Sequence[Feature], given: Sequence[Feature]) -> str | None:
    """Return the differences as half a sentence, None where there are none.

    Truth values are categories of the same names: trees see their codes alone.
    """
    here = {feature.name: feature for feature in given}
    there = {feature.name for feature in known}
    told = _alone("model", [one.name for one in known if one.name not in here])
    told += _alone("table", [one.name for one in given if one.name not in there])
    both = [(one, here[one.name]) for one in known if one.name in here]
    told += [difference for pair in both if (difference := _difference(*pair))]
    if not told:
        moved = next((pair for pair in zip(known, given, strict=True) if pair[0].name != pair[1].name), None)
        if moved is None:
            return None
        names = [_short(one.name) for one in moved]
        told = [f"its columns stand in another order ({names[0]} where the table has {names[1]})"]
    more = f"; {len(told) - MOST_NAMED:,} more differ" if len(told) > MOST_NAMED else ""
    return "; ".join(told[:MOST_NAMED]) + more


def _alone(where: str, names: Sequence[str]) -> list[str]:
    if not names:
        return []
    listed = ", ".join(map(_short, names[:MOST_NAMED]))
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return [f"the {where} alone has {listed}{more}"]


def _difference(known: Feature, given: Feature) -> str | None:
    name = _short(known.name)
    if known.kind != given.kind and not (known.is_categorical and given.is_categorical):
        return f"{name} is a {known.kind} in the model and a {given.kind} in the table"
    if _labels(known) == _labels(given):
        return None
    for one, other, where in ((known, given, "model"), (given, known, "table")):
        alone = next((label for label in one.categories if label not in other.categories), None)
        if alone is not None:
            return f"{name} has the category {_short(alone)} in the {where} alone"
    return f"the categories of {name} stand in another order"


def _labels(feature: Feature) -> tuple[str, ...]:
    """Return the labels, of truth values in small letters, as each program writes them otherwise."""
    lower = tuple(map(str.lower, feature.categories))
    return lower if set(lower) <= {"true", "false"} else feature.categories


def _short(name: str) -> str:
    return f"'{name}'" if len(name) <= _LONGEST else f"'{name[: _LONGEST - 1]}…'"
