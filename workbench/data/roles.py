"""What a table's columns are probably for, and what its target asks of a model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.likely_target import likely_target
from workbench.data.name_words import name_words
from workbench.data.stretches import STRETCH, stretches
from workbench.data.tallies import all_differ, least_tally, tallies
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from workbench.data.schema import Role, Task
    from workbench.data.table import Column, Kind, Table

TARGET_NAMES = ("target", "y", "label", "outcome", "response", "relevance")
WEIGHT_NAMES = ("sampling_weight", "sample_weight", "instance_weight", "case_weight", "weights", "weight")
GROUP_NAMES = ("query_id", "qid", "query", "group_id", "search_id", "session_id")
GROUP_NAMES_OF_RANKING = ("group", "q")
RELEVANCE_NAMES = ("relevance", "rel")
LARGEST_WEIGHT = 1000.0  # of a row, in a column that is called weight and nothing more
FEWEST_ROWS_OF_IDENTIFIER = 20
MOST_NUMBERED_CLASSES = 20

_BODY_WORDS = re.compile(
    r"height|length|width|waist|mass|bmi|diet|feed|speed|animal|horsepower|mpg|cylinders|displacement|age\b",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(
    r"(.*[_\s.-])?(id|uuid|guid|index|key|rowid|row ?names?|row number|column 1|unnamed: 0(\.\d+)*)"
    r"|__index_level_\d+__", re.IGNORECASE,
)  # fmt: skip
_FILE = re.compile(r"file( \(\d+\))?")  # as the reader of folders calls it
_COUNTED = "row|obs|observation|case|doc|record|serial|sr|s|id|orig|original|sample|subject|patient"
_COUNTER = re.compile(
    rf"({_COUNTED})[ _.-]{{0,2}}(id|no|num|nr|number|case|index)\.?|#|level_0|\.\.\.1"
    rf"|(cases?|obs|observations?|records?|rows?|nr|no|num|number)\.?", re.IGNORECASE,
)  # fmt: skip


def guess_roles(table: Table) -> dict[str, Role]:
    """Guess the role of every column, from names first and values second."""
    group = _named(table, GROUP_NAMES)
    target = _guess_target(table, {group})
    if group is None and target is not None and _key(target) in RELEVANCE_NAMES:
        group = _named(table, GROUP_NAMES_OF_RANKING)
    weight = _guess_weight(table, {target, group})
    roles: dict[str, Role] = {}
    for column in table.columns:
        if column.name == target:
            roles[column.name] = "target"
        elif column.name == weight:
            roles[column.name] = "weight"
        elif column.name == group:
            roles[column.name] = "group"
        else:
            ignored = _is_useless(column, table) or (group and _is_unique_within(column, table.column(group)))
            roles[column.name] = "ignore" if ignored else "feature"
    return roles


def named_roles(table: Table, named: Mapping[str, Role]) -> dict[str, Role]:
    """Return the role of every column where some are named and the others guessed beside them."""
    taken = {role for role in named.values() if role != "ignore"} | {"target"}
    guessed = guess_roles(table)
    others: dict[str, Role] = {name: "feature" if role in taken else role for name, role in guessed.items()}
    others |= named
    return {name: others[name] for name in table.names}


def guess_task(column: Column) -> Task:
    """Guess what a target asks for: two values mean two classes, text classes, other numbers a mean."""
    return task_of_tally(column.name, column.kind, *least_tally(column.values, MOST_NUMBERED_CLASSES + 1))


def task_of_tally(name: str, kind: Kind, distinct: np.ndarray, counts: np.ndarray) -> Task:
    """Guess what a target asks for, from its distinct values, ascending, and their counts."""
    if len(distinct) == 2:
        return "binary"
    if kind in ("category", "boolean"):
        return "multiclass"
    if kind == "date" or _key(name) in RELEVANCE_NAMES:
        return "regression"
    return "multiclass" if _are_class_codes(distinct, counts) else "regression"


def target_of(roles: Mapping[str, Role]) -> str:
    """Return the name of the target column."""
    for name, role in roles.items():
        if role == "target":
            return name
    raise WorkbenchError("No column is the target. Choose what to predict.")


def _is_useless(column: Column, table: Table) -> bool:
    return column.missing == len(column.values) or identifies_rows(column) or _names_files(column, table)


def _names_files(column: Column, table: Table) -> bool:
    """Whether a column says which file of a folder a row is from, which tables to come will not."""
    is_last = column.name == table.names[-1] and len(table.names) > 1
    return is_last and column.is_categorical and _FILE.fullmatch(column.name) is not None


def _is_constant(column: Column) -> bool:
    held = len(column.values) - column.missing
    return held > 1 and np.fmin.reduce(column.values) == np.fmax.reduce(column.values)


def _key(name: str) -> str:
    return re.sub(r"[\s.-]+", "_", name.strip().casefold())


def _named(table: Table, names: Iterable[str]) -> str | None:
    by_key = {_key(column.name): column.name for column in reversed(table.columns)}
    return next((by_key[name] for name in names if name in by_key), None)


def _guess_target(table: Table, taken: set[str | None]) -> str | None:
    usable = [c for c in table.columns if c.name not in taken and not _is_useless(c, table)]
    names = [name for name in TARGET_NAMES if name != "y" or not _is_of_a_plane(table)]
    by_name = _named(table, names)
    if by_name is not None and any(c.name == by_name for c in usable):
        return by_name
    usable = [c for c in usable if _key(c.name) not in WEIGHT_NAMES] or usable
    usable = [c for c in usable if c.kind != "date"] or usable
    usable = [c for c in usable if 2 * c.missing <= len(c.values) and not _is_constant(c)] or usable
    return likely_target(usable)


def _is_of_a_plane(table: Table) -> bool:
    """Whether a column y may be the place on an axis, beside x and others."""
    keys = {_key(name) for name in table.names}
    return {"x", "y"} < keys


def _guess_weight(table: Table, taken: set[str | None]) -> str | None:
    name = _named(table, WEIGHT_NAMES)
    if name is None or name in taken or table.column(name).kind != "number":
        return None
    others = [other for other in table.names if other != name]
    values = table.column(name).values
    if _key(name) == "weight" and (any(map(_BODY_WORDS.search, others)) or _are_measured(values)):
        return None
    return name if np.min(values, initial=np.inf) >= 0 and np.max(values, initial=0) > 0 else None


def _are_measured(weights: np.ndarray) -> bool:
    """Whether weights are those of bodies: all above 1, or some of them very large."""
    return bool(np.min(weights, initial=np.inf) > 1 or np.fmax.reduce(weights, initial=0) > LARGEST_WEIGHT)


def identifies_rows(column: Column) -> bool:
    """Whether a column differs in every row and is text, or whole numbers called an identifier or a count."""
    if column.missing or len(column.values) < FEWEST_ROWS_OF_IDENTIFIER:
        return False
    said = " ".join(name_words(column.name))
    named = bool(_IDENTIFIER.fullmatch(column.name) or _IDENTIFIER.fullmatch(said))
    if _COUNTER.fullmatch(column.name) and _count_rows(column):
        return True
    if column.kind == "date" or not (column.is_categorical or (named and _are_whole(column.values))):
        return False
    return all_differ(column.values)


def _count_rows(column: Column) -> bool:
    """Whether numbers are 0, 1, 2 … or 1, 2, 3 … down the rows."""
    first = column.values[0]
    is_counted = column.kind == "number" and first in (0, 1)
    return is_counted and all(
        np.array_equal(some - first, np.arange(number * STRETCH, number * STRETCH + len(some)))
        for number, some in enumerate(stretches(column.values))
    )


def _are_whole(values: np.ndarray) -> bool:
    return all(bool((some == np.floor(some)).all()) for some in stretches(values))


def _is_unique_within(column: Column, group: Column) -> bool:
    """Whether a text names each item once in its group, as the documents of a query."""
    if column.kind != "category" or column.missing or group.missing:
        return False
    if len(column.categories) * sum(len(found) for found, _ in tallies(group.values)) < len(column.values):
        return False
    pairs = np.stack([group.values, column.values])
    return np.unique(pairs, axis=1).shape[1] == len(column.values)


def _are_class_codes(distinct: np.ndarray, counts: np.ndarray) -> bool:
    """Whether numbers look like 0, 1, 2 … k, each of them frequent."""
    if not 2 < len(distinct) <= MOST_NUMBERED_CLASSES or distinct[0] not in (0, 1):
        return False
    if not np.array_equal(distinct, np.arange(distinct[0], distinct[0] + len(distinct))):
        return False
    return counts.min() * len(distinct) >= 0.2 * counts.sum() and counts.min() >= 2
