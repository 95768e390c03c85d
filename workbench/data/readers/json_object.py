"""One JSON object that is a table: by column or by row, as pandas writes it, or round a list of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FEWEST_ROWS = 2


def rows_of(found: Mapping[str, Any]) -> Iterator[dict[str, Any]] | None:
    """Return the rows of such an object; None where it is no table, but a row.

    Known are {"a": [1, 2], "b": [3, 4]}, {"a": {"0": 1, "1": 2}, …}, {"0": {"a": 1}, "1": …},
    {"columns": […], "data": [[…], …]} and an object with one list of objects in it.
    """
    values = list(found.values())
    if _is_split(found):
        names = [str(name) for name in found["columns"]]
        return (dict(zip(names, row, strict=True)) for row in found["data"])
    if (rows := _only_list(values)) is not None:
        return iter(rows)
    if values and all(isinstance(value, list) for value in values):
        return _by_column(found, len(values[0])) if _are_even(values) else None
    if not values or not all(isinstance(value, dict) and value for value in values):
        return None
    inner = list(values[0])
    if all(map(str.isdecimal, found)) and len(values) >= FEWEST_ROWS:
        return iter(values)
    is_even = all(list(value) == inner for value in values)
    if is_even and all(map(str.isdecimal, inner)) and len(inner) >= FEWEST_ROWS:
        return ({name: value[key] for name, value in found.items()} for key in inner)
    return None


def _is_split(found: Mapping[str, Any]) -> bool:
    names, rows = found.get("columns"), found.get("data")
    if not isinstance(names, list) or not isinstance(rows, list) or not rows:
        return False
    are_names = all(isinstance(name, str | int) for name in names)
    return are_names and all(isinstance(row, list) and len(row) == len(names) for row in rows)


def _only_list(values: list[Any]) -> list[dict[str, Any]] | None:
    """Return the one list of objects among the values; None where there is none, or several."""
    lists = [
        value for value in values
        if isinstance(value, list) and value and all(isinstance(one, dict) for one in value)
    ]  # fmt: skip
    return lists[0] if len(lists) == 1 else None


def _are_even(lists: list[list[Any]]) -> bool:
    is_single = not any(isinstance(one, dict | list) for one in lists[0])
    return is_single and len(lists[0]) >= FEWEST_ROWS and len(set(map(len, lists))) == 1


def _by_column(found: Mapping[str, list[Any]], rows: int) -> Iterator[dict[str, Any]]:
    return ({name: values[row] for name, values in found.items()} for row in range(rows))
