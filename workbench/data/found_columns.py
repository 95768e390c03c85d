"""Where a table has the columns that a model reads: they are found by their names."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from workbench.data.header import cleaned_names, name_of_label, unnamed_column

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from workbench.data.schema import DataSchema

MOST_NAMED = 5
_ODD = re.compile(r"[\W_]+")


def found_columns(schema: DataSchema, names: Sequence[str]) -> dict[str, str]:
    """Return, by the model's name of a column, the table's, of those that are found.

    A name is found as it stands, else as readers and frames give it, without spaces around it, say. Names of
    the model that are one there are not found, as nothing tells which is meant. Where the model's file has
    underscores for blanks, a name with blanks is found too, if it is the only one.
    """
    there = set(names)
    read = _as_read(schema.names)
    meant = Counter(read)
    found: dict[str, str] = {}
    for name, as_read in zip(schema.names, read, strict=True):
        here = next((n for n in (name, as_read) if n in there), None)
        if here is not None and meant[as_read] == 1:
            found[name] = here
    if not schema.blanks_underscored:
        return found
    sought = [name for name in schema.names if name not in found]
    return found | _found_with_blanks(sought, there.difference(found.values()))


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
