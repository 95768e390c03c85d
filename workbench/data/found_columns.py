"""Where a table has the columns that a model reads: they are found by their names."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from workbench.data.text.layout.header import cleaned_names, name_of_label, numbered_names, unnamed_column
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from workbench.data.schema import DataSchema

MOST_NAMED = 5
BY_PLACE = "model column {}"  # what a column of a table may be called that goes by its place, from 1
_ODD = re.compile(r"[\W_]+")


def found_columns(
    schema: DataSchema, names: Sequence[str], labels: Sequence[str] | None = None
) -> dict[str, str]:
    """Return, by the model's name of a column, the table's, of those that are found.

    A name is found as it stands, else as readers and frames give it, without spaces around it, say. Names of
    the model that are one there are told apart by the labels of a frame, where it has each of them once, else
    by their place: "model column 2". Where the model's file has underscores for blanks, a name with
    blanks is found too, if it is the only one.
    """
    there = set(names)
    twins = twin_columns(schema.names)
    labelled = {label: names[place] for label, place in _places(labels or ()).items()}
    found: dict[str, str] = {}
    for place, (name, as_read) in enumerate(zip(schema.names, _as_read(schema.names), strict=True), start=1):
        if name in twins:
            here = labelled[name] if labelled.keys() >= set(twins[name]) else BY_PLACE.format(place)
            if here in there:
                found[name] = here
        elif (plain := next((n for n in (name, as_read) if n in there), None)) is not None:
            found[name] = plain
    if not schema.blanks_underscored:
        return found
    sought = [name for name in schema.names if name not in found]
    return found | _found_with_blanks(sought, there.difference(found.values()))


def twin_columns(names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return, for names that are one where tables are read, those that are, it and its twins."""
    alike: dict[str, list[str]] = {}
    for name, as_read in zip(names, _as_read(names), strict=True):
        alike.setdefault(as_read, []).append(name)
    return {name: tuple(twins) for twins in alike.values() if len(twins) > 1 for name in twins}


def twins_text(schema: DataSchema, name: str) -> str:
    """Say what to do where a column of the model has twins; nothing where it has none."""
    twins = twin_columns(schema.names).get(name, ())
    if not twins:
        return ""
    places = [schema.names.index(twin) + 1 for twin in twins[:MOST_NAMED]]
    more = " …" * (len(twins) > MOST_NAMED)
    listed = ", ".join(f"'{twin}'" for twin in twins[:MOST_NAMED]) + more
    new = ", ".join(f"'{BY_PLACE.format(place)}'" for place in places) + more
    return (
        f" The names {listed} of the model are one where tables are read. Call these columns {new} in the "
        "table."
    )


def one_of_each(schema: DataSchema, found: Mapping[str, str], labels: Sequence[str]) -> dict[str, str]:
    """Return the columns found in a frame with these labels; refuse names that several columns have.

    Of those that are one where frames are read, the one with the very name is taken. Where the model was
    trained on all of them, it has their numbered names, "a (2)", too.
    """
    cleaned = cleaned_names([name_of_label(label) for label in labels])
    names, numbered = numbered_names(cleaned)
    if not numbered:
        return dict(found)
    twins: dict[str, list[int]] = {}
    for place, name in enumerate(cleaned):
        twins.setdefault(name, []).append(place)
    chosen = dict(found)
    for name, here in found.items():
        places = twins.get(here, [])
        if len(places) < 2 or {names[place] for place in places} <= set(found.values()):
            continue
        own = [place for place in places if labels[place] == name]
        if len(own) != 1:
            several = f"The table has {len(places)} columns called '{here}'"
            raise WorkbenchError(f"{several}, and the model needs one. Drop the others.")
        chosen[name] = names[own[0]]
    return chosen


def _places(labels: Sequence[str]) -> dict[str, int]:
    """Return the places of labels that stand there once."""
    counts = Counter(labels)
    return {label: place for place, label in enumerate(labels) if counts[label] == 1}


def _as_read(names: Sequence[str]) -> list[str]:
    """Return the names that columns with these ones get where they are read."""
    cleaned = cleaned_names([name_of_label(name) for name in names])
    return [name or unnamed_column(place) for place, name in enumerate(cleaned, start=1)]


def _found_with_blanks(sought: Iterable[str], free: Collection[str]) -> dict[str, str]:
    """Find what underscores make one of the names sought; not where two names could be meant or ask for one.

    Underscores around a name may be spaces around it that a reader left out.
    """
    written: dict[str, list[str]] = {}
    for name in free:
        written.setdefault(name.replace(" ", "_"), []).append(name)
    found = {}
    for name in sought:
        meant = [here for way in {name, name.strip("_")} for here in written.get(way, ())]
        if len(meant) == 1:
            found[name] = meant[0]
    asked = Counter(found.values())
    return {name: here for name, here in found.items() if asked[here] == 1}


def alike_columns(missing: Iterable[str], others: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return for missing columns those of the others that differ only by case, spaces or signs."""
    near: dict[str, tuple[str, ...]] = {}
    for name in others:
        near[_folded(name)] = (*near.get(_folded(name), ()), name)
    return {name: near[_folded(name)] for name in missing if _folded(name) in near}


def alike_text(names: Sequence[str]) -> str:
    """Say which columns could be meant by one that is missing; nothing where there is none."""
    if not names:
        return ""
    listed = " and ".join(f"'{name}'" for name in names[:MOST_NAMED]) + " …" * (len(names) > MOST_NAMED)
    return f" The table has {listed}; rename {'it if that' if len(names) == 1 else 'the one that'} is meant."


def _folded(name: str) -> str:
    return _ODD.sub("", name.casefold())
